/**
 * What charts draw. A point is the mean over its updates, seed by seed and then over the seeds, with a band that says how
 * far the seeds lie apart; no more points than a chart can show, and each computed once.
 */
import type { Experiment } from '../experiment/experiment';
import { meanOf, summarise } from '../experiment/statistics';
import type { MetricName } from '../rl/metrics';
import type { MetricHistory } from './history';
import type { ProgressAxis } from './preferences';
import { Progress } from './progress';
import { nextTask, SLICE } from './slices';

/** One point of every arm's curve; undefined is null. */
export interface CurvePoint {
  /** The last of its updates. */
  readonly update: number;
  /** Where each arm's point stands on the axis; null where that is not known. */
  readonly at: readonly (number | null)[];
  readonly mean: readonly (number | null)[];
  readonly band: readonly (readonly [low: number, high: number] | null)[];
}

export interface CurveShape {
  /** Points at most. */
  readonly limit: number;
  readonly axis?: ProgressAxis;
  /** Updates up to it that a point is the mean of; more where there are fewer points than updates. 1 unless told. */
  readonly window?: number;
}

export interface ThinnedCurves {
  readonly points: CurvePoint[];
  /** Updates that a point is the mean of. */
  readonly width: number;
  /** Otherwise `advance` has not come to the end: there are further updates. */
  readonly complete: boolean;
}

/** What a chart draws from. */
export interface CurveSource {
  /** What has been computed so far. */
  points(metric: MetricName, shape: CurveShape): ThinnedCurves;
  /** Computes until that time of `performance.now()`; true when nothing is left to do. */
  advance(metric: MetricName, shape: CurveShape, until: number): boolean;
}

/** From so many seeds on a band is the 95% interval of their mean; below, it goes from the lowest seed to the highest. */
const INTERVAL_FROM = 4;

const FIELDS = 3;
/** Kept besides the one in use: points stand further apart as a run grows, in files, and while it runs. */
const SHAPES = 3;

/** Points of one metric in one shape, computed in order. */
interface Computed {
  /** Updates from one point to the next. */
  readonly every: number;
  /** Updates that a point is the mean of. */
  readonly width: number;
  /** [points, arms, (mean, low, high)]. */
  values: Float64Array;
  /** Points all of whose updates had been measured. */
  known: number;
  /** The point after those, [arms, (mean, low, high)], once so many updates have been measured. */
  newest: { readonly count: number; readonly summaries: Float64Array } | null;
}

export class Curves implements CurveSource {
  readonly history: MetricHistory;
  readonly progress: Progress;
  /** By metric and window: the newest first. */
  readonly #computed = new Map<string, readonly Computed[]>();

  constructor(history: MetricHistory, experiment: Pick<Experiment, 'batch'>) {
    this.history = history;
    this.progress = new Progress(history, experiment);
  }

  points(metric: MetricName, shape: CurveShape): ThinnedCurves {
    const [asked, others] = this.#computedOf(metric, shape);
    const complete = this.#isComplete(asked);
    // Until points stand where they were asked for, those that were drawn before.
    const furthest = complete ? asked : [asked, ...others].reduce((a, b) => (reachOf(b) > reachOf(a) ? b : a));
    const { every, width, values, known, newest } = furthest;
    const { arms } = this.history;
    const points = Array.from({ length: known }, (_, point) =>
      this.#pointOf((point + 1) * every - 1, shape, values.subarray(point * arms * FIELDS)),
    );
    if (newest !== null && newest.count > known * every) {
      points.push(this.#pointOf(newest.count - 1, shape, newest.summaries));
    }
    return { points, width, complete };
  }

  advance(metric: MetricName, shape: CurveShape, until = Number.POSITIVE_INFINITY): boolean {
    const [computed] = this.#computedOf(metric, shape);
    const { every, width } = computed;
    const { count, arms } = this.history;
    while ((computed.known + 1) * every <= count && performance.now() < until) {
      computed.values = withRoom(computed.values, (computed.known + 1) * arms * FIELDS);
      const summaries = this.#summariesOf(metric, (computed.known + 1) * every, width);
      computed.values.set(summaries, computed.known * arms * FIELDS);
      computed.known += 1;
    }
    const isPartial = computed.known === Math.floor(count / every) && computed.known * every < count;
    if (isPartial && computed.newest?.count !== count && performance.now() < until) {
      computed.newest = { count, summaries: this.#summariesOf(metric, count, width) };
    }
    return this.#isComplete(computed);
  }

  #isComplete({ every, known, newest }: Computed): boolean {
    const { count } = this.history;
    return known * every === count || (known === Math.floor(count / every) && newest?.count === count);
  }

  /** What has been computed of a shape, and of others of the same window. */
  #computedOf(metric: MetricName, { limit, window = 1 }: CurveShape): [asked: Computed, others: readonly Computed[]] {
    const key = `${metric} ${window}`;
    const every = Math.max(1, Math.ceil(this.history.count / limit));
    const all = this.#computed.get(key) ?? [];
    const others = all.filter((computed) => computed.every !== every).slice(0, SHAPES);
    const known = all.find((computed) => computed.every === every);
    if (known !== undefined) return [known, others];
    const fresh = { every, width: Math.max(every, window), values: new Float64Array(0), known: 0, newest: null };
    this.#computed.set(key, [fresh, ...others]);
    return [fresh, others];
  }

  /** Of the updates before `end`: [arms, (mean, low, high)], NaN where undefined. */
  #summariesOf(metric: MetricName, end: number, width: number): Float64Array {
    const { arms } = this.history;
    const summaries = new Float64Array(arms * FIELDS);
    for (let arm = 0; arm < arms; arm++) {
      const { mean, band } = summaryOf(this.history.meanOfSeeds(arm, metric, end - width, end));
      summaries.set(
        [mean, ...band].map((value) => value ?? Number.NaN),
        arm * FIELDS,
      );
    }
    return summaries;
  }

  #pointOf(update: number, { axis = 'updates' }: CurveShape, summaries: Float64Array): CurvePoint {
    const arms = Array.from({ length: this.history.arms }, (_, arm) => arm);
    const defined = (arm: number, field: number): number | null => {
      const value = summaries[arm * FIELDS + field] as number;
      return Number.isNaN(value) ? null : value;
    };
    return {
      update,
      at: arms.map((arm) => this.progress.at(axis, update, arm)),
      mean: arms.map((arm) => defined(arm, 0)),
      band: arms.map((arm) => {
        const [low, high] = [defined(arm, 1), defined(arm, 2)];
        return low === null || high === null ? null : ([low, high] as const);
      }),
    };
  }
}

/**
 * Two or three seeds show how far they lie apart, which is all that they say: Student's interval of two is 12.7 standard
 * errors to either side, and fills the chart whatever was measured.
 */
function summaryOf(seeds: readonly number[]): { mean: number | null; band: readonly (number | null)[] } {
  const { mean, interval, seeds: measured } = summarise(seeds);
  const isFew = measured > 1 && measured < INTERVAL_FROM;
  const defined = seeds.filter(Number.isFinite);
  return { mean, band: isFew ? [Math.min(...defined), Math.max(...defined)] : (interval ?? [null, null]) };
}

/** Updates that the points tell of. */
const reachOf = ({ every, known, newest }: Computed): number => Math.max(known * every, newest?.count ?? 0);

function withRoom(values: Float64Array, length: number): Float64Array {
  if (length <= values.length) return values;
  const grown = new Float64Array(Math.max(length, 2 * values.length));
  grown.set(values);
  return grown;
}

/** What the bands of so many seeds are; one has none. */
export function bandInWords(seeds: number): string {
  if (seeds < 2) return '';
  return seeds < INTERVAL_FROM
    ? `Bands: lowest to highest of ${seeds} seeds.`
    : `Bands: 95% intervals, ${seeds} seeds.`;
}

/** All points, computed to the end in short tasks. */
export async function completed(curves: CurveSource, metric: MetricName, shape: CurveShape): Promise<ThinnedCurves> {
  while (!curves.advance(metric, shape, performance.now() + SLICE)) await nextTask();
  return curves.points(metric, shape);
}

/** Means alone, at most `limit` points: what needs no bands need not wait for them. */
export function meanPoints(history: MetricHistory, metric: MetricName, limit: number): CurvePoint[] {
  const { count, arms } = history;
  const every = Math.max(1, Math.ceil(count / limit));
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => {
    const last = Math.min(count, (index + 1) * every);
    const update = last - 1;
    const mean = Array.from({ length: arms }, (_, arm) =>
      meanOf(history.meanOfSeeds(arm, metric, index * every, last)),
    );
    return { update, at: mean.map(() => update), mean, band: mean.map(() => null) };
  });
}
