/** Log-ratios as the metrics report them. */
import { EXPONENT } from '../../../hyperparameters/exponents';
import type { PolicyMember } from './member';

/** A token's own log-ratio as the metrics report it. */
export function reportedLogRatio(logRatio: number, clamp: PolicyMember['logRatioClamp']): number {
  if (clamp !== 'within-20') return logRatio;
  return Math.min(Math.max(logRatio, -EXPONENT.logRatio), EXPONENT.logRatio);
}

/** k3 estimate exp(d) − 1 − d, kept finite. */
export function klOfLogRatio(d: number): number {
  return Math.expm1(Math.min(d, EXPONENT.ratio)) - d;
}
