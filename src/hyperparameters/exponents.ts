/**
 * Bounds of what is exponentiated, nats. Float32 overflows above e⁸⁸, and infinity times an advantage of 0 is not a number.
 * WGSL has them by the same names, EXPONENT_LOG_RATIO and so on (tensor/webgpu/constants.ts).
 */
export const EXPONENT = {
  /** Log-ratio that is clamped, ±: verl's bound. e²⁰ ≈ 5e8 is far outside every clip. */
  logRatio: 20,
  /** Log-ratio of a segment under `below-10`, above: verl's and rLLM's GSPO. */
  segment: 10,
  /** Log-ratio that is not clamped, above: e⁸⁰ times an advantage of some thousand is still finite. */
  ratio: 80,
  /** Estimate of KL that is not clamped, above: it is multiplied by a coefficient, so it may go nearer to e⁸⁸. */
  kl: 85,
  /** Log-ratio of the correction for decoding, above: verl's bound. */
  decoding: 20,
} as const;
