/** Argument checks of operations/policyObjective.ts. */
import type { PolicyObjectiveOperations } from '../operations/policyObjective';
import type { ChecksOf } from './check';

export const POLICY_OBJECTIVE_CHECKS: ChecksOf<PolicyObjectiveOperations> = {
  policyWeights() {},
  selectTokens() {},
  ratioSegments() {},
  policyObjective() {},
  valueObjective() {},
  sumColumns() {},
};
