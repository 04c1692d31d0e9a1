/** `lab bench`: training speed of this machine, and where the time goes. The table goes to stdout, progress to stderr. */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { isCpu } from '../../foundation/cpuVariants';
import { LabError } from '../../foundation/errors';
import { createNodeGpu } from '../../node/gpu';
import { threadPool } from '../../node/poolThread';
import { type BenchmarkOptions, benchmark } from '../../train/bench/benchmark';
import { SUBJECTS, type Subject } from '../../train/bench/report';
import type { BackendChoice } from '../../train/protocol';
import { chooseBackend } from '../../train/run/choose/backends';
import { print } from '../output';
import { benchTable } from './benchTable';

export interface BenchOptions {
  backend?: string | undefined;
  workers?: string | undefined;
  /** Numbers with commas between them. */
  cohorts?: string | undefined;
  latency?: string | undefined;
  quick: boolean;
  json: boolean;
}

const CHOICES: readonly string[] = ['auto', 'webgpu', 'cpu', 'cpu-fused'] satisfies BackendChoice[];

/** Checks the arguments. Returns a function that measures and gives the exit code. */
export function benchCommand(subject: string | undefined, options: BenchOptions): () => Promise<number> {
  const { backend: choice = 'auto', workers } = options;
  if (!SUBJECTS.includes(subject as Subject)) {
    const what = subject === undefined ? 'There is nothing to measure.' : `There is no benchmark “${subject}”.`;
    throw new LabError('unsupported', what, `Choose one of: ${SUBJECTS.join(', ')}.`);
  }
  if (!CHOICES.includes(choice)) {
    throw new LabError('unsupported', `“${choice}” cannot be measured.`, `Choose one of: ${CHOICES.join(', ')}.`);
  }
  if (workers !== undefined && !/^[1-9]\d?$/.test(workers)) {
    throw new LabError('unsupported', `--workers needs a number, not “${workers}”.`, 'See --help.');
  }
  const varied = {
    cohorts: numbers('cohorts', options.cohorts, (value) => Number.isInteger(value) && value >= 1 && value <= 64),
    latencies: numbers('latency', options.latency, (value) => value >= 0 && value <= 1000)?.map((ms) => ms / 1000),
  };
  if (subject !== 'latency' && (varied.cohorts ?? varied.latencies) !== undefined) {
    throw new LabError('unsupported', `${subject} has no cohorts and no latency to vary.`, 'lab bench latency has.');
  }
  return () => measure(subject as Subject, choice as BackendChoice, options, varied);
}

/** Ascending numbers of an option; undefined without it. */
function numbers(name: string, text: string | undefined, isOne: (value: number) => boolean): number[] | undefined {
  if (text === undefined) return undefined;
  const values = text.split(',').map((one) => (one.trim() === '' ? Number.NaN : Number(one)));
  if (values.every(isOne)) return values.toSorted((a, b) => a - b);
  throw new LabError('unsupported', `--${name} needs numbers, not “${text}”.`, 'See --help.');
}

type Varied = Pick<BenchmarkOptions, 'cohorts' | 'latencies'>;

async function measure(
  subject: Subject,
  choice: BackendChoice,
  options: BenchOptions,
  varied: Varied,
): Promise<number> {
  const { workers, quick, json } = options;
  const orNone = (cause: unknown): undefined => {
    if (choice === 'webgpu') throw cause;
  };
  const gpu = isCpu(choice) ? undefined : (await createNodeGpu().catch(orNone))?.gpu;
  const count = workers === undefined ? undefined : Number(workers);
  const bundle = new URL(import.meta.url);
  const [before = 0] = loadavg();
  const report = await benchmark(subject, {
    choose: (members, own) => chooseBackend(own ?? choice, gpu, threadPool(members, count, bundle)),
    gpu,
    quick,
    ...varied,
    say: (text) => process.stderr.write(`${text}\n`),
  });
  const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`;
  const load = { before, after: loadavg()[0] ?? 0 };
  print(json ? `${JSON.stringify({ machine, load, ...report })}\n` : benchTable(report, machine, load));
  return 0;
}
