/** The part of the contract for KL, entropy and world-model losses. Columns and choices: ../columns/worldModel.ts. */
import type { Rows, Tensor } from '../backend';
import type { Batch } from './batch';

type F32 = Tensor<'f32'>;

export interface WorldModelOperations {
  /**
   * What −log-prob of each token is multiplied by in the world-model loss: the role's cross-entropy weight × the choice
   * of trajectories and turns (solved, failed, well-formed; PaW's entropy-selected turns and reward-adaptive weight)
   * ÷ the denominator (ECHO's authors, own count, shared …). crossEntropyWeight [P,B,T]; oldEntropy [P,B,T] is the
   * entropy of the policy that starts the update. scratch [P, ≥ worldModelScratch(batch)].
   */
  worldModelWeights(
    crossEntropyWeight: F32,
    scratch: F32,
    batch: Batch,
    inputs: { readonly oldEntropy: F32; readonly group: F32 },
    hyper: F32,
  ): void;

  /**
   * KL to the reference and entropy bonus on action tokens: dLogProb [P,R] (+=), dEntropy [P,R] (=), terms columns 9 and
   * 13 (=). logProb [P,R]; referenceLogProb, oldLogProb, actionWeight [P,B,T].
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
   * The world-model loss: dLogProb [P,R] (= or +=), terms columns 8, 10, 11, 12 (=) and 7 (mismatch, =). Forms: cross-entropy, the
   * constant-advantage path (a clipped ratio), PaW's probability threshold. logProb and entropy [P,R]; the others [P,B,T].
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
