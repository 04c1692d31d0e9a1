import type { WorldModelOperations } from '../operations/worldModel';
import type { Recorder } from './recorder';

export function worldModelDispatches(_recorder: Recorder): WorldModelOperations {
  return {
    worldModelWeights() {},
    regularise() {},
    crossEntropyObjective() {},
  };
}
