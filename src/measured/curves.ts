/**
 * Curves of the charts. A point is the mean over its updates, first for each seed and then over the seeds, with a band
 * that shows how far the seeds lie apart. There are no more points than a chart can show, and each is computed once.
 */

import { meanOf, summarise } from '../experiment/conclude/statistics';
import type { Experiment } from '../experiment/experiment';
import { nextTask, SLICE } from '../foundation/slices';
import type { MetricName } from '../rl/measure/metrics';
import type { MetricHistory } from './history';
import { Progress, type ProgressAxis } from './progress';

/** One point of every arm's curve; undefined is null. */
export interface CurvePoint {
  /** Last update of the point. */
  readonly update: number;
  /** Place of each arm's point on the axis; null if not known. */
  readonly at: readonly (number | null)[];
  readonly mean: readonly (number | null)[];
  readonly band: readonly (readonly [low: number, high: number] | null)[];
}

export interface CurveShape {
  /** Largest number of points. */
  readonly limit: number;
  /** First and last update on screen; all by default. Outside of them there is one point at either side. */
  readonly seen?: readonly [first: number, last: number];
  readonly axis?: ProgressAxis;
  /** Number of last updates that a point is the mean of, by default 1; at least the distance between points. */
  readonly window?: number;
}

export interface ThinnedCurves {
  readonly points: CurvePoint[];
  /** Updates that a point is the mean of. */
  readonly width: number;
  /** False while `advance` has further updates to compute. */
  readonly complete: boolean;
}

/** Source of a chart's curves. */
export interface CurveSource {
  /** Points computed so far. */
  points(metric: MetricName, shape: CurveShape): ThinnedCurves;
  /** Computes until that time of `performance.now()`; true if nothing is left to do. */
  advance(metric: MetricName, shape: CurveShape, until: number): boolean;
}

/** Another run's curves, drawn faintly behind the charts. */
export interface Ghost {
  readonly label: string;
  readonly arms: readonly { readonly id: string; readonly name: string }[];
  readonly curves: CurveSource;
}

/**
 * Smallest number of seeds whose band is the 95% interval of their mean; with fewer it goes from the lowest seed to the
 * highest.
 */
const INTERVAL_FROM = 4;

const FIELDS = 3;
/** Shapes kept beside the one in use: points of a longer run, or of a saved file, have other distances. */
const SHAPES = 3;

/** Points of one metric in one shape, computed in order. */
interface Computed {
  /** Updates from one point to the next. */
  readonly every: number;
  /** Updates that a point is the mean of. */
  readonly width: number;
  /** Values [points, arms, (mean, low, high)]. */
  values: Float64Array;
  /** Number of points whose updates are all measured. */
  known: number;
  /** The point after those, [arms, (mean, low, high)], at `count` measured updates. */
  newest: { readonly count: number; readonly summaries: Float64Array } | null;
}

export class Curves implements CurveSource {
  readonly history: MetricHistory;
  readonly progress: Progress;
  /** Shapes by metric and window, the newest first. */
  readonly #computed = new Map<string, readonly Computed[]>();

  constructor(history: MetricHistory, experiment: Pick<Experiment, 'batch'>) {
    this.history = history;
    this.progress = new Progress(history, experiment);
  }

  points(metric: MetricName, shape: CurveShape): ThinnedCurves {
    const [asked, others] = this.#computedOf(metric, shape);
    const complete = this.#isComplete(asked);
    // Until the shape asked for is complete, the one that reaches furthest is drawn.
    const furthest = complete ? asked : [asked, ...others].reduce((a, b) => (reachOf(b) > reachOf(a) ? b : a));
    const { every, width, values, known, newest } = furthest;
    const { arms } = this.history;
    const [first, last] = shape.seen ?? [0, this.history.count];
    const from = Math.max(0, Math.floor(first / every) - 1);
    const to = Math.min(known, Math.ceil(last / every) + 1);
    const points = Array.from({ length: Math.max(0, to - from) }, (_, index) =>
      this.#pointOf((from + index + 1) * every - 1, shape, values.subarray((from + index) * arms * FIELDS)),
    );
    if (newest !== null && newest.count > known * every && to === known) {
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

  /** Updates from one point to the next. Those of parts of a run are powers of two, so that few shapes serve all parts. */
  #distance({ limit, seen }: CurveShape): number {
    const { count } = this.history;
    const whole = Math.max(1, Math.ceil(count / limit));
    if (seen === undefined) return whole;
    const updates = Math.max(1, Math.min(count, seen[1]) - seen[0]);
    return Math.min(whole, 2 ** Math.ceil(Math.log2(Math.max(1, updates / limit))));
  }

  #isComplete({ every, known, newest }: Computed): boolean {
    const { count } = this.history;
    return known * every === count || (known === Math.floor(count / every) && newest?.count === count);
  }

  /** Points computed of a shape, and of other shapes with the same window. */
  #computedOf(metric: MetricName, shape: CurveShape): [asked: Computed, others: readonly Computed[]] {
    const { window = 1 } = shape;
    const key = `${metric} ${window}`;
    const every = this.#distance(shape);
    const all = this.#computed.get(key) ?? [];
    const others = all.filter((computed) => computed.every !== every).slice(0, SHAPES);
    const known = all.find((computed) => computed.every === every);
    if (known !== undefined) return [known, others];
    const fresh = { every, width: Math.max(every, window), values: new Float64Array(0), known: 0, newest: null };
    this.#computed.set(key, [fresh, ...others]);
    return [fresh, others];
  }

  /** Summaries of the `width` updates before `end`, [arms, (mean, low, high)]; NaN where undefined. */
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
 * Mean and band of one point, from the numbers of its seeds. With two or three seeds the band is their range: Student's interval of
 * two seeds is 12.7 standard errors to either side, and would fill the chart.
 */
export function summaryOf(seeds: readonly number[]): { mean: number | null; band: readonly (number | null)[] } {
  const { mean, interval, seeds: measured } = summarise(seeds);
  const isFew = measured > 1 && measured < INTERVAL_FROM;
  const defined = seeds.filter(Number.isFinite);
  return { mean, band: isFew ? [Math.min(...defined), Math.max(...defined)] : (interval ?? [null, null]) };
}

/** Number of updates that the points cover. */
const reachOf = ({ every, known, newest }: Computed): number => Math.max(known * every, newest?.count ?? 0);

function withRoom(values: Float64Array, length: number): Float64Array {
  if (length <= values.length) return values;
  const grown = new Float64Array(Math.max(length, 2 * values.length));
  grown.set(values);
  return grown;
}

/** Meaning of the bands, for readers; empty for one seed, which has no band. */
export function bandInWords(seeds: number): string {
  if (seeds < 2) return 'One seed, so no bands.';
  return seeds < INTERVAL_FROM
    ? `Bands: lowest to highest of ${seeds} seeds.`
    : `Bands: 95% intervals, ${seeds} seeds.`;
}

/** All points of a shape, computed in short tasks. */
export async function completed(curves: CurveSource, metric: MetricName, shape: CurveShape): Promise<ThinnedCurves> {
  while (!curves.advance(metric, shape, performance.now() + SLICE)) await nextTask();
  return curves.points(metric, shape);
}

/** Means without bands, at most `limit` points: cheaper than curves with bands. */
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
