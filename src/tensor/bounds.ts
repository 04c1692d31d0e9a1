/**
 * Bounds and small summands of operations, the same in every backend: WGSL has them as BOUND_TIE and so on
 * (webgpu/constants.ts), AssemblyScript as Bound.norm (scripts/wasm.mjs). Those of exponents are in hyperparameters/exponents.ts.
 */
export const BOUND = {
  /** log w in vespo, nats. */
  vespoLow: Math.log(1e-8),
  vespoHigh: 20,
  /** Estimate of KL whose value is limited, ±. */
  kl: 10,
  /** Lower bound of log p: its exp is 0, and 0 times it is 0, where 0·−∞ would be NaN in p·log p. */
  logProb: -200,
  /** Relative difference up to which deviations are equal: the same scores in another order differ by rounding. */
  tie: 1e-5,
  /** Summand of a number of groups that makes up for the rounding of their share, such as 0.1, to float32. */
  groups: 1e-4,
  /** Summand of Σ W that keeps the optimal token baseline finite where no trajectory has a weight. */
  weight: 1e-8,
  /** Summand of the gradient's norm that it is clipped by. */
  norm: 1e-6,
  /** Summand of a layer norm's variance. */
  layerNorm: 1e-5,
} as const;
