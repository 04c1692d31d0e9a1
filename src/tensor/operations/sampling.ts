/** The part of the contract that draws the tokens of actions. */
import type { Rows, Tensor } from '../backend';

type F32 = Tensor<'f32'>;

export interface SamplingOperations {
  /**
   * Draws one token per pick by inverse CDF from softmax(logits/temperature) restricted to the pick's legal set. picks
   * [P,capacity,4]: (row of x it came from, position of the token to draw, trajectory, meta with the legal set). u =
   * Philox(key = (key[0], key[1]), counter = (seedIndex[p], key[2], trajectory, position)); the token is the first legal
   * v, in vocabulary order, whose cumulative probability exceeds u (the last legal one if rounding leaves none). With
   * 0 < topP < 1 or uniformShare ε > 0 the distribution is (1 − ε)·nucleus + ε·uniform over the legal set: the nucleus is
   * the fewest likeliest tokens with a probability of topP together (equals in vocabulary order), scaled to 1. logProb is
   * of the distribution drawn from. key u32 [1,4] = (experiment seed, stream, update, 0). token, logProb: [P, capacity],
   * written for i < count.
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
   * Prepares the next token of multi-token actions, after `sample`. Where left[i] > 0, the action of pick i goes on:
   * rows[i] = (token_i, position_i, trajectory_i·context, meta_i), picks[i].row = i, picks[i].position += 1, and
   * left[i] becomes 0 if token_i is `stopToken` or one of `stops`, else one less. So an action's last token gets a row too. Where
   * left[i] was 0, row and position stay. Rows count = picks count. `sampled[step·capacity + i]` and `sampledLogProb` get the drawn
   * token and its log-prob, or 0xffffffff and 0 for an action that had ended. left: u32 [P,capacity], from the caller the largest
   * number of tokens of each action. stops: bit mask u32 [1,·] of tokens, or null.
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
    stops?: Tensor<'u32'> | null,
  ): void;
}
