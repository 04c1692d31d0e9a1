/** Statistics of the comparison: Welch's interval, the paired interval, the permutation test, and Holm's correction. */
import type { Difference } from '../../experiment/fairGround';
import { meanOf, studentQuantile } from '../../experiment/statistics';
import { RandomStream, STREAM } from '../../foundation/philox';

const DRAWS = 100_000;

const mean = (values: readonly number[]): number => meanOf(values) ?? Number.NaN;
const variance = (values: readonly number[]): number => {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
};
const short = (value: number): number => Number(value.toFixed(4));

/** Standard deviation of seeds, pooled over groups. */
export function deviation(groups: readonly (readonly number[])[]): number {
  const squares = groups.reduce((sum, values) => sum + variance(values) * (values.length - 1), 0);
  return Math.sqrt(squares / groups.reduce((sum, values) => sum + values.length - 1, 0));
}

function interval(centre: number, half: number): Difference {
  return { mean: short(centre), low: short(centre - half), high: short(centre + half) };
}

/** Standard error of the difference of means of independent seeds, and Welch's degrees of freedom. */
function errorOf(first: readonly number[], second: readonly number[]): { error: number; freedom: number } {
  const [a, b] = [variance(first) / first.length, variance(second) / second.length];
  const freedom = (a + b) ** 2 / (a ** 2 / (first.length - 1) + b ** 2 / (second.length - 1));
  return { error: Math.sqrt(a + b), freedom };
}

/** second − first, of independent seeds: Welch's t (Biometrika 34, 1947). */
export function welch(first: readonly number[], second: readonly number[]): Difference {
  const { error, freedom } = errorOf(first, second);
  return interval(mean(second) - mean(first), error === 0 ? 0 : studentQuantile(freedom) * error);
}

/** Steps of the integral below: an error of less than a millionth from one degree of freedom on. */
const STEPS = 2000;

/**
 * Two-sided p of Welch's t. With t = √ν tan θ, Student's density is cos(θ) to the power ν − 1 but for a factor, which
 * cancels in the share of its integral that lies beyond t.
 */
export function welchTest(first: readonly number[], second: readonly number[]): number {
  const { error, freedom } = errorOf(first, second);
  const difference = Math.abs(mean(second) - mean(first));
  if (error === 0) return difference === 0 ? 1 : 0;
  const from = Math.atan(difference / error / Math.sqrt(freedom));
  const beyond = (start: number): number => {
    const step = (Math.PI / 2 - start) / STEPS;
    return step * mean(Array.from({ length: STEPS }, (_, i) => Math.cos(start + (i + 0.5) * step) ** (freedom - 1)));
  };
  return beyond(from) / beyond(0);
}

/** second − first, seed by seed: Student's t of the differences. */
export function paired(first: readonly number[], second: readonly number[]): Difference {
  const differences = first.slice(0, second.length).map((value, seed) => (second[seed] as number) - value);
  const error = Math.sqrt(variance(differences) / differences.length);
  return interval(mean(differences), studentQuantile(differences.length - 1) * error);
}

/**
 * Two-sided p of the difference of means: the share of 100,000 random relabellings whose means differ at least as much,
 * the observed one counted too (Phipson and Smyth, 2010). The stream is fixed: the same numbers give the same p.
 */
export function permutationTest(first: readonly number[], second: readonly number[]): number {
  const all = [...first, ...second];
  const observed = Math.abs(mean(second) - mean(first)) - 1e-12;
  const total = all.reduce((sum, value) => sum + value, 0);
  const random = new RandomStream(0, STREAM.statistics, 2, 0, 0);
  let asFar = 1;
  for (let draw = 0; draw < DRAWS; draw++) {
    let sum = 0;
    for (let i = 0; i < first.length; i++) {
      const other = i + random.below(all.length - i);
      [all[i], all[other]] = [all[other] as number, all[i] as number];
      sum += all[i] as number;
    }
    if (Math.abs((total - sum) / second.length - sum / first.length) >= observed) asFar++;
  }
  return asFar / (DRAWS + 1);
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
