/**
 * Outcome of a claim: findings/NAME/result.json, computed by `npm run findings -- --report` from the recorded runs. Nothing is
 * judged before every run that was planned is in: a look at half of them is a look too many.
 */
import { meanOf } from '../conclude/statistics';
import type { ClaimComparison, MeasureId, Side } from './claim';

/** Mean difference with its 95% interval. */
export interface MeanDifference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface ClaimCondition {
  readonly name: string;
  /** Link of the experiment, and the arm of it that was trained; null where it has one only. */
  readonly link: string;
  readonly arm: string | null;
  readonly device: string;
  readonly commits: readonly string[];
  /** Seconds of one core, summed over the seeds. */
  readonly seconds: number;
  readonly seeds: readonly number[];
  readonly measure: MeasureId;
  /** The measure, one number a seed, and the curve it is drawn with, in twentieths of the run. */
  readonly values: readonly number[];
  readonly curves: readonly (readonly (number | null)[])[];
}

export interface ComparedConditions extends ClaimComparison {
  /** second − first: Welch's 95% interval, and seed by seed. */
  readonly unpaired: MeanDifference;
  readonly paired: MeanDifference;
  /** p of the permutation test, and after Holm's correction over the claim's comparisons. */
  readonly p: number;
  readonly corrected: number;
  readonly side: Side;
  /** Gain over its own beginning of the condition that learned more; null for a measure that is no success. */
  readonly learned: number | null;
  /** Gap that as many seeds of this spread would tell apart from nothing in four experiments of five, uncorrected. */
  readonly seen: number;
}

/** Comparison over searches: each arm has one number a search, the mean of its seeds. */
export interface OverSearches {
  readonly first: readonly number[];
  readonly second: readonly number[];
  readonly unpaired: MeanDifference;
  /** Search by search: both arms of one try the same settings on the same seeds. */
  readonly paired: MeanDifference;
  readonly p: number;
}

/** Differences, seed by seed, that a rerun's mean is judged by. */
export interface Again {
  readonly comparison: string;
  readonly mean: number;
  readonly deviation: number;
  readonly seeds: number;
  /** Student's quantile for a two-sided 90% interval. */
  readonly quantile: number;
}

/** A rerun with seeds of its own. */
export interface Rerun extends Reproduced {
  /** Number that its seeds are drawn from. */
  readonly seed: number;
  /** Comparison that was run again. */
  readonly comparison: string;
  /** Welch's 95% interval of these seeds alone. */
  readonly unpaired: MeanDifference;
}

export interface Reproduced {
  readonly seeds: number;
  readonly difference: number;
  /** 90% prediction interval of that number. */
  readonly low: number;
  readonly high: number;
  readonly isInside: boolean;
}

export interface Finding {
  readonly runs: { readonly done: number; readonly planned: number };
  readonly conditions: Readonly<Record<string, ClaimCondition>>;
  /** Comparisons; null until all runs are in. */
  readonly comparisons: readonly ComparedConditions[] | null;
  /** Comparison over searches; absent where the unit is a seed, and until all runs are in. */
  readonly over?: OverSearches;
  readonly again: Again | null;
  readonly reruns: readonly Rerun[];
}

/**
 * Verdict on a rerun: the mean difference of its seeds against mean ± t · s · √(1/n + 1/m), in which nine of ten reruns of m
 * seeds fall if the first n were drawn alike (normal theory). null without a pair of seeds.
 */
export function reproduced(again: Again, first: readonly number[], second: readonly number[]): Reproduced | null {
  const differences = first.slice(0, second.length).map((value, seed) => (second[seed] as number) - value);
  const difference = meanOf(differences);
  if (difference === null) return null;
  const seeds = differences.length;
  const half = again.quantile * again.deviation * Math.sqrt(1 / again.seeds + 1 / seeds);
  const [low, high] = [again.mean - half, again.mean + half];
  return { seeds, difference, low, high, isInside: difference >= low && difference <= high };
}

/** Error of a test, after Holm's correction over a claim's comparisons. */
export const LEVEL = 0.05;
/** Relabellings that a permutation test counts at most; beyond, as many are drawn. */
export const DRAWS = 100_000;
/** Share of reruns that fall outside their prediction interval though nothing differs but the seeds. */
export const OUTSIDE = 0.1;

/**
 * Judgement of a comparison by the rule that holds for every claim. Where neither condition learned as much as the smallest
 * difference that counts, their means cannot lie further apart: that is the floor, and no evidence that they are alike.
 */
export function sideOf(
  { mean, low, high }: MeanDifference,
  { corrected, least, learned }: { corrected: number; least: number; learned: number | null },
): Side {
  if (corrected < LEVEL && mean >= least) return 'above';
  if (corrected < LEVEL && mean <= -least) return 'below';
  if (low <= -least || high >= least) return 'undecided';
  return learned !== null && learned < least ? 'floor' : 'alike';
}

/** Standing of a comparison beside its expectation. */
export const STANDINGS = ['supported', 'not supported', 'contradicted'] as const;
export type ClaimStanding = (typeof STANDINGS)[number];

export function standingOf({ side, expected }: Pick<ComparedConditions, 'side' | 'expected'>): ClaimStanding {
  if (side === expected) return 'supported';
  return side === 'undecided' || side === 'floor' ? 'not supported' : 'contradicted';
}
