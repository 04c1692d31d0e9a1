/**
 * Times of whole updates of an experiment and of their parts. The rollout is the beginning of an update, up to the first
 * write of the training batch.
 */
import type { Experiment } from '../../experiment/experiment';
import { Trainer } from '../population/trainer';
import type { Training } from '../population/training';
import { countRequests, countsBy } from './counts';
import { Meter } from './meter';
import type { OpenBackend } from './open';
import type { Counts, PhaseTime, UpdatePhase, UpdateReport } from './report';

export interface BenchedUpdate {
  readonly experiment: Experiment;
  /** Updates measured, after one to warm up. */
  readonly updates: number;
}

const PARTS: readonly UpdatePhase[] = [
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

const ROLLOUT: readonly UpdatePhase[] = ['decode', 'readback', 'environment'];

type Measured = Pick<UpdateReport, 'seconds' | 'parts'>;

export async function benchUpdates(
  { backend, timer }: OpenBackend,
  subject: 'train' | 'rollout',
  { experiment, updates }: BenchedUpdate,
  say: (text: string) => void,
): Promise<UpdateReport> {
  const meter = new Meter(backend, timer);
  // Diagnostics off: they cost an extra backward pass every few updates.
  const { backend: counting, take } = countRequests(meter);
  const trainer = new Trainer(counting, { ...experiment, diagnosticsEvery: 0 });
  say('compiling');
  await trainer.prepare();
  const measured: Measured[] = [];
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
    const asks = take();
    await meter.settle();
    if (update < 0) continue;
    counts.push(asks);
    tokens += result.tokens / updates;
    measured.push(
      subject === 'rollout'
        ? { seconds: rollout, parts: partTimes(meter.seconds, rollout, ROLLOUT) }
        : { seconds: wall, parts: partTimes(meter.seconds, wall, PARTS) },
    );
  }
  const { seconds, parts } = medianOf(measured);
  return {
    subject,
    experiment: experiment.preset,
    members: trainer.members.length,
    seconds,
    tokens,
    tokensPerSecond: tokens / seconds,
    timing: meter.timing,
    counts: countsBy((asked) => median(counts.map((one) => one[asked]))),
    parts,
  };
}

/**
 * Times of the parts, with their shares of the sum. The rest is what no part was charged with, so that all of them together are
 * the whole; they are more where parts were timed alone, which on a device that works on several at once takes longer.
 */
function partTimes(times: ReadonlyMap<UpdatePhase, number>, whole: number, parts: readonly UpdatePhase[]): PhaseTime[] {
  const charged = parts.reduce((total, part) => total + (times.get(part) ?? 0), 0);
  const rest = parts.includes('rest') ? Math.max(0, whole - charged) : 0;
  const seconds = (part: UpdatePhase): number => (times.get(part) ?? 0) + (part === 'rest' ? rest : 0);
  return parts.map((part) => ({ part, seconds: seconds(part), share: seconds(part) / (charged + rest) || 0 }));
}

/** Updates until the time is over, seconds, but one at least and `most` at most, after one to warm up. `take`: counts of one. */
export async function timeUpdates<T>(
  training: Training,
  { seconds, most = 10 }: { readonly seconds: number; readonly most?: number },
  take?: () => T,
): Promise<{ updates: number; seconds: number; tokens: number; counts?: T }> {
  const times: number[] = [];
  let tokens = 0;
  let counts: T | undefined;
  const begun = performance.now();
  for (let update = -1; update < 1 || (update < most && performance.now() - begun < 1000 * seconds); update++) {
    take?.();
    const start = performance.now();
    const result = await training.runUpdate();
    await result.metrics;
    if (update < 0) continue;
    times.push((performance.now() - start) / 1000);
    tokens += result.tokens;
    counts = take?.();
  }
  const outcome = { updates: times.length, seconds: median(times), tokens: tokens / times.length };
  return counts === undefined ? outcome : { ...outcome, counts };
}

export const median = (numbers: readonly number[]): number => medianOf(numbers.map((seconds) => ({ seconds }))).seconds;

/** Measurement whose time is the median. */
function medianOf<T extends { readonly seconds: number }>(measured: readonly T[]): T {
  const sorted = [...measured].sort((a, b) => a.seconds - b.seconds);
  return sorted[Math.floor(sorted.length / 2)] as T;
}
