/** Mean and deviation of a set of scores, exact where they are all the same. */
import type { ChoiceOf } from '../../../hyperparameters/columns';

export interface Spread {
  readonly count: number;
  /** Mean score; of equal scores that score itself, from which a floating-point mean of them can differ. */
  readonly mean: number;
  /** Σ (x − mean)². */
  readonly squares: number;
  readonly equal: boolean;
}

export function spreadOf(values: readonly number[]): Spread {
  const count = values.length;
  const [first = 0] = values;
  if (values.every((value) => value === first)) return { count, mean: first, squares: 0, equal: true };
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { count, mean, squares, equal: false };
}

type Form = ChoiceOf<'advantageDeviation'>;

function varianceOf({ count, squares }: Spread, form: Form): number {
  const degrees = form.startsWith('sample') ? count - 1 : count;
  return degrees > 0 ? squares / degrees : 0;
}

export const deviationOf = (spread: Spread, form: Form): number => Math.sqrt(varianceOf(spread, form));

/** Divisor of scores: the deviation, with ε where the form puts it. */
function divisorOf(variance: number, form: Form, epsilon: number): number {
  if (form.endsWith('variance')) return Math.sqrt(variance + epsilon);
  if (form.endsWith('floor')) return Math.sqrt(Math.max(variance, epsilon));
  return Math.sqrt(variance) + epsilon;
}

export const divisorOfSpread = (spread: Spread, form: Form, epsilon: number): number =>
  divisorOf(varianceOf(spread, form), form, epsilon);

/** 1/x, or 0 where x is not positive. */
export const reciprocal = (x: number): number => (x > 0 ? 1 / x : 0);
