/**
 * The part of the contract that makes the policy-gradient loss. Columns and choices: src/hyperparameters. Once a batch:
 * policyWeights; where a member chooses tokens by the running policy, selectTokens before each pass; for each microbatch
 * ratioSegments, then policyObjective.
 *
 * A *carrying* token is a target whose role has a policy-gradient weight. Other rows give exactly 0; only metrics of
 * action tokens read them (logProb, oldLogProb, and behaviourLogProb by way of segments). A carrying token with a
 * policyWeight of 0 has no loss of its own, but in a differentiated segment its log-prob is part of the ratio.
 */
import type { Rows, Sequences, Tensor } from '../backend';
import type { Batch } from './batch';

type F32 = Tensor<'f32'>;

/** Numbers of the segment (the token, its turn or its trajectory) of each row. */
export const SEGMENT = {
  /** x, the log-ratio of the segment (vespo: log w; gmpo: mean of the clipped log-ratios), not yet clamped. */
  logRatio: 0,
  /** old − behaviour log-prob on action tokens, else 0. */
  decoding: 1,
  /** Gradient that a differentiated ratio adds to ∂loss/∂logProb of each token of the segment, else 0. */
  joint: 2,
  /** Selection; 0 also where the trajectory is too far off policy (offPolicyLimit). */
  selection: 3,
} as const;

export const SEGMENT_COLUMNS = 4;

/** Elements of policyWeights' scratch a member: four for each trajectory, four for the batch. */
export const policyWeightScratch = (batch: Pick<Batch, 'trajectories'>): number => 4 * batch.trajectories + 4;

/** Elements of selectTokens' scratch a member. */
export const selectionScratch = ({ trajectories, context }: Pick<Batch, 'trajectories' | 'context'>): number =>
  trajectories * context;

export interface PolicyObjectiveOperations {
  /**
   * Weights of the losses, [P,B,T]. policyWeight, of a token's policy loss: its role's policy-gradient weight ×
   * correction for decoding (TIS, IcePop …, from old − behaviour) × lossScale ÷ the aggregation's denominator.
   * actionWeight, of an action token's regularisers: lossScale ÷ the denominator over action tokens. 0 in dropped
   * groups (GROUP.kept), in unusable trajectories (OUTCOME.usable), and where no token is left. behaviourLogProb is
   * read on action tokens where a correction is chosen. scratch [P, ≥ policyWeightScratch(batch)].
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
   * Selection over the whole batch, under the running policy, among the tokens with a policyWeight: by clip-cov, kl-cov
   * or the top share of entropies. selection [P,B,T] = 1 where a token takes part as usual, 0 where its loss is
   * dropped, 2 where kl-cov adds its penalty; all 1 for members without such a choice. logProb, entropy [P,B,T] are the
   * running policy's. clip-cov draws among its candidates by Philox, whose counter is place and bits of oldLogProb
   * (float32). scratch [P, ≥ selectionScratch(batch)].
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
   * Numbers of each token's segment (the token, its turn or its trajectory). A turn begins at each action token that
   * follows a token of another role. segments [P,R,SEGMENT_COLUMNS] (=) in columns SEGMENT.
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

  /**
   * dLogProb [P,R] (=) ∂(Σ policyWeight·surrogate)/∂logProb; terms columns 0 … 6 and 16 … 18 (=); logProb [P,R],
   * segments as above, the others [P,B,T].
   */
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
   * The critic's loss w·½·max((v − R)², (clip(v, v_old ± ε) − R)²), w = valueCoefficient·actionWeight, ε = valueClip
   * (0: no clip): dValue [P,R] (=) and terms columns 14, 15 (=). value [P,R], the others [P,B,T]. Where w is 0: exactly
   * 0, and nothing else is read.
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
