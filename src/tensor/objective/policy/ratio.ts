/** Log-ratios as the metrics report them. */
import { LOG_RATIO_LIMIT } from '../../layout';
import type { PolicyMember } from './member';

/** Largest argument of exp: float32 overflows above 88, and 0·∞ is NaN. */
const EXPONENT_LIMIT = 80;

/** A token's own log-ratio as the metrics report it. */
export function reportedLogRatio(logRatio: number, clamp: PolicyMember['logRatioClamp']): number {
  if (clamp !== 'within-20') return logRatio;
  return Math.min(Math.max(logRatio, -LOG_RATIO_LIMIT), LOG_RATIO_LIMIT);
}

/** k3 estimate exp(d) − 1 − d, kept finite. */
export function klOfLogRatio(d: number): number {
  return Math.expm1(Math.min(d, EXPONENT_LIMIT)) - d;
}
