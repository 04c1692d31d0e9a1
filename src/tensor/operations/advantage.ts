/** The part of the contract that turns rewards into advantages. Columns and choices: ../columns/advantage.ts. */
import type { Tensor } from '../backend';
import type { Batch } from './batch';

export interface AdvantageInputs {
  /** f32 [P,B,T]: reward given at each token; a turn's reward stands at the last token of its action. */
  readonly tokenReward: Tensor<'f32'>;
  /** f32 [P,B,T]: log-probs of the policy that starts the update, and of the reference (KL in the reward, OTB). */
  readonly oldLogProb: Tensor<'f32'>;
  readonly referenceLogProb: Tensor<'f32'>;
  /** f32 [P,B,T]: the critic's value of the state before each token. */
  readonly oldValue: Tensor<'f32'>;
  /** f32 [P,B,T]: Σ_v p(v)² of the distribution each token was drawn from (optimal token baseline). */
  readonly sumOfSquares: Tensor<'f32'>;
  /** u32 [P,B,M]: the state each turn began in, as a number; equal numbers in a group are the same state (GiGPO). */
  readonly turnAnchor: Tensor<'u32'>;
  /** M. */
  readonly turns: number;
}

export interface AdvantageOperations {
  /**
   * advantage [P,B,T] and returns [P,B,T] (targets of the critic) at every target, 0 elsewhere; group [P,groups,GROUP_COLUMNS].
   * scratch f32 [P, ≥ advantageScratch(batch, turns)]. Members differ in everything; each follows its own hyper columns.
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
