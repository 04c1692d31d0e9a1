/**
 * `npm run perf -- --report`: writes docs/performance.md from measurements on this machine. The CPU backend on one thread;
 * what a GPU would be asked for is counted without one. From “Before and after” on the page is kept as it stands.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import process from 'node:process';
import type { Experiment } from '../src/experiment/experiment';
import { defaultPreset, findPreset } from '../src/experiment/presets/presets';
import { createCpuBackend } from '../src/tensor/cpu/backend';
import { benchmark } from '../src/train/bench/benchmark';
import { countRequests } from '../src/train/bench/counts';
import type { BenchmarkReport, Counts, Subject } from '../src/train/bench/report';
import { median } from '../src/train/bench/update';
import { Trainer } from '../src/train/population/trainer';
import { chooseBackend } from '../src/train/run/choose/backends';
import { gpuTwin } from '../test/support/gpuTwin';

const PAGE = 'docs/performance.md';
const KEPT = '## Before and after';
/** Operations shown of a training step: those that take the most time. */
const SHOWN = 10;
/** Characters of the longest bar. */
const BAR = 24;

type ReportOf<S extends Subject> = BenchmarkReport & { readonly subject: S };
type Cell = string | number;

const one = (value: number): string => value.toFixed(1);
const giga = (perSecond: number): string => (perSecond / 1e9).toFixed(1);
const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const bar = (share: number): string => '█'.repeat(Math.max(1, Math.round(BAR * share)));

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

async function measured<S extends Subject>(subject: S): Promise<ReportOf<S>> {
  const alone = {
    workers: 1,
    start: () => {
      throw new Error('One thread needs no other.');
    },
  };
  const choose = () => chooseBackend('cpu', undefined, alone);
  const say = (text: string) => process.stderr.write(`${subject}: ${text}\n`);
  return (await benchmark(subject, { choose, gpu: undefined, quick: false, say })) as ReportOf<S>;
}

/** An experiment of one arm and one seed, without what is not done in every update. */
const alone = (experiment: Experiment): Experiment => ({
  ...experiment,
  arms: experiment.arms.slice(-1),
  seeds: 1,
  diagnosticsEvery: 0,
  warmStart: { ...experiment.warmStart, updates: 0 },
  evaluation: { ...experiment.evaluation, every: 0 },
});

/** Processor time of an update, milliseconds, the median of a few, and its tokens. */
async function timed(experiment: Experiment): Promise<{ ms: number; tokens: number }> {
  const trainer = new Trainer(await createCpuBackend(), experiment);
  await trainer.prepare();
  const updates: { ms: number; tokens: number }[] = [];
  for (let update = 0; update < 8; update++) {
    const before = process.cpuUsage();
    const { metrics, tokens } = await trainer.runUpdate();
    await metrics;
    const { user, system } = process.cpuUsage(before);
    if (update > 1) updates.push({ ms: (user + system) / 1000, tokens });
  }
  trainer.dispose();
  return { ms: median(updates.map(({ ms }) => ms)), tokens: median(updates.map(({ tokens }) => tokens)) };
}

const base = alone((findPreset('gridworld-small') as { experiment: Experiment }).experiment);
const inWorld = (settings: Experiment['environment']['settings']): Experiment => ({
  ...base,
  environment: { ...base.environment, settings: { ...base.environment.settings, ...settings } },
});
const inArm = (changes: Partial<Experiment['arms'][number]>): Experiment => ({
  ...base,
  arms: base.arms.map((arm) => ({ ...arm, ...changes })),
});

/** Sizes that are varied one at a time, and their values. */
const GROWTH: readonly (readonly [size: string, values: readonly number[], make: (value: number) => Experiment])[] = [
  ['members', [1, 2, 4, 8], (seeds) => ({ ...base, seeds })],
  ['width', [16, 32, 64, 128], (width) => ({ ...base, policy: { ...base.policy, width } })],
  ['layers', [1, 2, 4], (layers) => ({ ...base, policy: { ...base.policy, layers } })],
  ['turns at most', [6, 12, 24], (horizon) => inWorld({ horizon })],
  ['cells of the map, a word each', [16, 36, 64], (cells) => inWorld({ size: Math.sqrt(cells) })],
  ['groups of a batch', [8, 16, 32], (groups) => ({ ...base, batch: { ...base.batch, groups } })],
  ['inner epochs', [1, 2, 4], (innerEpochs) => inArm({ innerEpochs })],
];

async function growth(): Promise<string> {
  const rows: Cell[][] = [];
  for (const [size, values, make] of GROWTH) {
    const times: { ms: number; tokens: number }[] = [];
    for (const value of values) {
      process.stderr.write(`growth: ${size} ${value}\n`);
      times.push(await timed(make(value)));
    }
    const most = Math.max(...times.map(({ ms }) => ms));
    times.forEach(({ ms, tokens }, i) => {
      rows.push([
        i === 0 ? size : '',
        values[i] as number,
        one(ms),
        whole(tokens),
        one((1e3 * ms) / tokens),
        bar(ms / most),
      ]);
    });
  }
  return table(['varied', 'value', 'ms', 'tokens', 'µs a token', 'time'], rows);
}

/** Counts of a usual and of a diagnosed update of the first experiment, all its members. */
async function asked(): Promise<{ usual: Counts; diagnosed: Counts; members: number }> {
  const { experiment } = defaultPreset;
  const { backend, take } = countRequests(await gpuTwin());
  const { warmStart, evaluation } = alone(experiment);
  const trainer = new Trainer(backend, { ...experiment, warmStart, evaluation });
  await trainer.prepare();
  const update = async (): Promise<Counts> => {
    take();
    await (await trainer.runUpdate()).metrics;
    return take();
  };
  const [diagnosed, usual] = [await update(), await update()];
  return { usual, diagnosed, members: trainer.members.length };
}

function kernelRows({ rows, step }: ReportOf<'kernels'>): Cell[][] {
  const slowest = rows.toSorted((a, b) => b.calls * b.seconds - a.calls * a.seconds).slice(0, SHOWN);
  return [
    ['the whole step', one(step.seconds * 1e3), `${giga(step.flops / step.seconds)} GFLOP/s`, percent(step.share)],
    ...slowest.map(({ operation, shape, calls, seconds, flops, bytes, bound, share }) => [
      `${operation} ${shape}`.trim(),
      one(calls * seconds * 1e3),
      bound === 'compute' ? `${giga(flops / seconds)} GFLOP/s` : `${giga(bytes / seconds)} GB/s`,
      percent(share),
    ]),
  ];
}

function latencyTable({ rows }: ReportOf<'latency'>): string {
  return table(
    ['cohorts', 'readbacks late by, ms', 'ms an update', 'waits more, ms', 'at most, ms'],
    rows.map(({ cohorts, latency, seconds, growth, bound }) => [
      cohorts,
      latency * 1e3,
      ...[seconds, growth, bound].map((time) => one(time * 1e3)),
    ]),
  );
}

/** Measures and writes the page. */
export async function writeReport(): Promise<void> {
  const [before = 0] = loadavg();
  const counts = await asked();
  const first = await timed(alone(defaultPreset.experiment));
  const grown = await growth();
  const train = await measured('train');
  const kernels = await measured('kernels');
  const late = await measured('latency');
  const { compute, memory } = kernels.ceilings;
  const [after = 0] = loadavg();
  const kept = existsSync(PAGE) ? readFileSync(PAGE, 'utf8').split(KEPT)[1] : undefined;
  const text = `# Performance

For people who ask how fast it is. Written by \`npm run perf -- --report\`, all but what follows “Before and after”. ${cpus()[0]?.model ?? 'Unknown processor'}, ${availableParallelism()} cores, Node ${process.version};
load ${one(before)} before and ${one(after)} after: beside other work times are too long, shares and ratios less so. Everything on the CPU backend
and one thread; training takes a thread a core. No GPU was there: of that only what it would be asked for is told.

An update of the first experiment, one member: ${one(first.ms)} ms of processor time for ${whole(first.tokens)} tokens.

## Ceilings, and the share of them that a step reaches

One training step of \`gridworld\` (${kernels.sizes}). Ceilings are the highest rates of this run: ${giga(compute.perSecond)} GFLOP/s
(${compute.by}) and ${giga(memory.perSecond)} GB/s (${memory.by}). The ${SHOWN} operations that take the most time:

${table(['operation', 'ms a step', 'reached', 'of the ceiling'], kernelRows(kernels))}

## Where the time of an update goes

\`gridworld\`, ${train.members} members, ${whole(train.tokens)} tokens, ${whole(train.tokensPerSecond)} tokens a second; by the clock of the host, which does the work.

${table(
  ['part', 'ms', 'share', ''],
  train.parts.map(({ part, seconds, share }) => [
    part,
    one(seconds * 1e3),
    percent(share),
    share >= 0.02 ? bar(share) : '',
  ]),
)}

## What an update asks of a GPU

The first experiment, ${counts.members} members, by the kernels and limits that a GPU has (\`src/train/bench/counts.ts\`). A test holds a
budget for each (\`test/train/counts.test.ts\`). Diagnosed is every tenth update.

${table(
  ['asked', 'an update', 'a diagnosed update'],
  Object.entries(counts.usual).map(([what, count]) => [
    what,
    whole(count),
    whole(counts.diagnosed[what as keyof Counts]),
  ]),
)}

## What late readbacks cost

\`lab bench latency\`: \`gridworld\`, an update of at most 12 turns, every readback made late. In K cohorts that work for W in a turn, all
together, a wait hides behind (1 − 1/K)·W: the time spent waiting grows by what is left of each turn's, and by a single wait at
most ([why](decisions/kernels.md#a-rollout-is-played-in-cohorts-where-readbacks-are-waited-for)). A timer that fires late and a core that
another program has come on top, more of it the busier the machine is; to the tick
\`test/rl/cohorts.test.ts\` holds the bound. Every row computed the same numbers, to the bit.

${latencyTable(late)}

## How an update grows

Processor time of an update of \`gridworld-small\`, one arm, one seed, where one size is varied.

${grown}

${KEPT}${kept ?? '\n'}`;
  writeFileSync(PAGE, text);
  // Columns of tables are made even, as `npm run check` wants them.
  execFileSync('npx', ['biome', 'format', '--write', PAGE], { stdio: 'ignore' });
}
