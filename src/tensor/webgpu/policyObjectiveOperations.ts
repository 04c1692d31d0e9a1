/** The policy-gradient loss as dispatches; formulas are in the shaders named here. */
import type { PolicyObjectiveOperations } from '../operations/policyObjective';
import { recordPart } from './objectiveParts';
import type { Recorder } from './recorder';

/** Stages: first each trajectory (or sequence), then their sums. */
const STAGES = [0, 1];

export function policyObjectiveOperations(recorder: Recorder): PolicyObjectiveOperations {
  return {
    policyWeights(policyWeight, actionWeight, scratch, batch, { oldLogProb, behaviourLogProb, group }, hyper) {
      const { roles, groupStart, outcomes, trajectories, context, groups } = batch;
      for (const stage of STAGES) {
        recorder.threads('policy_objective/counts', stage === 0 ? trajectories : 1, {
          tensors: { scratch, roles, groupStart, group, outcomes, oldLogProb, behaviourLogProb, hyper },
          params: { trajectories, context, groups, stage },
        });
      }
      recorder.threads('policy_objective/weights', trajectories * context, {
        tensors: { policyWeight, actionWeight, scratch, roles, oldLogProb, behaviourLogProb, hyper },
        params: { trajectories, context },
      });
    },

    selectTokens(selection, scratch, { trajectories, context }, inputs, hyper) {
      const { logProb, entropy, oldLogProb, advantage, policyWeight } = inputs;
      recorder.dispatch('policy_objective/select', {
        tensors: { selection, scratch, logProb, entropy, oldLogProb, advantage, policyWeight, hyper },
        params: { tokens: trajectories * context },
        groups: 1,
      });
    },

    ratioSegments(segments, rows, inputs, hyper, context) {
      const { logProb, oldLogProb, behaviourLogProb, advantage, policyWeight, selection } = inputs;
      const of = { segments, logProb, oldLogProb, behaviourLogProb, advantage, policyWeight, selection, hyper };
      const alone = (): void =>
        recorder.threads('policy_objective/ratio_segments', rows.capacity, { tensors: of, rows, params: { context } });
      recordPart(recorder, null, { part: 0, out: segments, rows, context, tensors: of, alone });
    },

    policyObjective(dLogProb, terms, rows, inputs, hyper, context) {
      const { logProb, oldLogProb, advantage, policyWeight, segments } = inputs;
      const of = { dLogProb, terms, logProb, oldLogProb, advantage, policyWeight, segments, hyper };
      const alone = (): void =>
        recorder.threads('policy_objective/loss', rows.capacity, { tensors: of, rows, params: { context } });
      recordPart(recorder, segments, { part: 1, out: dLogProb, rows, context, tensors: of, alone });
    },

    valueObjective(dValue, terms, rows, { value, oldValue, returns, actionWeight }, hyper, context) {
      const { table, count, capacity } = rows;
      recorder.threads('policy_objective/value', capacity, {
        tensors: { dValue, terms, value, oldValue, returns, actionWeight, table, count, hyper },
        params: { context },
      });
    },

    sumColumns(sums, sequenceSums, terms, { start, sequences }, { accumulate }) {
      const columns = sums.stride;
      const params = { sequences, columns, accumulate: accumulate ? 1 : 0 };
      if (recorder.variant === 'tiled') {
        recorder.dispatch('policy_objective/sum_columns_tiled', {
          tensors: { sums, sequenceSums, terms, start },
          params,
          groups: columns,
        });
        return;
      }
      for (const stage of STAGES) {
        recorder.threads('policy_objective/sum_columns', stage === 0 ? sequences * columns : columns, {
          tensors: { sums, sequenceSums, terms, start },
          params: { ...params, stage },
        });
      }
    },
  };
}
