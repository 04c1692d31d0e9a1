/**
 * What charts draw. A point is the mean over its updates, seed by seed and then over the seeds, with a band that says how
 * far the seeds lie apart; no more points than a chart can show, and each computed once.
 */
import type { Experiment } from '../experiment/experiment';
import { summarise } from '../experiment/statistics';
import type { MetricName } from '../rl/metrics';
import type { MetricHistory } from './history';
import type { ProgressAxis } from './preferences';
import { Progress } from './progress';

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
  /** Otherwise `advance` has not come to the end. */
  readonly complete: boolean;
}

/** What a chart draws from. */
export interface CurveSource {
  /** What has been computed so far. */
  points(metric: MetricName, shape: CurveShape): ThinnedCurves;
  /** Computes for a few milliseconds; true when nothing is left to do. */
  advance(metric: MetricName, shape: CurveShape): boolean;
}

/** From so many seeds on a band is the 95% interval of their mean; below, it goes from the lowest seed to the highest. */
const INTERVAL_FROM = 4;

const FIELDS = 3;
/** Milliseconds one call may compute: bootstrapped bands of many seeds take their time, and the page must not wait. */
const BUDGET = 12;
/** Shapes of a metric's points kept at a time: a chart, its files and a report. */
const SHAPES = 4;

/** Points of one metric, computed in order. */
interface Computed {
  /** Updates from one point to the next. */
  readonly every: number;
  readonly width: number;
  /** [points, arms, (mean, low, high)]. */
  values: Float64Array;
  /** Points, all of whose updates had been measured. */
  known: number;
}

export class Curves implements CurveSource {
  readonly history: MetricHistory;
  readonly progress: Progress;
  readonly #computed = new Map<MetricName, Computed[]>();

  constructor(history: MetricHistory, experiment: Pick<Experiment, 'batch'>) {
    this.history = history;
    this.progress = new Progress(history, experiment);
  }

  points(metric: MetricName, shape: CurveShape): ThinnedCurves {
    const complete = this.advance(metric, shape);
    const computed = this.#computedOf(metric, shape);
    const { every, width, known } = computed;
    const { arms, count } = this.history;
    const points = Array.from({ length: known }, (_, point) => (point + 1) * every - 1).map((update, point) =>
      this.#pointOf(update, shape, computed.values.subarray(point * arms * FIELDS)),
    );
    // The newest one may have some of its updates still before it.
    if (complete && count > known * every) {
      points.push(this.#pointOf(count - 1, shape, this.#summariesOf(metric, count, width)));
    }
    return { points, width, complete };
  }

  advance(metric: MetricName, shape: CurveShape): boolean {
    const computed = this.#computedOf(metric, shape);
    const { every, width } = computed;
    const { count, arms } = this.history;
    const whole = Math.floor(count / every);
    const deadline = performance.now() + BUDGET;
    while (computed.known < whole && performance.now() < deadline) {
      computed.values = withRoom(computed.values, (computed.known + 1) * arms * FIELDS);
      const summaries = this.#summariesOf(metric, (computed.known + 1) * every, width);
      computed.values.set(summaries, computed.known * arms * FIELDS);
      computed.known += 1;
    }
    return computed.known === whole;
  }

  #computedOf(metric: MetricName, { limit, window = 1 }: CurveShape): Computed {
    const every = Math.max(1, Math.ceil(this.history.count / limit));
    const width = Math.max(every, window);
    const shapes = this.#computed.get(metric) ?? [];
    const known = shapes.find((shape) => shape.every === every && shape.width === width);
    if (known !== undefined) return known;
    const fresh: Computed = { every, width, values: new Float64Array(0), known: 0 };
    this.#computed.set(metric, [fresh, ...shapes].slice(0, SHAPES));
    return fresh;
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
  while (!curves.advance(metric, shape)) await new Promise((resolve) => setTimeout(resolve));
  return curves.points(metric, shape);
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
