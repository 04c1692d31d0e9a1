/** The part of the contract for KL, entropy and world-model losses. Columns and choices: src/hyperparameters. */
import type { Rows, Tensor } from '../backend';
import type { Batch } from './batch';

type F32 = Tensor<'f32'>;

/** Number of counts of a trajectory in worldModelWeights' scratch; the uncertainty of each of its turns follows. */
export const TRAJECTORY_COUNTS = 4;

/** Elements of scratch a trajectory: its counts, and a number a turn; turns begin at least two tokens apart. */
export function worldModelScratchStride(context: number): number {
  return TRAJECTORY_COUNTS + Math.ceil(context / 2);
}

/** Elements of worldModelWeights' scratch a member. */
export function worldModelScratch({ trajectories, context }: Pick<Batch, 'trajectories' | 'context'>): number {
  return trajectories * worldModelScratchStride(context);
}

export interface WorldModelOperations {
  /**
   * Weight of each token's world-model loss: crossEntropyWeight [P,B,T] =
   *   crossEntropy[ρ] · clamp(1 − group's mean reward/worldModelRewardScale, 0, 1) (clamp: if that scale is > 0)
   *   ÷ worldModelSequenceDenominator ÷ worldModelBatchDenominator
   * on selected tokens and 0 elsewhere. Selected are tokens whose role ρ has a weight, in trajectories that
   * worldModelTrajectories and worldModelMinValid let in. With worldModelTurnShare = α they are also in one of the α·N
   * most uncertain turns, of N in the batch or group (the nearest whole number, at least 1; the earlier of two equals
   * first). A turn is a run of action tokens with the tokens up to the next run; its uncertainty is the mean of
   * oldEntropy [P,B,T], the entropy of the policy that starts the update, over its action tokens. Counts as divisors
   * are at least 1. Groups dropped from the policy gradient stay. group [P,groups,GROUP_COLUMNS]; scratch [P, ≥
   * worldModelScratch(batch)].
   */
  worldModelWeights(
    crossEntropyWeight: F32,
    scratch: F32,
    batch: Batch,
    inputs: { readonly oldEntropy: F32; readonly group: F32 },
    hyper: F32,
  ): void;

  /**
   * Regularisers actionWeight · (klCoefficient·KL − entropyCoefficient·entropy) on drawn tokens, thoughts with columns of their own
   * (klThought, entropyThought): dLogProb [P,R] (+=),
   * dEntropy [P,R] (=), terms columns 9, 13 and 19 (=). KL is the member's estimator of d = logProb − referenceLogProb
   * (objective/kl.ts), also in column 19; in the loss it is multiplied by exp(logProb − oldLogProb) under
   * klRatioWeighted. Column 9 is k3 of d within ±20 for every member, so that members compare. logProb, entropy [P,R];
   * referenceLogProb, oldLogProb, actionWeight [P,B,T].
   */
  regularise(
    dLogProb: F32,
    dEntropy: F32,
    terms: F32,
    rows: Rows,
    inputs: {
      readonly logProb: F32;
      readonly referenceLogProb: F32;
      readonly oldLogProb: F32;
      readonly entropy: F32;
      readonly actionWeight: F32;
    },
    hyper: F32,
    context: number,
  ): void;

  /**
   * The world-model loss: with w = crossEntropyWeight, −w·logProb, −w·min(ratio, 1 + worldModelClip) with ratio =
   * exp(logProb − oldLogProb) clamped to ±20, or w·max(0, worldModelThreshold − exp(logProb)), by worldModelForm.
   * dLogProb [P,R] (= or +=); terms columns 8 (that loss), 10, 11, 12 and 7 (=). Where w is 0 only the metrics of
   * action, observation and warning tokens read anything. The gradient of a limit is 1 on the edge, 0 outside; max(0,
   * ·) has 0 at 0. logProb and entropy [P,R]; the others [P,B,T].
   */
  crossEntropyObjective(
    dLogProb: F32,
    terms: F32,
    rows: Rows,
    inputs: {
      readonly logProb: F32;
      readonly entropy: F32;
      readonly oldLogProb: F32;
      readonly behaviourLogProb: F32;
      readonly crossEntropyWeight: F32;
    },
    hyper: F32,
    context: number,
    options: { readonly accumulate: boolean },
  ): void;
}
