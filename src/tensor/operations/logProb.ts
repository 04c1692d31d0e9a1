/**
 * The part of the contract around log-probs. Everything is indexed by the target token: row r (position > 0) is predicted by
 * the logits of row r − 1. A target is *needed* when its role is action, observation or warning (always measured) or has a
 * non-zero weight in hyper; a row that is not needed, and position 0, gives exactly 0 and its logits are not read (NaN there
 * cannot matter).
 */
import type { ParameterView, Rows, Sequences, Tensor } from '../backend';

type F32 = Tensor<'f32'>;

export interface MaskedLogProbOperations {
  /**
   * logProb[r] = log softmax(z)[token_r] and entropy[r] = −Σ p log p, in one reading of the logits. For action rows z =
   * logits[r−1]/temperature restricted to the row's legal set; for all other roles z = logits[r−1], full vocabulary,
   * temperature 1. logits [P,R,S]: a row is S = logits.stride / R long, a multiple of 4, and holds `vocabulary` ≤ S
   * tokens, any number from 1; what lies beyond is not looked at. legalSets is u32 [1, sets·ceil(vocabulary/32)] bit
   * masks; set 0 is the full vocabulary. entropy [P,R]. logSumExp [P,R,2] = (m, log Σ exp(z − m/temperature)) with m the
   * set's largest logit: kept apart, since the sum of the two is rounded to 5e-4 where logits are near ±1e4.
   * targets u32 [P,R,K] or null: K tokens a row in place of its own one, all from one softmax; logProb is [P,R,K], K = 1
   * without them. A token outside the legal set, or with a logit of −∞, has log-prob −∞.
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
   * In place, logits → d loss / d logits: at row r − 1, [Σ_k dLogProb_rk·(onehot_k − p) − dEntropy_r·p·(log p +
   * entropy_r)] / temperature_r over the row's legal set, 0 elsewhere and beyond the vocabulary; a token outside the legal
   * set has no onehot. Rows whose next row is not a needed target, or has all derivatives 0, become 0. dLogProb [P,R,K];
   * targets as in maskedLogProb, and not necessarily the same.
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

/** What goes with it: on the way to the whole batch, of the distribution, and without the logits. */
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
