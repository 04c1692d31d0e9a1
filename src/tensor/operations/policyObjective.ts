/** The part of the contract that makes the policy-gradient loss. Columns and choices: ../columns/policy.ts. */
import type { Rows, Sequences, Tensor } from '../backend';
import type { Batch } from './batch';

type F32 = Tensor<'f32'>;

export interface PolicyObjectiveOperations {
  /**
   * What each token's policy loss, and each action token's regularisers, are multiplied by: the role's policy-gradient
   * weight × dropped groups and unusable trajectories × correction for decoding (TIS, IcePop …, from old − behaviour)
   * ÷ the aggregation's denominator. policyWeight, actionWeight [P,B,T]; actionWeight is the aggregation alone, on action
   * tokens. scratch [P, ≥ policyWeightScratch(batch)].
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
   * Choices that look at the whole batch under the running policy: clip-cov, kl-cov, the top share of entropies.
   * selection [P,B,T] = 1 where a token takes part as usual, 0 where its gradient is dropped, 2 where kl-cov adds its
   * penalty. logProb, entropy [P,B,T] are the running policy's. scratch [P, ≥ selectionScratch(batch)].
   */
  selectTokens(
    selection: F32,
    scratch: F32,
    batch: Batch,
    inputs: { readonly logProb: F32; readonly entropy: F32; readonly oldLogProb: F32; readonly advantage: F32 },
    hyper: F32,
  ): void;

  /**
   * What a token's loss needs to know of its segment (itself, its turn or its trajectory): segments [P,R,4] =
   * (log-ratio of the segment, its tokens, what ∂loss/∂(segment log-ratio) adds to each of its tokens, selection).
   * logProb is [P,R]; oldLogProb, advantage, policyWeight, selection are [P,B,T].
   */
  ratioSegments(
    segments: F32,
    rows: Sequences,
    inputs: {
      readonly logProb: F32;
      readonly oldLogProb: F32;
      readonly advantage: F32;
      readonly policyWeight: F32;
      readonly selection: F32;
    },
    hyper: F32,
    context: number,
  ): void;

  /**
   * dLogProb [P,R] (=) ∂(Σ policyWeight·surrogate)/∂logProb, terms columns 0 … 7 (=). A row that is no target, or has a
   * policyWeight of 0, gives exactly 0 and what it holds otherwise is not looked at (action tokens still give their
   * metrics).
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

  /** dValue [P,R] (=) and terms columns 14, 15 (=) of ½·max((v − R)², (clip(v, v_old ± ε) − R)²); value [P,R], the others [P,B,T]. */
  valueObjective(
    dValue: F32,
    terms: F32,
    rows: Rows,
    inputs: { readonly value: F32; readonly oldValue: F32; readonly returns: F32; readonly actionWeight: F32 },
    hyper: F32,
    context: number,
  ): void;

  /** sums[p, k] (=|+=) Σ over rows in use of terms[p, r, k], sequence by sequence in order; K = sums.stride columns. */
  sumColumns(
    sums: F32,
    sequenceSums: F32,
    terms: F32,
    rows: Sequences,
    options: { readonly accumulate: boolean },
  ): void;
}
