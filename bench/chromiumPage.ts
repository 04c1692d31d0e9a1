/**
 * Benchmark of the command line, inside a page and on one thread. Bundled by browserBundle.ts, called by chromium.ts.
 */

import { benchmark } from '../src/train/bench/benchmark';
import type { BenchmarkReport, Subject } from '../src/train/bench/report';
import type { BackendChoice } from '../src/train/protocol';
import { chooseBackend } from '../src/train/run/choose/backends';

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
