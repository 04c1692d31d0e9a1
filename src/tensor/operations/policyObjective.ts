/**
 * The part of the contract that makes the policy-gradient loss. Columns and choices: src/hyperparameters. Once a batch:
 * policyWeights; where a member chooses tokens by the running policy, selectTokens before each pass; for each microbatch
 * ratioSegments, then policyObjective.
 *
 * A *carrying* token is a target whose role has a policy-gradient weight. A row that is no target, or whose role has none,
 * gives exactly 0, and nothing of it is looked at except what the metrics of action tokens need (logProb, oldLogProb, and
 * behaviourLogProb as segments hold it). A carrying token with a policyWeight of 0 has no loss of its own; in a
 * differentiated segment its log-prob is a part of the others' ratio all the same.
 */
import type { Rows, Sequences, Tensor } from '../backend';
import type { Batch } from './batch';

type F32 = Tensor<'f32'>;

/** Numbers of a segment row: log-ratio, old − behaviour log-prob, gradient through the segment's ratio, selection. */
export const SEGMENT_COLUMNS = 4;

/** Elements a member of policyWeights' scratch: four for each trajectory, four for the batch. */
export const policyWeightScratch = (batch: Pick<Batch, 'trajectories'>): number => 4 * batch.trajectories + 4;

/** Elements a member of selectTokens' scratch. */
export const selectionScratch = ({ trajectories, context }: Pick<Batch, 'trajectories' | 'context'>): number =>
  trajectories * context;

export interface PolicyObjectiveOperations {
  /**
   * What each token's policy loss, and each action token's regularisers, are multiplied by: the role's policy-gradient
   * weight × correction for decoding (TIS, IcePop …, from old − behaviour) × lossScale ÷ the aggregation's denominator;
   * 0 in dropped groups (GROUP.kept) and unusable trajectories (OUTCOME.usable). policyWeight, actionWeight [P,B,T];
   * actionWeight is the aggregation alone, over action tokens. behaviourLogProb is read on action tokens where a
   * correction is chosen. Where nothing is left to average over, all weights are 0. scratch [P, ≥ policyWeightScratch(batch)].
   */
  policyWeights(
    policyWeight: F32,
    actionWeight: F32,
    scratch: F32,
    batch: Batch,
    inputs: { readonly oldLogProb: F32; readonly behaviourLogProb: F32; readonly group: F32 },
    hyper: F32,
  ): void;

  /**
   * Choices that look at the whole batch under the running policy: clip-cov, kl-cov, the top share of entropies; among
   * the tokens with a policyWeight. selection [P,B,T] = 1 where a token takes part as usual, 0 where its loss is dropped,
   * 2 where kl-cov adds its penalty. logProb, entropy [P,B,T] are the running policy's. clip-cov draws its share among the
   * candidates by Philox, counted by place and bits of oldLogProb (as float32). Without such a choice: all 1.
   * scratch [P, ≥ selectionScratch(batch)].
   */
  selectTokens(
    selection: F32,
    scratch: F32,
    batch: Batch,
    inputs: {
      readonly logProb: F32;
      readonly entropy: F32;
      readonly oldLogProb: F32;
      readonly advantage: F32;
      readonly policyWeight: F32;
    },
    hyper: F32,
  ): void;

  /**
   * What a token's loss needs to know of its segment (itself, its turn or its trajectory). A turn begins at each action
   * token that follows a token of another role. segments [P,R,SEGMENT_COLUMNS] (=):
   *   0 x, the log-ratio of the segment (vespo: log w; gmpo: mean of the clipped log-ratios), not yet clamped
   *   1 old − behaviour log-prob, on action tokens, else 0
   *   2 what a differentiated ratio adds to ∂loss/∂logProb of each token of the segment, else 0
   *   3 selection, 0 also where the trajectory is too far off policy (offPolicyLimit)
   * logProb is [P,R]; the others [P,B,T]. All of a trajectory's rows are in the microbatch.
   */
  ratioSegments(
    segments: F32,
    rows: Sequences,
    inputs: {
      readonly logProb: F32;
      readonly oldLogProb: F32;
      readonly behaviourLogProb: F32;
      readonly advantage: F32;
      readonly policyWeight: F32;
      readonly selection: F32;
    },
    hyper: F32,
    context: number,
  ): void;

  /** dLogProb [P,R] (=) ∂(Σ policyWeight·surrogate)/∂logProb, terms columns 0 … 6 and 16 … 18 (=); logProb [P,R], the others [P,B,T]. */
  policyObjective(
    dLogProb: F32,
    terms: F32,
    rows: Rows,
    inputs: {
      readonly logProb: F32;
      readonly oldLogProb: F32;
      readonly advantage: F32;
      readonly policyWeight: F32;
      readonly segments: F32;
    },
    hyper: F32,
    context: number,
  ): void;

  /**
   * dValue [P,R] (=) and terms columns 14, 15 (=) of w·½·max((v − R)², (clip(v, v_old ± ε) − R)²), w = valueCoefficient·actionWeight,
   * ε = valueClip (0: ½(v − R)²); value [P,R], the others [P,B,T]. Exactly 0, and nothing else read, where w is 0.
   */
  valueObjective(
    dValue: F32,
    terms: F32,
    rows: Rows,
    inputs: { readonly value: F32; readonly oldValue: F32; readonly returns: F32; readonly actionWeight: F32 },
    hyper: F32,
    context: number,
  ): void;

  /**
   * sums[p, k] (=|+=) Σ over rows in use of terms[p, r, k], sequence by sequence in order; K = sums.stride columns.
   * sequenceSums [P,S,K] (=) holds each sequence's own sum.
   */
  sumColumns(
    sums: F32,
    sequenceSums: F32,
    terms: F32,
    rows: Sequences,
    options: { readonly accumulate: boolean },
  ): void;
}
