/** The part of the contract that turns rewards into advantages. Columns and choices: src/hyperparameters. */
import type { Tensor } from '../backend';
import type { Batch } from './batch';

export interface AdvantageInputs {
  /** f32 [P,B,T]: reward given at each token; a turn's reward stands at the last token of its action. */
  readonly tokenReward: Tensor<'f32'>;
  /**
   * f32 [P,B,T]: log-probs of the policy that starts the update, and of the reference. At action tokens both are read
   * for the KL in the reward, old for the optimal token baseline; at observations old for the prediction reward.
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
  /**
   * u32 [P,B,M,TURN_PATH_COLUMNS], read under credit tree: numbers of all that was seen and done before each turn, and of
   * its action. Equal numbers in a group are equal histories, and equal actions.
   */
  readonly turnPath: Tensor<'u32'>;
  /** Turns of a trajectory at most, M, at least 1. */
  readonly turns: number;
}

/** Numbers of a turn in turnPath: its history, its action. */
export const TURN_PATH = { history: 0, action: 1 } as const;
export const TURN_PATH_COLUMNS = Object.keys(TURN_PATH).length;

/** Scratch: columns of a trajectory, numbers of tables [B,M] and [B,T], which shaders/advantage/scratch.wgsl names. */
export const ADVANTAGE_SCRATCH = { columns: 20, turnTables: 2, tokenTables: 5 } as const;

/** Elements a member of the scratch of `advantages`. */
export function advantageScratch({ trajectories, context }: Pick<Batch, 'trajectories' | 'context'>, turns: number) {
  const { columns, turnTables, tokenTables } = ADVANTAGE_SCRATCH;
  return trajectories * (columns + turnTables * turns + tokenTables * context);
}

export interface AdvantageOperations {
  /**
   * Writes advantage [P,B,T] and returns [P,B,T] (the critic's targets; under credit outcome, tree and turn-rewards the advantage
   * again) at action tokens, and 0 elsewhere unless offMask says otherwise; group [P,groups,GROUP_COLUMNS].
   *
   * A trajectory takes no part, and has the advantage 0, where OUTCOME.usable is 0, none of its reward parts could be
   * scored, or its group is not kept. Where all scores of a group are equal, their difference from its mean is exactly
   * 0. Each member follows its own row of hyper. scratch f32 [P, ≥ advantageScratch(batch, turns)].
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
