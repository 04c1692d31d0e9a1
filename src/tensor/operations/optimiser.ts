/** The part of the contract that takes a step along a gradient. */
import type { Tensor } from '../backend';

type F32 = Tensor<'f32'>;

export interface OptimiserOperations {
  /** norm[p] = ‖a‖₂, or ‖a − b‖₂ when b is given. a, b [P,N]; norm [P,1]; scratch [P, ≥ ceil(N/1024)]. */
  gradientNorm(norm: F32, scratch: F32, a: F32, b: F32 | null): void;

  /**
   * AdamW (arXiv 1711.05101) after clipping by global norm: g·min(1, maxGradNorm/(norm + 1e-6)), bias-corrected moments,
   * decoupled decay θ −= lr·weightDecay·θ first. Members with active[p] = 0, or whose norm is not finite, take no step:
   * parameters, moments and step stay, bit for bit. step f32 [P,1] is incremented first for those that do. active[p] = 1
   * moves all parameters; 1 + k those from number k on, a multiple of 4, and the others and their moments stay.
   */
  adamW(
    parameters: F32,
    firstMoment: F32,
    secondMoment: F32,
    step: F32,
    gradients: F32,
    norm: F32,
    hyper: F32,
    active: Tensor<'u32'>,
  ): void;
}
