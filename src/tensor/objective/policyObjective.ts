/** The policy-gradient loss, operation by operation (operations/policyObjective.ts). */
import type { PolicyObjectiveOperations } from '../operations/policyObjective';
import type { ObjectiveHost } from './host';
import { ratioSegments } from './policy/segments';
import { selectTokens } from './policy/selection';
import { sumColumns } from './policy/sums';
import { policyObjective } from './policy/tokens';
import { valueObjective } from './policy/value';
import { policyWeights } from './policy/weights';

export function policyObjectiveOperations(host: ObjectiveHost): PolicyObjectiveOperations {
  return {
    policyWeights: policyWeights(host),
    selectTokens: selectTokens(host),
    ratioSegments: ratioSegments(host),
    policyObjective: policyObjective(host),
    valueObjective: valueObjective(host),
    sumColumns: sumColumns(host),
  };
}
