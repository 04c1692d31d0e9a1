/**
 * The part of the contract around log-probs. Indices are those of the target token: row r (position > 0) is predicted
 * by the logits of row r − 1. A target is *needed* when its role is action, observation or warning (always measured) or
 * has a non-zero weight in hyper. Rows that are not needed, and position 0, give exactly 0; their logits are not read,
 * so NaN there does no harm.
 */
import type { ParameterView, Rows, Sequences, Tensor } from '../backend';

type F32 = Tensor<'f32'>;

export interface MaskedLogProbOperations {
  /**
   * logProb[r] = log softmax(z)[token_r] and entropy[r] = −Σ p log p, nats, in one reading of the logits. For action
   * rows z = logits[r−1]/temperature over the row's legal set; for other roles z = logits[r−1] over the full
   * vocabulary. logits [P,R,S]: a row is S = logits.stride / R long, a multiple of 4, and its first `vocabulary` ≤ S
   * numbers are tokens; the rest is not read. legalSets: u32 [1, sets·ceil(vocabulary/32)] bit masks; set 0 is the full
   * vocabulary. entropy [P,R]. logSumExp [P,R,2] = (m, log Σ exp(z − m/temperature)), m the set's largest logit: two
   * numbers, because their sum would be rounded to 5e-4 where logits are near ±1e4. targets: u32 [P,R,K], K tokens a
   * row in place of its own one, or null (K = 1); logProb is [P,R,K]. A token outside the legal set, or with a logit of
   * −∞, has log-prob −∞.
   */
  maskedLogProb(
    logProb: F32,
    entropy: F32,
    logSumExp: F32,
    logits: F32,
    rows: Rows,
    legalSets: Tensor<'u32'>,
    hyper: F32,
    vocabulary: number,
    targets?: Tensor<'u32'> | null,
  ): void;

  /**
   * Gradient by the logits, in place of them: at row r − 1, [Σ_k dLogProb_rk·(onehot_k − p) − dEntropy_r·p·(log p +
   * entropy_r)] / temperature_r over the row's legal set, 0 elsewhere and beyond the vocabulary; a token outside the legal
   * set has no onehot. Rows whose next row is not a needed target, or has all derivatives 0, become 0. dLogProb [P,R,K];
   * targets as in maskedLogProb, though they may be other tokens.
   */
  maskedLogProbBackward(
    logits: F32,
    dLogProb: F32,
    dEntropy: F32,
    entropy: F32,
    logSumExp: F32,
    rows: Rows,
    legalSets: Tensor<'u32'>,
    hyper: F32,
    vocabulary: number,
    targets?: Tensor<'u32'> | null,
  ): void;
}

/** Operations beside it: scatter into the dense batch, Σ p², and log-probs without stored logits. */
export interface LogProbOperations {
  /** dense[sequence_r · context + position_r] = x[r] for rows in use with position > 0; x [P,R], dense [P,B,T]. */
  scatterRows(dense: F32, x: F32, rows: Rows, context: number): void;

  /**
   * out[r] = Σ_v p(v)² of the distribution that predicts action row r, else 0; [P,R]. Takes logits and logSumExp of
   * maskedLogProb, and so comes before the backward pass overwrites the logits.
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
   * maskedLogProb(hidden·head) of each row's own token, without storing the logits: an online softmax over tiles of the
   * vocabulary. hidden [P,R,C], head [C,V]; C and V are multiples of 4; logSumExp is [P,R,2].
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
   * Gradient of fusedLogProb: dHidden [P,R,C] (=), and the head's gradient chunk by chunk into partials; null where the head is
   * frozen. Probabilities are computed again tile by tile. dHidden is 0 in rows that predict no target with a derivative. C is at
   * least 8.
   */
  fusedLogProbBackward(
    dHidden: F32,
    partials: F32 | null,
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
