/** Statistics of the comparison: Welch's interval, the paired interval, the permutation test, and Holm's correction. */

import { meanOf, studentQuantile } from '../../experiment/conclude/statistics';
import type { MeanDifference } from '../../experiment/findings/finding';
import { DRAWS } from '../../experiment/findings/finding';
import { RandomStream, STREAM } from '../../foundation/philox';

const mean = (values: readonly number[]): number => meanOf(values) ?? Number.NaN;
const variance = (values: readonly number[]): number => {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
};
const fourDecimals = (value: number): number => Number(value.toFixed(4));

/** Standard deviation of seeds, pooled over groups. */
export function deviation(groups: readonly (readonly number[])[]): number {
  const squares = groups.reduce((sum, values) => sum + variance(values) * (values.length - 1), 0);
  return Math.sqrt(squares / groups.reduce((sum, values) => sum + values.length - 1, 0));
}

function interval(centre: number, half: number): MeanDifference {
  return { mean: fourDecimals(centre), low: fourDecimals(centre - half), high: fourDecimals(centre + half) };
}

/** Standard error of the difference of means of independent seeds, and Welch's degrees of freedom. */
function errorOf(first: readonly number[], second: readonly number[]): { error: number; freedom: number } {
  const [a, b] = [variance(first) / first.length, variance(second) / second.length];
  const freedom = (a + b) ** 2 / (a ** 2 / (first.length - 1) + b ** 2 / (second.length - 1));
  return { error: Math.sqrt(a + b), freedom };
}

/** second − first, of independent seeds: Welch's t (Biometrika 34, 1947). */
export function welch(first: readonly number[], second: readonly number[]): MeanDifference {
  const { error, freedom } = errorOf(first, second);
  return interval(mean(second) - mean(first), error === 0 ? 0 : studentQuantile(freedom) * error);
}

/** Steps of the integral below: an error of less than a millionth from one degree of freedom on. */
const STEPS = 2000;

/**
 * Share of Student's distribution beyond ±t. With t = √ν tan θ, its density is cos(θ) to the power ν − 1 but for a factor, which
 * cancels in the share of its integral that lies beyond t.
 */
function beyond(t: number, freedom: number): number {
  const from = (start: number): number => {
    const step = (Math.PI / 2 - start) / STEPS;
    return step * mean(Array.from({ length: STEPS }, (_, i) => Math.cos(start + (i + 0.5) * step) ** (freedom - 1)));
  };
  return from(Math.atan(t / Math.sqrt(freedom))) / from(0);
}

/** Student's t beyond which, on both sides together, a share lies: found by halving. */
export function quantileOf(freedom: number, share: number): number {
  let [low, high] = [0, 1000];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (beyond(middle, freedom) > share) low = middle;
    else high = middle;
  }
  return high;
}

/** 80% quantile of the standard normal distribution. */
const NORMAL_80 = 0.8416;

/**
 * Gap of means that a two-sided test at 5% sees in four experiments of five, with as many seeds of the same spread in both:
 * (t + z) · s · √(1/n + 1/m), Student's t for the test and the normal's z for the chance.
 */
export function gapSeen(first: readonly number[], second: readonly number[]): number {
  const [n, m] = [first.length, second.length];
  return (studentQuantile(n + m - 2) + NORMAL_80) * deviation([first, second]) * Math.sqrt(1 / n + 1 / m);
}

/** second − first, seed by seed: Student's t of the differences. */
export function pairedDifference(first: readonly number[], second: readonly number[]): MeanDifference {
  const differences = first.slice(0, second.length).map((value, seed) => (second[seed] as number) - value);
  const error = Math.sqrt(variance(differences) / differences.length);
  return interval(mean(differences), studentQuantile(differences.length - 1) * error);
}

/** Ways to choose k of n. */
const binomial = (n: number, k: number): number => (k === 0 ? 1 : (binomial(n - 1, k - 1) * n) / k);

/**
 * Two-sided p of the difference of means: the share of relabellings whose means differ at least as much. All of them where there
 * are at most 100,000 (8 seeds against 8: 12,870); else that many drawn at random, the observed one counted too (Phipson and
 * Smyth, 2010). The stream is fixed: the same numbers give the same p.
 */
export function permutationTest(first: readonly number[], second: readonly number[]): number {
  const values = [...first, ...second];
  // Less by more than rounding: a relabelling with the observed means, added in another order, differs as much.
  const observed = Math.abs(mean(second) - mean(first)) - 1e-12;
  const total = values.reduce((sum, value) => sum + value, 0);
  const isAsFar = (sum: number): boolean => Math.abs((total - sum) / second.length - sum / first.length) >= observed;
  if (binomial(values.length, first.length) <= DRAWS) return exactShare(values, first.length, isAsFar);
  // 2 names this stream of draws. Another number would do as well, but recorded p values came from this one.
  const random = new RandomStream(0, STREAM.statistics, 2, 0, 0);
  let asFar = 1;
  for (let draw = 0; draw < DRAWS; draw++) {
    let sum = 0;
    for (let i = 0; i < first.length; i++) {
      const swapped = i + random.below(values.length - i);
      [values[i], values[swapped]] = [values[swapped] as number, values[i] as number];
      sum += values[i] as number;
    }
    if (isAsFar(sum)) asFar++;
  }
  return asFar / (DRAWS + 1);
}

/** Share of all choices of `count` values whose sum passes. */
function exactShare(values: readonly number[], count: number, passes: (sum: number) => boolean): number {
  let passed = 0;
  const visit = (at: number, left: number, sum: number): void => {
    if (left === 0) {
      if (passes(sum)) passed++;
      return;
    }
    for (let i = at; i <= values.length - left; i++) visit(i + 1, left - 1, sum + (values[i] as number));
  };
  visit(0, count, 0);
  return passed / binomial(values.length, count);
}

/** p values after Holm's step-down correction (1979), in the order given. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).sort((a, b) => (ps[a] as number) - (ps[b] as number));
  const corrected = new Array<number>(ps.length);
  let least = 0;
  order.forEach((at, rank) => {
    least = Math.max(least, Math.min(1, (ps.length - rank) * (ps[at] as number)));
    corrected[at] = Number(least.toPrecision(3));
  });
  return corrected;
}
