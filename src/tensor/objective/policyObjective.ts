import type { PolicyObjectiveOperations } from '../operations/policyObjective';
import type { ObjectiveHost } from './host';

const missing = (name: string): void => {
  throw new Error(`${name} is not there yet`);
};

export function policyObjectiveOperations(host: ObjectiveHost): PolicyObjectiveOperations {
  return {
    policyWeights: () => host.record(() => missing('policyWeights')),
    selectTokens: () => host.record(() => missing('selectTokens')),
    ratioSegments: () => host.record(() => missing('ratioSegments')),
    policyObjective: () => host.record(() => missing('policyObjective')),
    valueObjective: () => host.record(() => missing('valueObjective')),
    sumColumns: () => host.record(() => missing('sumColumns')),
  };
}
