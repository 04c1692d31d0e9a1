/**
 * What charts and tables draw: each metric's mean over the seeds and its 95% interval, computed once an update and kept,
 * then thinned to as many points as a chart can show. A thinned point is the mean over its updates, and its band holds
 * every interval among them, so that thinning never makes a curve look surer than it is.
 */
import { summarise } from '../experiment/statistics';
import type { MetricName } from '../rl/metrics';
import type { MetricHistory } from './history';

/** One row of a chart: [update, then for each arm the mean and the band]; undefined is null. */
export interface CurvePoint {
  readonly update: number;
  readonly mean: readonly (number | null)[];
  readonly band: readonly (readonly [low: number, high: number] | null)[];
}

/** What a chart draws from. */
export interface CurveSource {
  /** At most `limit` points; each stands for `every` updates. Incomplete: ask again, more has been computed then. */
  points(metric: MetricName, limit: number): { points: CurvePoint[]; every: number; complete: boolean };
}

const FIELDS = 3;
/** Milliseconds one call may compute: bootstrapped bands of many seeds take their time, and the page must not wait. */
const BUDGET = 12;

export class Curves implements CurveSource {
  readonly history: MetricHistory;
  /** For each metric [updates, arms, (mean, low, high)]. */
  readonly #kept = new Map<MetricName, Float64Array>();
  readonly #known = new Map<MetricName, number>();

  constructor(history: MetricHistory) {
    this.history = history;
  }

  points(metric: MetricName, limit: number): { points: CurvePoint[]; every: number; complete: boolean } {
    const kept = this.#summarised(metric);
    const { arms } = this.history;
    const count = this.#known.get(metric) ?? 0;
    const every = Math.max(1, Math.ceil(count / limit));
    const points: CurvePoint[] = [];
    for (let first = 0; first < count; first += every) {
      const last = Math.min(count, first + every);
      const summaries = Array.from({ length: arms }, (_, arm) => thin(kept, arms, arm, first, last));
      points.push({
        update: every === 1 ? first : last - 1,
        mean: summaries.map((summary) => summary?.mean ?? null),
        band: summaries.map((summary) => summary?.band ?? null),
      });
    }
    return { points, every, complete: count === this.history.count };
  }

  #summarised(metric: MetricName): Float64Array {
    const { count, arms } = this.history;
    const known = this.#known.get(metric) ?? 0;
    let kept = this.#kept.get(metric) ?? new Float64Array(256 * arms * FIELDS);
    if (count * arms * FIELDS > kept.length) {
      const grown = new Float64Array(Math.max(2 * kept.length, count * arms * FIELDS));
      grown.set(kept);
      kept = grown;
    }
    const deadline = performance.now() + BUDGET;
    let update = known;
    for (; update < count && performance.now() < deadline; update++) {
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
    return kept;
  }
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
