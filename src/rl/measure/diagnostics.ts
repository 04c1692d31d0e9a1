/**
 * Diagnostics that need single tokens, worked out on the host every few updates from one member's action tokens: quantiles
 * of the ratio, the KL in its other direction, the critic's explained variance.
 */
import { isDrawn } from '../../foundation/roles';
import type { TokenReadback } from './tokenReadback';

export interface TokenDiagnostics {
  readonly ratioLow: number;
  readonly ratioHigh: number;
  readonly klReverse: number;
  readonly explainedVariance: number;
}

/**
 * Diagnostics of a member. tokens: [P, stride] flat. With a single optimiser step the ratio is 1 by definition. NaN where
 * undefined: no action token, no critic.
 */
export function diagnose(
  tokens: TokenReadback,
  member: number,
  stride: number,
  steps: number,
  critic: boolean,
): TokenDiagnostics {
  const at = (values: ArrayLike<number>, i: number): number => values[member * stride + i];
  const drawn: number[] = [];
  for (let i = 0; i < stride; i++) if (isDrawn(at(tokens.roles, i))) drawn.push(i);
  const ratios = drawn
    .map((i) => (steps > 1 ? Math.exp(at(tokens.logProb, i) - at(tokens.oldLogProb, i)) : 1))
    .sort((a, b) => a - b);
  return {
    ratioLow: quantile(ratios, 0.05),
    ratioHigh: quantile(ratios, 0.95),
    klReverse: mean(
      drawn.map((i) => {
        const d = at(tokens.referenceLogProb, i) - at(tokens.oldLogProb, i);
        // E under the policy of r·log r − r + 1, r = reference/policy: KL(reference ‖ policy), never negative.
        return Math.exp(d) * d - Math.expm1(d);
      }),
    ),
    explainedVariance: critic
      ? explainedVariance(
          drawn.map((i) => at(tokens.returns, i)),
          drawn.map((i) => at(tokens.oldValue, i)),
        )
      : Number.NaN,
  };
}

/** Quantile of sorted values, linear between neighbours; NaN where there are none. */
function quantile(sorted: readonly number[], q: number): number {
  const place = q * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const center = mean(values);
  return mean(values.map((value) => (value - center) ** 2));
}

/** 1 − Var(returns − values)/Var(returns); NaN where all returns are equal. */
function explainedVariance(returns: readonly number[], values: readonly number[]): number {
  const spread = variance(returns);
  if (spread === 0) return Number.NaN;
  return 1 - variance(returns.map((value, i) => value - values[i])) / spread;
}
