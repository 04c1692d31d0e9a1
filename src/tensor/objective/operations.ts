/** Operations of losses, advantages and weights, in TypeScript for the reference and the CPU. */
import { advantageOperations } from './advantage';
import { distillationOperations } from './distillation';
import { formulaOperations } from './formula';
import type { ObjectiveHost } from './host';
import { policyObjectiveOperations } from './policyObjective';
import { valueHeadOperations } from './valueHead';
import { worldModelOperations } from './worldModel/worldModel';

export const objectiveOperations = (host: ObjectiveHost) => ({
  ...distillationOperations(host),
  ...valueHeadOperations(host),
  ...advantageOperations(host),
  ...policyObjectiveOperations(host),
  ...formulaOperations(host),
  ...worldModelOperations(host),
});
