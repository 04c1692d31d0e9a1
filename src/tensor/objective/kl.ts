/**
 * Estimates of KL(policy ‖ reference) at one token, and their derivatives by the policy's log-prob, from
 * d = log-prob − reference log-prob (joschu.net/blog/kl-approx.html). The same functions in shaders/world_model/kl.wgsl.
 */
import { type HyperValues, namesOf, readerOf } from '../../hyperparameters/columns';
import { EXPONENT } from '../../hyperparameters/exponents';
import { REGULARISATION } from '../../hyperparameters/regularisation';
import { BOUND } from '../bounds';

/** A value, and its derivative by log-prob. */
export interface KlEstimate {
  readonly value: number;
  readonly derivative: number;
}

export type KlOptions = HyperValues<'klEstimator' | 'klClamp' | 'klStraightThrough'>;

const k1 = (d: number): KlEstimate => ({ value: d, derivative: 1 });
const abs = (d: number): KlEstimate => ({ value: Math.abs(d), derivative: Math.sign(d) });
const k2 = (d: number): KlEstimate => ({ value: (d * d) / 2, derivative: d });
const k3 = (d: number): KlEstimate => ({ value: expMinusLine(-d), derivative: -expMinusOne(-d) });
const mismatchK3 = (d: number): KlEstimate => ({ value: expMinusLine(d), derivative: expMinusOne(d) });

const ESTIMATORS: Readonly<Record<KlOptions['klEstimator'], (d: number) => KlEstimate>> = {
  k3,
  k1,
  abs,
  k2,
  'mismatch-k3': mismatchK3,
};

const TAKES_EXP: readonly KlOptions['klEstimator'][] = ['k3', 'mismatch-k3'];

/** exp(x) − 1 − x, never negative. */
const expMinusLine = (x: number): number => expMinusOne(x) - x;
const expMinusOne = (x: number): number => Math.expm1(Math.min(x, EXPONENT.kl));

/** Values of a member's KL and entropy settings. */
export const readRegularisation = readerOf(namesOf(REGULARISATION));

export function estimateKl(d: number, { klEstimator, klClamp, klStraightThrough }: KlOptions): KlEstimate {
  const takesExp = TAKES_EXP.includes(klEstimator);
  const limit = takesExp && clampsLogRatio(klClamp) ? EXPONENT.logRatio : Number.POSITIVE_INFINITY;
  const limitsValue = klClamp === 'value' || (klClamp === 'log-ratio-and-value' && takesExp);
  const within = bounded({ value: d, derivative: 1 }, limit);
  const plain = ESTIMATORS[klEstimator](within.value);
  const chained = { value: plain.value, derivative: plain.derivative * within.derivative };
  const estimate = limitsValue ? bounded(chained, BOUND.kl) : chained;
  return klStraightThrough ? { value: estimate.value, derivative: d } : estimate;
}

/**
 * Estimate times the ratio to the old policy, differentiated through both (TRL's `use_bias_correction_kl`). Its mean
 * over tokens that the old policy drew is the running policy's KL. The log-ratio is clamped where the estimator's is.
 */
export function ratioWeighted(estimate: KlEstimate, logRatio: number, { klClamp }: KlOptions): KlEstimate {
  const within = bounded({ value: logRatio, derivative: 1 }, clampsLogRatio(klClamp) ? EXPONENT.logRatio : EXPONENT.kl);
  const ratio = Math.exp(within.value);
  return {
    value: ratio * estimate.value,
    derivative: ratio * (estimate.derivative + within.derivative * estimate.value),
  };
}

const clampsLogRatio = (clamp: KlOptions['klClamp']): boolean =>
  clamp === 'log-ratio' || clamp === 'log-ratio-and-value';

/** Value kept within ±limit; outside, the derivative is 0. */
function bounded({ value, derivative }: KlEstimate, limit: number): KlEstimate {
  if (Math.abs(value) <= limit) return { value, derivative };
  return { value: Math.sign(value) * limit, derivative: 0 };
}
