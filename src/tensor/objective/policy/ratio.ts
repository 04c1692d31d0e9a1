/** Ratios from log-ratios, which are clamped first. */
import { LOG_RATIO_LIMIT } from '../../layout';
import type { PolicyMember } from './member';

/** Largest argument of exp, also where nothing else is clamped: float32 overflows above 88, and 0·∞ is NaN. */
const EXPONENT_LIMIT = 80;
/** Upper bound of the clamp below-10: verl's and rLLM's GSPO. */
const SEGMENT_LIMIT = 10;

export interface Ratio {
  /** exp of the clamped log-ratio. */
  readonly ratio: number;
  /** Derivative of the clamp: 1 inside and on the edge, 0 outside. */
  readonly inside: 0 | 1;
}

export function ratioOf(logRatio: number, clamp: PolicyMember['logRatioClamp']): Ratio {
  const low = clamp === 'within-20' ? -LOG_RATIO_LIMIT : Number.NEGATIVE_INFINITY;
  const high = clamp === 'within-20' ? LOG_RATIO_LIMIT : clamp === 'below-10' ? SEGMENT_LIMIT : EXPONENT_LIMIT;
  const clamped = Math.min(Math.max(logRatio, low), high);
  return { ratio: Math.exp(clamped), inside: clamped === logRatio ? 1 : 0 };
}

/** A token's own log-ratio as the metrics report it. */
export function reportedLogRatio(logRatio: number, clamp: PolicyMember['logRatioClamp']): number {
  if (clamp !== 'within-20') return logRatio;
  return Math.min(Math.max(logRatio, -LOG_RATIO_LIMIT), LOG_RATIO_LIMIT);
}

/** k3 estimate exp(d) − 1 − d, kept finite. */
export function klOfLogRatio(d: number): number {
  return Math.expm1(Math.min(d, EXPONENT_LIMIT)) - d;
}
