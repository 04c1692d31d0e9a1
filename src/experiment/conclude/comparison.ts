/**
 * Arms against a baseline, over seeds: the aggregates of Agarwal et al., "Deep Reinforcement Learning at the Edge of the
 * Statistical Precipice" (arXiv 2108.13264), as their library rliable defines them, and differences from the
 * baseline. Each seed gives one number: NaN where nothing was measured, Infinity where a level was never reached.
 */
import {
  areaUnderCurve,
  BOOTSTRAP_FROM,
  type Estimate,
  FINAL_UPDATES,
  final,
  pairedDifference,
  quantile,
  RESAMPLES,
  resamples,
  type SeedCurve,
  summarise,
  tellingInterval,
  unpairedDifference,
  updatesTo,
} from './statistics';

type Interval = readonly [low: number, high: number];

/** Summaries of a curve, each one number. `level`, a share: the first update whose 10-update mean reaches it. */
export const SUMMARIES = {
  area: { label: 'mean over all updates (area)', level: null },
  final: { label: `mean over the last ${FINAL_UPDATES} updates`, level: null },
  to25: { label: 'updates to 25%', level: 0.25 },
  to50: { label: 'updates to 50%', level: 0.5 },
  to80: { label: 'updates to 80%', level: 0.8 },
} as const;

export type Summary = keyof typeof SUMMARIES;

/** A curve's summary over its first `updates` updates: NaN if undefined, Infinity if its level was never reached. */
export function summaryOf(curve: SeedCurve, summary: Summary, updates: number): number {
  const cut = Array.from(curve).slice(0, updates);
  const { level } = SUMMARIES[summary];
  if (level !== null) return cut.length === 0 ? Number.NaN : (updatesTo(cut, level) ?? Number.POSITIVE_INFINITY);
  return (summary === 'area' ? areaUnderCurve(cut) : final(cut)) ?? Number.NaN;
}

const measured = (values: readonly number[]): number[] => values.filter((value) => !Number.isNaN(value));

/** Mean without the lowest and the highest ⌊n/4⌋ values (rliable: scipy's trim_mean at 0.25); NaN if there is none. */
export function interquartileMean(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length / 4);
  const middle = sorted.subarray(cut, sorted.length - cut);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/**
 * Chance that a run of the first arm beats one of the second: Mann–Whitney's U divided by the number of pairs, a tie
 * counting one half. NaN if either is empty.
 */
export function probabilityOfImprovement(values: ArrayLike<number>, baseline: ArrayLike<number>): number {
  let wins = 0;
  for (let i = 0; i < values.length; i++) {
    for (let j = 0; j < baseline.length; j++) {
      const [ours, theirs] = [values[i] as number, baseline[j] as number];
      wins += ours > theirs ? 1 : ours === theirs ? 0.5 : 0;
    }
  }
  return wins / (values.length * baseline.length);
}

/** 95% percentile interval of a statistic. Each stratum's seeds are drawn again with replacement, independently. */
export function stratifiedBootstrap(
  strata: readonly (readonly number[])[],
  statistic: (...strata: Float64Array[]) => number,
): Interval {
  const drawn = strata.map((values, stratum) => resamples(values.length, stratum));
  const samples = strata.map((values) => new Float64Array(values.length));
  const means = Float64Array.from({ length: RESAMPLES }, (_, resample) => {
    strata.forEach((values, stratum) => {
      const [sample, from] = [samples[stratum] as Float64Array, drawn[stratum] as Uint16Array];
      for (let i = 0; i < sample.length; i++)
        sample[i] = values[from[resample * sample.length + i] as number] as number;
    });
    return statistic(...samples);
  });
  return [quantile(means, 0.025), quantile(means, 0.975)];
}

export interface Improvement {
  readonly probability: number;
  /** Interval; null below 8 seeds in either arm. */
  readonly interval: Interval | null;
}

export interface Comparison {
  /** Seeds with a number, and those among them that reached the summary's level. */
  readonly seeds: number;
  readonly reached: number;
  /** Mean over seeds; none if a seed never reached the level, because only the lucky seeds would count. */
  readonly mean: Estimate;
  /** Interquartile mean: finite even if up to a quarter of the seeds never reached the level. */
  readonly iqm: { readonly value: number | null; readonly interval: Interval | null };
  /** This arm − baseline: seed by seed if `paired`, else between the means; null for the baseline itself. */
  readonly difference: Estimate | null;
  readonly paired: boolean;
  /** Chance of being better than the baseline; null for the baseline itself and where either has no seed. */
  readonly improvement: Improvement | null;
}

const NO_ESTIMATE = { mean: null, interval: null, method: 'none' } as const;

/**
 * Comparison of an arm with a baseline, one number a seed each. `paired`: the same index is the same seed in both. With
 * null as baseline only the arm's own numbers are computed.
 */
export function compare(
  values: readonly number[],
  baseline: readonly number[] | null,
  lowerIsBetter: boolean,
  paired = true,
): Comparison {
  const ours = measured(values);
  const reached = ours.filter(Number.isFinite).length;
  return {
    seeds: ours.length,
    reached,
    mean: reached < ours.length ? { ...NO_ESTIMATE, seeds: ours.length } : summarise(ours),
    iqm: robustMean(ours),
    difference: baseline === null ? null : (paired ? differenceOf : differenceApart)(values, baseline),
    paired,
    improvement: baseline === null ? null : improvementOf(ours, measured(baseline), lowerIsBetter),
  };
}

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Interquartile mean of one number a seed, and its interval where there are enough seeds. */
export function robustMean(values: readonly number[]): Comparison['iqm'] {
  const value = finiteOrNull(interquartileMean(values));
  if (value === null || values.length < BOOTSTRAP_FROM) return { value, interval: null };
  const interval = stratifiedBootstrap([values], interquartileMean);
  return { value, interval: interval.every(Number.isFinite) ? interval : null };
}

/** Paired difference; none if one of a pair never reached the level. Without that pair the slower arm would look better. */
function differenceOf(values: readonly number[], baseline: readonly number[]): Estimate {
  const pairs = values.filter((value, seed) => !Number.isNaN(value) && !Number.isNaN(baseline[seed] ?? Number.NaN));
  const difference = pairedDifference(baseline, values);
  return difference.seeds === pairs.length ? difference : { ...NO_ESTIMATE, seeds: pairs.length };
}

/**
 * Difference of the means; none if a seed of either arm never reached the level. Without that seed the slower arm would look
 * better.
 */
function differenceApart(values: readonly number[], baseline: readonly number[]): Estimate {
  const [ours, theirs] = [measured(values), measured(baseline)];
  const isWhole = [...ours, ...theirs].every(Number.isFinite);
  return isWhole ? unpairedDifference(theirs, ours) : { ...NO_ESTIMATE, seeds: Math.min(ours.length, theirs.length) };
}

function improvementOf(ours: readonly number[], theirs: readonly number[], lowerIsBetter: boolean): Improvement | null {
  if (ours.length === 0 || theirs.length === 0) return null;
  const chance = lowerIsBetter
    ? (a: ArrayLike<number>, b: ArrayLike<number>) => probabilityOfImprovement(b, a)
    : probabilityOfImprovement;
  const enough = Math.min(ours.length, theirs.length) >= BOOTSTRAP_FROM;
  return { probability: chance(ours, theirs), interval: enough ? stratifiedBootstrap([ours, theirs], chance) : null };
}

export type Conclusion = 'baseline' | 'no-pairs' | 'too-few-seeds' | 'undecided' | 'better' | 'worse' | 'unreached';

/** Conclusion that the 95% interval of the difference allows. */
export function conclude({ difference }: Comparison, lowerIsBetter: boolean): Conclusion {
  if (difference === null) return 'baseline';
  if (difference.mean === null) return difference.seeds === 0 ? 'no-pairs' : 'unreached';
  if (difference.interval === null) return 'too-few-seeds';
  const [low, high] = tellingInterval(difference) ?? [0, 0];
  if (low <= 0 && high >= 0) return 'undecided';
  return low > 0 === lowerIsBetter ? 'worse' : 'better';
}
