/** Advantages and loss weights of every token, computed once for a batch, before the first inner step. */
import type { Operations, Tensor } from '../../tensor/backend';
import { advantageScratch } from '../../tensor/operations/advantage';
import type { Batch } from '../../tensor/operations/batch';
import { policyWeightScratch, selectionScratch } from '../../tensor/operations/policyObjective';
import { worldModelScratch } from '../../tensor/operations/worldModel';
import type { BatchTensors } from './batch';

type F32 = Tensor<'f32'>;

/** Floats of scratch for a member's objective operations, which run one after the other and share it. */
export function objectiveScratch(batch: Pick<Batch, 'trajectories' | 'context'>, turns: number): number {
  return Math.max(
    advantageScratch(batch, turns),
    policyWeightScratch(batch),
    selectionScratch(batch),
    worldModelScratch(batch),
  );
}

/** Records advantages, returns, and the numbers of each group; no token is left out yet. */
export function recordAdvantages(ops: Operations, batch: BatchTensors, scratch: F32, hyper: F32): void {
  const { dense, group } = batch;
  const inputs = { ...dense, turnAnchor: batch.turnAnchor, turnPath: batch.turnPath, turns: batch.turns };
  ops.advantages(dense.advantage, dense.returns, group, scratch, batch, inputs, hyper);
  ops.fill(dense.selection, 1);
}

/**
 * Records the weights of the policy loss, of the regularisers and of the world-model loss. labHyper: the table by which
 * the lab's own losses are weighed, the usual one unless formulas replace some of them.
 */
export function recordLossWeights(ops: Operations, batch: BatchTensors, scratch: F32, labHyper: F32): void {
  const { dense, group } = batch;
  ops.policyWeights(dense.policyWeight, dense.actionWeight, scratch, batch, { ...dense, group }, labHyper);
  const worldModel = { oldEntropy: dense.oldEntropy, group };
  ops.worldModelWeights(dense.crossEntropyWeight, scratch, batch, worldModel, labHyper);
}
