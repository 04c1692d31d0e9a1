/**
 * What charts and tables draw: each metric's mean over the seeds and its 95% interval, computed once an update and kept,
 * then thinned to as many points as a chart can show. A thinned point is the mean over its updates, and its band holds
 * every interval among them, so that thinning never makes a curve look surer than it is.
 */
import type { Experiment } from '../experiment/experiment';
import { summarise } from '../experiment/statistics';
import type { MetricName } from '../rl/metrics';
import type { MetricHistory } from './history';
import type { ProgressAxis } from './preferences';
import { Progress } from './progress';
import { nextTask, SLICE } from './slices';

/** One point of every arm's curve; undefined is null. */
export interface CurvePoint {
  readonly update: number;
  /** Where each arm's point stands on the axis; null where that is not known. */
  readonly at: readonly (number | null)[];
  readonly mean: readonly (number | null)[];
  readonly band: readonly (readonly [low: number, high: number] | null)[];
}

export interface ThinnedCurves {
  readonly points: CurvePoint[];
  /** Updates that a point stands for. */
  readonly every: number;
  /** Otherwise `advance` has not come to the end: there are further updates. */
  readonly complete: boolean;
}

/** What a chart draws from. */
export interface CurveSource {
  /** At most `limit` points of what has been computed so far. */
  points(metric: MetricName, limit: number, axis: ProgressAxis): ThinnedCurves;
  /** Computes until that time of `performance.now()`; true when nothing is left to do. */
  advance(metric: MetricName, until: number): boolean;
}

const FIELDS = 3;

export class Curves implements CurveSource {
  readonly history: MetricHistory;
  readonly progress: Progress;
  /** For each metric [updates, arms, (mean, low, high)]. */
  readonly #kept = new Map<MetricName, Float64Array>();
  readonly #known = new Map<MetricName, number>();

  constructor(history: MetricHistory, experiment: Pick<Experiment, 'batch'>) {
    this.history = history;
    this.progress = new Progress(history, experiment);
  }

  points(metric: MetricName, limit: number, axis: ProgressAxis = 'updates'): ThinnedCurves {
    const kept = this.#kept.get(metric) ?? new Float64Array(0);
    const arms = Array.from({ length: this.history.arms }, (_, arm) => arm);
    const count = this.#known.get(metric) ?? 0;
    const every = Math.max(1, Math.ceil(count / limit));
    const points: CurvePoint[] = [];
    for (let first = 0; first < count; first += every) {
      const last = Math.min(count, first + every);
      const update = every === 1 ? first : last - 1;
      const summaries = arms.map((arm) => thin(kept, arms.length, arm, first, last));
      points.push({
        update,
        at: arms.map((arm) => this.progress.at(axis, update, arm)),
        mean: summaries.map((summary) => summary?.mean ?? null),
        band: summaries.map((summary) => summary?.band ?? null),
      });
    }
    return { points, every, complete: count === this.history.count };
  }

  advance(metric: MetricName, until = Number.POSITIVE_INFINITY): boolean {
    const { count, arms } = this.history;
    const known = this.#known.get(metric) ?? 0;
    let kept = this.#kept.get(metric) ?? new Float64Array(256 * arms * FIELDS);
    if (count * arms * FIELDS > kept.length) {
      const grown = new Float64Array(Math.max(2 * kept.length, count * arms * FIELDS));
      grown.set(kept);
      kept = grown;
    }
    let update = known;
    for (; update < count && performance.now() < until; update++) {
      for (let arm = 0; arm < arms; arm++) {
        const { mean, interval } = summarise(this.history.ofSeeds(update, arm, metric));
        const at = (update * arms + arm) * FIELDS;
        kept[at] = mean ?? Number.NaN;
        kept[at + 1] = interval?.[0] ?? Number.NaN;
        kept[at + 2] = interval?.[1] ?? Number.NaN;
      }
    }
    this.#kept.set(metric, kept);
    this.#known.set(metric, update);
    return update === count;
  }
}

/** All points, computed to the end in short tasks. */
export async function completed(
  curves: CurveSource,
  metric: MetricName,
  limit: number,
  axis: ProgressAxis = 'updates',
): Promise<ThinnedCurves> {
  while (!curves.advance(metric, performance.now() + SLICE)) await nextTask();
  return curves.points(metric, limit, axis);
}

/** Means alone, at most `limit` points: what needs no bands need not wait for them. */
export function meanPoints(history: MetricHistory, metric: MetricName, limit: number): CurvePoint[] {
  const { count, arms } = history;
  const every = Math.max(1, Math.ceil(count / limit));
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => {
    const last = Math.min(count, (index + 1) * every);
    const update = every === 1 ? index : last - 1;
    const mean = Array.from({ length: arms }, (_, arm) => meanOver(history, arm, metric, index * every, last));
    return { update, at: mean.map(() => update), mean, band: mean.map(() => null) };
  });
}

/** Of the updates' means over seeds, leaving out what was not measured. */
function meanOver(history: MetricHistory, arm: number, metric: MetricName, first: number, end: number): number | null {
  let sum = 0;
  let measured = 0;
  for (let update = first; update < end; update++) {
    const seeds = history.ofSeeds(update, arm, metric).filter(Number.isFinite);
    if (seeds.length === 0) continue;
    sum += seeds.reduce((total, value) => total + value, 0) / seeds.length;
    measured += 1;
  }
  return measured === 0 ? null : sum / measured;
}

function thin(kept: Float64Array, arms: number, arm: number, first: number, last: number) {
  let sum = 0;
  let measured = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let update = first; update < last; update++) {
    const at = (update * arms + arm) * FIELDS;
    const mean = kept[at] as number;
    if (Number.isNaN(mean)) continue;
    sum += mean;
    measured += 1;
    if (!Number.isNaN(kept[at + 1] as number)) low = Math.min(low, kept[at + 1] as number);
    if (!Number.isNaN(kept[at + 2] as number)) high = Math.max(high, kept[at + 2] as number);
  }
  if (measured === 0) return null;
  return { mean: sum / measured, band: low <= high ? ([low, high] as const) : null };
}
