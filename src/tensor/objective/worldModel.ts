/** KL, entropy and world-model losses in TypeScript, for the reference and the CPU. */
import type { WorldModelOperations } from '../operations/worldModel';
import type { ObjectiveHost } from './host';
import { crossEntropyObjective } from './worldModel/crossEntropy';
import { regularise } from './worldModel/regularise';
import { worldModelWeights } from './worldModel/weights';

export function worldModelOperations(host: ObjectiveHost): WorldModelOperations {
  return {
    worldModelWeights: worldModelWeights(host),
    regularise: regularise(host),
    crossEntropyObjective: crossEntropyObjective(host),
  };
}
