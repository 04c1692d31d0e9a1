/** KL, entropy and world-model losses as dispatches; formulas are in the shaders named here. */
import { type WorldModelOperations, worldModelScratchStride } from '../operations/worldModel';
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
      const { logProb, referenceLogProb, oldLogProb, entropy, actionWeight } = inputs;
      const { table, count, capacity } = rows;
      recorder.threads('world_model/regularise', capacity, {
        tensors: {
          dLogProb,
          dEntropy,
          terms,
          logProb,
          referenceLogProb,
          oldLogProb,
          actionWeight,
          hyper,
          table,
          count,
        },
        params: { context },
      });
      recorder.threads('world_model/regularise_entropy', capacity, { tensors: { terms, dEntropy, entropy, count } });
    },

    crossEntropyObjective(dLogProb, terms, rows, inputs, hyper, context, { accumulate }) {
      const { table, count, capacity } = rows;
      recorder.threads('world_model/cross_entropy', capacity, {
        tensors: { dLogProb, terms, ...inputs, hyper, table, count },
        params: { context, accumulate: accumulate ? 1 : 0 },
      });
    },
  };
}
