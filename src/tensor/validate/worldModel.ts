/** Argument checks of operations/worldModel.ts. */
import type { WorldModelOperations } from '../operations/worldModel';
import type { ChecksOf } from './check';

export const WORLD_MODEL_CHECKS: ChecksOf<WorldModelOperations> = {
  worldModelWeights() {},
  regularise() {},
  crossEntropyObjective() {},
};
