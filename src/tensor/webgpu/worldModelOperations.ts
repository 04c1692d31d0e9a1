/** KL, entropy and world-model losses as dispatches; formulas are in the shaders named here. */
import { type WorldModelOperations, worldModelScratchStride } from '../operations/worldModel';
import { recordPart } from './objectiveParts';
import type { Recorder } from './recorder';

/** Stages of world_model/weights: each needs the results of the one before for all trajectories. */
const [COUNT, SELECT, DIVIDE] = [0, 1, 2];

export function worldModelOperations(recorder: Recorder): WorldModelOperations {
  return {
    worldModelWeights(crossEntropyWeight, scratch, batch, { oldEntropy, group }, hyper) {
      const { roles, groupStart, outcomes, trajectories, context, groups } = batch;
      const tensors = { crossEntropyWeight, scratch, roles, groupStart, outcomes, oldEntropy, group, hyper };
      const params = { trajectories, groups, trajectoryStride: worldModelScratchStride(context) };
      const run = (stage: number): void => {
        recorder.threads('world_model/weights', trajectories, { tensors, params: { ...params, context, stage } });
      };
      run(COUNT);
      recorder.dispatch('world_model/turns', { tensors, params, groups });
      run(SELECT);
      run(DIVIDE);
    },

    regularise(dLogProb, dEntropy, terms, rows, inputs, hyper, context) {
      const { entropy, ...read } = inputs;
      const of = { dLogProb, terms, ...read, dEntropy, hyper };
      const alone = (): void => {
        recorder.threads('world_model/regularise', rows.capacity, { tensors: of, rows, params: { context } });
        const bonus = { terms, dEntropy, entropy };
        recorder.threads('world_model/regularise_entropy', rows.capacity, { tensors: bonus, rows });
      };
      const part = { part: 2, out: dLogProb, rows, context, tensors: { ...of, entropy }, alone } as const;
      recordPart(recorder, dLogProb, part);
    },

    crossEntropyObjective(dLogProb, terms, rows, inputs, hyper, context, { accumulate }) {
      const tensors = { dLogProb, terms, ...inputs, hyper };
      const params = { context, accumulate: accumulate ? 1 : 0 };
      const alone = (): void => recorder.threads('world_model/cross_entropy', rows.capacity, { tensors, rows, params });
      if (accumulate) recordPart(recorder, dLogProb, { part: 3, out: dLogProb, rows, context, tensors, alone });
      else alone();
    },
  };
}
