/** The part of the contract around log-probs that first light did not need. maskedLogProb itself: ../backend.ts. */
import type { ParameterView, Rows, Sequences, Tensor } from '../backend';

type F32 = Tensor<'f32'>;

export interface LogProbOperations {
  /** dense[sequence_r · context + position_r] = x[r] for rows in use with position > 0; x [P,R], dense [P,B,T]. */
  scatterRows(dense: F32, x: F32, rows: Rows, context: number): void;

  /**
   * out[r] = Σ_v p(v)² of the distribution target r was drawn from (as maskedLogProb, whose logSumExp it takes, before
   * its backward pass overwrites the logits), action rows only, else 0; [P,R].
   */
  sumOfSquares(
    out: F32,
    logSumExp: F32,
    logits: F32,
    rows: Rows,
    legalSets: Tensor<'u32'>,
    hyper: F32,
    vocabulary: number,
  ): void;

  /**
   * maskedLogProb(hidden·head) of each row's own token, without ever holding the logits: hidden [P,R,C], head [C,V];
   * vocabulary tiles with an online softmax. C and V are multiples of 4; logSumExp is [P,R,2].
   */
  fusedLogProb(
    logProb: F32,
    entropy: F32,
    logSumExp: F32,
    hidden: F32,
    rows: Rows,
    head: ParameterView,
    legalSets: Tensor<'u32'>,
    hyper: F32,
  ): void;

  /**
   * The gradient of fusedLogProb: dHidden [P,R,C] (=) and the head's gradient, chunk by chunk into partials, with the
   * probabilities computed again tile by tile. dHidden is 0 where nothing comes back. C is at least 8.
   */
  fusedLogProbBackward(
    dHidden: F32,
    partials: F32,
    dLogProb: F32,
    dEntropy: F32,
    entropy: F32,
    logSumExp: F32,
    hidden: F32,
    rows: Sequences,
    head: ParameterView,
    legalSets: Tensor<'u32'>,
    hyper: F32,
  ): void;
}
