/**
 * Statistics of a few seeds: means with 95% intervals, differences of arms, and summaries of a curve. Below 8 seeds the
 * interval is Student's t; from 8 seeds on it is the percentile bootstrap over seeds (or over pairs), drawn from a fixed
 * stream: the same curves always give the same band. One seed has no interval. Undefined numbers (NaN, null, missing) are
 * left out, never counted as 0.
 */
import { RandomStream, STREAM } from '../../foundation/philox';

/** One number per update; undefined is NaN or null. */
export type SeedCurve = ArrayLike<number | null>;

export interface Estimate {
  /** Seeds that have a value. */
  readonly seeds: number;
  /** Mean over the seeds; null if none has a value. */
  readonly mean: number | null;
  /** 95% interval; null if there are not enough seeds for one. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly method: 'none' | 'student' | 'bootstrap';
}

/** Two-sided 95% quantiles of Student's t for 1 to 31 degrees of freedom: an experiment has at most 32 seeds. */
const STUDENT = [
  12.706204736, 4.30265273, 3.182446305, 2.776445105, 2.570581836, 2.446911851, 2.364624252, 2.306004135, 2.262157163,
  2.228138852, 2.20098516, 2.17881283, 2.160368656, 2.144786688, 2.131449546, 2.119905299, 2.109815578, 2.10092204,
  2.093024054, 2.085963447, 2.079613845, 2.073873068, 2.06865761, 2.063898562, 2.059538553, 2.055529439, 2.051830516,
  2.048407142, 2.045229642, 2.042272456, 2.039513446,
];
/** Smallest number of seeds for the bootstrap: with fewer its intervals are too narrow. */
export const BOOTSTRAP_FROM = 8;
export const RESAMPLES = 2000;
/** Tolerance of comparisons: in floating point ten times 0.8 does not add up to 8. */
const ROUNDING = 1e-9;

/**
 * Two-sided 95% quantile of Student's t for any degrees of freedom, linear in 1/df between those listed. It is never
 * below the true quantile, and above it by at most 19% between 1 and 2, and by at most 2% from 2 to 31. Beyond 31 it
 * stays at 2.04 (limit: 1.96).
 */
export function studentQuantile(freedom: number): number {
  const at = Math.min(Math.max(freedom, 1), STUDENT.length);
  const [below, above] = [Math.floor(at), Math.ceil(at)];
  const [low, high] = [STUDENT[below - 1] as number, STUDENT[above - 1] as number];
  if (below === above) return low;
  return low + ((high - low) * (1 / below - 1 / at)) / (1 / below - 1 / above);
}

function isDefined(value: number | null | undefined): value is number {
  return value !== null && value !== undefined && Number.isFinite(value);
}

function definedValues(values: SeedCurve): number[] {
  return Array.from(values).filter(isDefined);
}

/** Mean of the defined values; null if there is none. */
export function meanOf(values: SeedCurve): number | null {
  const defined = definedValues(values);
  return defined.length === 0 ? null : defined.reduce((sum, value) => sum + value, 0) / defined.length;
}

/** Mean and interval of one number per seed. */
export function summarise(values: SeedCurve): Estimate {
  const defined = definedValues(values);
  const seeds = defined.length;
  const mean = meanOf(defined);
  if (mean === null || seeds < 2) return { seeds, mean, interval: null, method: 'none' };
  if (seeds >= BOOTSTRAP_FROM) return { seeds, mean, interval: bootstrapInterval(defined), method: 'bootstrap' };
  const half = (STUDENT[seeds - 2] as number) * Math.sqrt(varianceOf(defined, mean) / seeds);
  return { seeds, mean, interval: [mean - half, mean + half], method: 'student' };
}

/** Unbiased variance of at least two values. */
function varianceOf(values: readonly number[], mean: number): number {
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/**
 * 95% prediction interval of the mean of `further` seeds, from the n seeds given (normal theory):
 * mean ± t(n − 1) · s · √(1/n + 1/further). null for fewer than two seeds.
 */
export function predictionInterval(values: SeedCurve, further: number): readonly [low: number, high: number] | null {
  const defined = definedValues(values);
  const mean = meanOf(defined);
  const student = STUDENT[defined.length - 2];
  if (mean === null || student === undefined || further < 1) return null;
  const half = student * Math.sqrt(varianceOf(defined, mean) * (1 / defined.length + 1 / further));
  return [mean - half, mean + half];
}

/** Smallest number of seeds whose interval is told, and of those whose equal values are believed. */
const [TOLD_FROM, ALIKE_FROM] = [3, 4];

/**
 * Interval of an estimate where it says something. null without one; for two seeds, whose quantile of 12.7 lets it reach nearly
 * everywhere; and for three with the same value: that is chance, and an interval of width 0 says nothing.
 */
export function tellingInterval({ seeds, interval }: Estimate): Estimate['interval'] {
  if (interval === null || seeds >= ALIKE_FROM) return interval;
  const [low, high] = interval;
  const areAlike = high - low <= ROUNDING * Math.max(Math.abs(low), Math.abs(high));
  return seeds < TOLD_FROM || areAlike ? null : interval;
}

/** An interval's part that lies where its number can be: normal theory knows nothing of 0% and 100%. */
export function cutTo(
  [low, high]: readonly [number, number],
  [least, most]: readonly [number, number],
): readonly [low: number, high: number] {
  return [Math.min(Math.max(low, least), most), Math.min(Math.max(high, least), most)];
}

/** Mean and interval of second − first over the seeds both have: entry i of each is the same seed. */
export function pairedDifference(first: SeedCurve, second: SeedCurve): Estimate {
  const pairs = Array.from({ length: Math.min(first.length, second.length) }, (_, seed) => {
    const from = first[seed];
    const to = second[seed];
    return isDefined(from) && isDefined(to) ? to - from : null;
  });
  return summarise(pairs);
}

/**
 * Mean and interval of second − first for unrelated seeds: Welch's t (Biometrika 34, 1947), and from 8 seeds in both the
 * bootstrap, each arm resampled independently. `seeds` counts the smaller arm.
 */
export function unpairedDifference(first: SeedCurve, second: SeedCurve): Estimate {
  const [from, to] = [definedValues(first), definedValues(second)];
  const seeds = Math.min(from.length, to.length);
  const [before, after] = [meanOf(from), meanOf(to)];
  if (before === null || after === null) return { seeds, mean: null, interval: null, method: 'none' };
  const mean = after - before;
  if (seeds < 2) return { seeds, mean, interval: null, method: 'none' };
  if (seeds >= BOOTSTRAP_FROM) {
    const [lows, highs] = [resampledMeans(from, 0), resampledMeans(to, 1)];
    const differences = highs.map((value, resample) => value - (lows[resample] as number));
    return { seeds, mean, interval: [quantile(differences, 0.025), quantile(differences, 0.975)], method: 'bootstrap' };
  }
  const [a, b] = [varianceOf(from, before) / from.length, varianceOf(to, after) / to.length];
  const freedom = (a + b) ** 2 / (a ** 2 / (from.length - 1) + b ** 2 / (to.length - 1));
  // Without variance in either, the difference is exact.
  const half = a + b === 0 ? 0 : studentQuantile(freedom) * Math.sqrt(a + b);
  return { seeds, mean, interval: [mean - half, mean + half], method: 'student' };
}

/** Seeds of each resample, [RESAMPLES, seeds], by number of seeds and stratum: drawn once, the same for every update. */
const resamplesBySeeds = new Map<string, Uint16Array>();

/** Indices of seeds, [RESAMPLES, seeds]; strata are drawn independently. */
export function resamples(seeds: number, stratum = 0): Uint16Array {
  const key = `${seeds} ${stratum}`;
  let drawn = resamplesBySeeds.get(key);
  if (drawn === undefined) {
    const random = new RandomStream(0, STREAM.statistics, seeds, stratum, 0);
    drawn = Uint16Array.from({ length: RESAMPLES * seeds }, () => random.below(seeds));
    resamplesBySeeds.set(key, drawn);
  }
  return drawn;
}

function bootstrapInterval(values: readonly number[]): [low: number, high: number] {
  const means = resampledMeans(values);
  return [quantile(means, 0.025), quantile(means, 0.975)];
}

function resampledMeans(values: readonly number[], stratum = 0): Float64Array {
  const seeds = values.length;
  const drawn = resamples(seeds, stratum);
  const means = new Float64Array(RESAMPLES);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    let sum = 0;
    for (let i = 0; i < seeds; i++) sum += values[drawn[resample * seeds + i] as number] as number;
    means[resample] = sum / seeds;
  }
  return means;
}

/** Quantile, linear between order statistics. Reorders the values; a full sort would take five times as long. */
export function quantile(values: Float64Array, probability: number): number {
  const position = (values.length - 1) * probability;
  const rank = Math.floor(position);
  select(values, rank);
  const below = values[rank] as number;
  if (position === rank) return below;
  let above = Number.POSITIVE_INFINITY;
  for (let i = rank + 1; i < values.length; i++) above = Math.min(above, values[i] as number);
  return below + (above - below) * (position - rank);
}

/** Hoare's selection: puts the value of this rank in its place, no greater value before it and no smaller one after. */
function select(values: Float64Array, rank: number): void {
  let [first, last] = [0, values.length - 1];
  while (first < last) {
    const pivot = values[rank] as number;
    let [i, j] = [first, last];
    while (i <= j) {
      while ((values[i] as number) < pivot) i++;
      while (pivot < (values[j] as number)) j--;
      if (i > j) break;
      const swapped = values[i] as number;
      values[i++] = values[j] as number;
      values[j--] = swapped;
    }
    if (j < rank) first = i;
    if (rank < i) last = j;
  }
}

/** Mean over all updates. */
export function areaUnderCurve(curve: SeedCurve): number | null {
  return meanOf(curve);
}

/** First defined value; null if there is none. */
export const firstOf = (curve: SeedCurve): number | null => definedValues(curve)[0] ?? null;

/** Number of last updates that make a run's final value. */
export const FINAL_UPDATES = 20;

/** Updates that the final value of a run of so many is of. */
export const finalUpdatesWords = (updates: number): string =>
  updates <= FINAL_UPDATES ? 'all updates' : `last ${FINAL_UPDATES} updates`;

/** Mean over the last updates, or over all if there are fewer. */
export function final(curve: SeedCurve, last = FINAL_UPDATES): number | null {
  return meanOf(Array.from(curve).slice(-last));
}

/**
 * The first update (counted from 0) at which the mean of it and the nine before it reaches a level; null if none does.
 * A window with an undefined value is passed over.
 */
export function updatesTo(curve: SeedCurve, level: number, window = 10): number | null {
  for (let update = window - 1; update < curve.length; update++) {
    const values = Array.from({ length: window }, (_, back) => curve[update - back]);
    const defined = values.filter(isDefined);
    if (defined.length === window && (meanOf(defined) as number) >= level - ROUNDING) return update;
  }
  return null;
}

/** 97.5% quantile of the standard normal distribution. */
const NORMAL = 1.959963985;

/** Wilson's 95% interval of a probability, from successes in independent trials (JASA 22, 1927). */
export function probabilityInterval(successes: number, trials: number): readonly [low: number, high: number] {
  const z = NORMAL ** 2 / trials;
  const share = successes / trials;
  const half = Math.sqrt(z * (share * (1 - share) + z / 4));
  return [(share + z / 2 - half) / (1 + z), (share + z / 2 + half) / (1 + z)];
}
