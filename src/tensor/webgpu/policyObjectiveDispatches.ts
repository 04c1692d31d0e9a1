import type { PolicyObjectiveOperations } from '../operations/policyObjective';
import type { Recorder } from './recorder';

export function policyObjectiveDispatches(_recorder: Recorder): PolicyObjectiveOperations {
  return {
    policyWeights() {},
    selectTokens() {},
    ratioSegments() {},
    policyObjective() {},
    valueObjective() {},
    sumColumns() {},
  };
}
