/** The part of the contract that turns rewards into advantages. Columns and choices: src/hyperparameters. */
import type { Tensor } from '../backend';
import type { Batch } from './batch';

export interface AdvantageInputs {
  /** f32 [P,B,T]: reward given at each token; a turn's reward stands at the last token of its action. */
  readonly tokenReward: Tensor<'f32'>;
  /**
   * f32 [P,B,T]: log-probs of the policy that starts the update, and of the reference; read at action tokens, old for
   * the KL in the reward and the optimal token baseline, reference for the former.
   */
  readonly oldLogProb: Tensor<'f32'>;
  readonly referenceLogProb: Tensor<'f32'>;
  /** f32 [P,B,T]: the critic's value of the state before each token; read under the credits that use a critic. */
  readonly oldValue: Tensor<'f32'>;
  /** f32 [P,B,T]: Σ_v p(v)² of the distribution each token was drawn from; read by the optimal token baseline. */
  readonly sumOfSquares: Tensor<'f32'>;
  /**
   * u32 [P,B,M]: the state each turn began in, as a number; equal numbers in a group are the same state (GiGPO). A
   * trajectory's turns are its runs of tokens with the role action, in order; turns from the M-th on have no step part.
   */
  readonly turnAnchor: Tensor<'u32'>;
  /** M, at least 1. */
  readonly turns: number;
}

/** Columns of the scratch that hold one trajectory's numbers, and its rows of [B,M] and [B,T] values. */
const TRAJECTORY_COLUMNS = 20;
const TURN_TABLES = 2;
const TOKEN_TABLES = 5;

/** Elements a member of the scratch of `advantages`. */
export function advantageScratch({ trajectories, context }: Pick<Batch, 'trajectories' | 'context'>, turns: number) {
  return trajectories * (TRAJECTORY_COLUMNS + TURN_TABLES * turns + TOKEN_TABLES * context);
}

export interface AdvantageOperations {
  /**
   * advantage [P,B,T], and returns [P,B,T] (targets of the critic; under credit outcome the advantage again), at every
   * action token, 0 elsewhere unless the member's offMask says otherwise; group [P,groups,GROUP_COLUMNS].
   *
   * A trajectory takes no part, and has the advantage 0, where OUTCOME.usable is 0, none of its reward parts could be
   * scored, or its group is not kept. Where the scores of a group are equal their difference from the group's mean is
   * exactly 0, whatever the precision. Members differ in everything; each follows its own hyper columns.
   * scratch f32 [P, ≥ advantageScratch(batch, turns)].
   */
  advantages(
    advantage: Tensor<'f32'>,
    returns: Tensor<'f32'>,
    group: Tensor<'f32'>,
    scratch: Tensor<'f32'>,
    batch: Batch,
    inputs: AdvantageInputs,
    hyper: Tensor<'f32'>,
  ): void;
}
