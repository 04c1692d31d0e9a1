/** The part of the contract that draws the tokens of actions. */
import type { Rows, Tensor } from '../backend';

type F32 = Tensor<'f32'>;

export interface SamplingOperations {
  /**
   * Draws one token per pick by inverse CDF from softmax(logits/temperature) restricted to the pick's legal set. picks
   * [P,capacity,4]: (row of x it came from, position of the token to draw, trajectory, meta with the legal set). u =
   * Philox(key = (key[0], key[1]), counter = (seedIndex[p], key[2], trajectory, position)); the token is the first legal
   * v, in vocabulary order, whose cumulative probability exceeds u (the last legal one if rounding leaves none). key u32
   * [1,4] = (experiment seed, stream, update, 0). token, logProb: [P, capacity], written for i < count.
   */
  sample(
    token: Tensor<'u32'>,
    logProb: F32,
    logits: F32,
    picks: Rows,
    legalSets: Tensor<'u32'>,
    hyper: F32,
    key: Tensor<'u32'>,
    seedIndex: Tensor<'u32'>,
    vocabulary: number,
  ): void;

  /**
   * Prepares the next token of multi-token actions, after `sample`: rows[i] = (token_i, position_i, trajectory_i·context,
   * meta_i) and picks[i].position += 1, picks[i].row = i, for picks whose action had not ended, left[i] > 0 before this
   * call (so its last token gets its row too); then left[i] is 0 if token_i is `stopToken`, else one less. A pick that
   * had ended before keeps its row and position (its row is recomputed to the same values). Rows count = picks count.
   * `sampled[step·capacity + i]` and `sampledLogProb` likewise get the drawn token and log-prob, or 0xffffffff and 0 once
   * ended. left u32 [P,capacity]: the most tokens of each action, written by the caller.
   */
  continueAction(
    rows: Rows,
    picks: Rows,
    left: Tensor<'u32'>,
    sampled: Tensor<'u32'>,
    sampledLogProb: F32,
    token: Tensor<'u32'>,
    logProb: F32,
    sizes: { step: number; stopToken: number; context: number },
  ): void;
}
