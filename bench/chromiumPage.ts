/**
 * Runs in the page: the benchmark as the command line has it, on one thread. Bundled by browserBundle.ts, called by
 * chromium.ts.
 */
import { chooseBackend } from '../src/train/backends';
import { benchmark } from '../src/train/bench/benchmark';
import type { BenchmarkReport, Subject } from '../src/train/bench/report';
import type { BackendChoice } from '../src/train/protocol';

export function run(subject: Subject, backend: BackendChoice, quick: boolean): Promise<BenchmarkReport> {
  const alone = {
    workers: 1,
    start: () => {
      throw new Error('This page has no Workers.');
    },
  };
  return benchmark(subject, {
    choose: () => chooseBackend(backend, navigator.gpu, alone),
    gpu: navigator.gpu,
    quick,
    say: (text) => console.log(text),
  });
}
