/**
 * Times of whole updates of an experiment and of their parts. The rollout is the beginning of an update, up to the first
 * write of the training batch.
 */
import type { Experiment } from '../../experiment/experiment';
import { Trainer } from '../population/trainer';
import { counted, countsBy } from './counts';
import { Meter } from './meter';
import type { OpenBackend } from './open';
import type { Counts, Part, PartTime, UpdateReport } from './report';

export interface UpdateOptions {
  readonly experiment: Experiment;
  /** Updates measured, after one to warm up. */
  readonly updates: number;
}

const PARTS: readonly Part[] = [
  'decode',
  'readback',
  'environment',
  'pack and upload',
  'forward',
  'log-prob and objective',
  'backward',
  'optimiser',
  'rest',
];

export async function benchUpdates(
  { backend, timer }: OpenBackend,
  subject: 'train' | 'rollout',
  { experiment, updates }: UpdateOptions,
  say: (text: string) => void,
): Promise<UpdateReport> {
  const meter = new Meter(backend, timer);
  // Diagnostics off: they cost an extra backward pass every few updates.
  const { backend: counting, take } = counted(meter);
  const trainer = new Trainer(counting, { ...experiment, diagnosticsEvery: 0 });
  say('compiling');
  await trainer.prepare();
  const totals = new Map<Part, number>();
  const times: number[] = [];
  const counts: Counts[] = [];
  let tokens = 0;
  for (let update = -1; update < updates; update++) {
    say(update < 0 ? 'warming up' : `update ${update + 1} of ${updates}`);
    meter.reset();
    take();
    const start = performance.now();
    const result = await trainer.runUpdate();
    await result.metrics;
    const wall = (performance.now() - start) / 1000;
    const rollout = meter.rollout;
    const asked = take();
    await meter.settle();
    if (update < 0) continue;
    counts.push(asked);
    times.push(subject === 'rollout' ? rollout : wall);
    tokens += result.tokens / updates;
    for (const part of PARTS) totals.set(part, (totals.get(part) ?? 0) + (meter.seconds.get(part) ?? 0) / updates);
  }
  const seconds = median(times);
  return {
    subject,
    experiment: experiment.preset,
    members: trainer.members.length,
    seconds,
    tokens,
    tokensPerSecond: tokens / seconds,
    timing: meter.timing,
    counts: countsBy((asked) => median(counts.map((one) => one[asked]))),
    parts: partTimes(totals, subject === 'rollout' ? ['decode', 'readback', 'environment'] : PARTS),
  };
}

/** Times of the parts, with their shares of the sum. */
function partTimes(totals: ReadonlyMap<Part, number>, parts: readonly Part[]): PartTime[] {
  const seconds = (part: Part): number => totals.get(part) ?? 0;
  const sum = parts.reduce((total, part) => total + seconds(part), 0);
  return parts.map((part) => ({ part, seconds: seconds(part), share: sum > 0 ? seconds(part) / sum : 0 }));
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
