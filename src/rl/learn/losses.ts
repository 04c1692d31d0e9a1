/**
 * The loss of a microbatch whose log-probs and entropies are known: its terms, and its derivatives by log-prob and entropy.
 * Training records it between the passes over the policy (passes.ts), and a batch of another trainer without any.
 */
import type { Operations, Tensor } from '../../tensor/backend';
import type { BatchTensors } from './batch';
import type { LossKind } from './lossInstances';
import type { Microbatch } from './microbatches';
import type { OwnLosses } from './ownLosses';

type F32 = Tensor<'f32'>;

/** Tensors of a microbatch, [P, R]; segments [P, R, 4], terms [P, R, TERM_COLUMNS]. */
export interface LossTensors {
  readonly logProb: F32;
  readonly entropy: F32;
  readonly dLogProb: F32;
  readonly dEntropy: F32;
  readonly segments: F32;
  readonly terms: F32;
}

/** Records everything but the critic's loss. own: null where no arm has a formula. */
export function recordLosses(
  ops: Operations,
  batch: BatchTensors,
  microbatch: Microbatch,
  tensors: LossTensors,
  hyper: F32,
  ownLosses: OwnLosses | null,
): void {
  const { dense, context } = batch;
  const { rows } = microbatch;
  const { logProb, entropy, dLogProb, dEntropy, segments, terms } = tensors;
  const labHyper = ownLosses?.labHyper ?? hyper;
  const { oldLogProb, behaviourLogProb, advantage, policyWeight, selection, actionWeight } = dense;
  const sampled = { logProb, oldLogProb, behaviourLogProb, advantage, policyWeight };
  ops.ratioSegments(segments, rows, { ...sampled, selection }, labHyper, context);
  ops.policyObjective(dLogProb, terms, rows, { ...sampled, segments }, labHyper, context);
  const toReference = { logProb, referenceLogProb: dense.referenceLogProb, oldLogProb, entropy, actionWeight };
  ops.regularise(dLogProb, dEntropy, terms, rows, toReference, hyper, context);
  recordCrossEntropy(ops, batch, microbatch, tensors, hyper, true);
  if (ownLosses !== null) recordFormulas(ops, batch, microbatch, tensors, ownLosses, ['policy', 'predict']);
}

/** Cross-entropy alone, each token's by its weight [P, B, T], by default the batch's. */
export function recordCrossEntropy(
  ops: Operations,
  { dense, context }: BatchTensors,
  { rows }: Microbatch,
  { logProb, entropy, dLogProb, terms }: LossTensors,
  hyper: F32,
  accumulate: boolean,
  crossEntropyWeight: F32 = dense.crossEntropyWeight,
): void {
  const { oldLogProb, behaviourLogProb } = dense;
  const inputs = { logProb, entropy, oldLogProb, behaviourLogProb, crossEntropyWeight };
  ops.crossEntropyObjective(dLogProb, terms, rows, inputs, hyper, context, { accumulate });
}

/** Derivatives of formulas are added to those that stand there. */
export function recordFormulas(
  ops: Operations,
  { dense, context }: BatchTensors,
  microbatch: Microbatch,
  { logProb, entropy, dLogProb, dEntropy }: LossTensors,
  ownLosses: OwnLosses,
  kinds: readonly LossKind[],
): void {
  ops.scatterRows(dense.logProb, logProb, microbatch.rows, context);
  ops.scatterRows(dense.entropy, entropy, microbatch.rows, context);
  ownLosses.recordObjective(ops, microbatch, { dLogProb, dEntropy }, kinds);
}
