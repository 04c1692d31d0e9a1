/** KL, entropy and world-model losses in TypeScript, for the reference and the CPU. */
import type { WorldModelOperations } from '../../operations/worldModel';
import type { ObjectiveHost } from '../host';
import { crossEntropyObjective } from './crossEntropy';
import { regularise } from './regularise';
import { worldModelWeights } from './weights';

export function worldModelOperations(host: ObjectiveHost): WorldModelOperations {
  return {
    worldModelWeights: worldModelWeights(host),
    regularise: regularise(host),
    crossEntropyObjective: crossEntropyObjective(host),
  };
}
