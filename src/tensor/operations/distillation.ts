/** The part of the contract that draws the policy to a teacher's whole distribution. */
import type { DivergenceName } from '../../hyperparameters/distillation';
import type { Rows, Tensor } from '../backend';

type F32 = Tensor<'f32'>;

export interface DistillationOptions {
  /** Length of a row of logits that is tokens, V. */
  readonly vocabulary: number;
  readonly divergence: DivergenceName;
  /** Tokens T of a trajectory in the weights. */
  readonly context: number;
}

export interface DistillationOperations {
  /**
   * Divergence D of the distributions π of `logits` and q of `teacher`, both [P,R,S] and laid out alike: row r − 1 predicts
   * target r. Both are softmax(logits/temperature) over the row's legal set where the policy drew the target, plain softmax
   * elsewhere, and their logs are cut off at −200.
   *   reverse         D = Σ π (log π − log q)
   *   forward         D = Σ q (log q − log π)
   *   jensen-shannon  D = ½ Σ π (log π − log m) + ½ Σ q (log q − log m),  m = (π + q)/2
   * distance [P,R] (=) D of targets with a weight, 0 elsewhere. logits (=): weight_r · ∂D/∂logits at row r − 1, and 0 in rows
   * that predict no target with a weight. weight [P,B,T]; nothing flows into the teacher, whose other rows are not read.
   */
  distil(
    logits: F32,
    distance: F32,
    teacher: F32,
    weight: F32,
    rows: Rows,
    legalSets: Tensor<'u32'>,
    hyper: F32,
    options: DistillationOptions,
  ): void;
}
