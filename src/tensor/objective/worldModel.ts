import type { WorldModelOperations } from '../operations/worldModel';
import type { ObjectiveHost } from './host';

const missing = (name: string): void => {
  throw new Error(`${name} is not there yet`);
};

export function worldModelOperations(host: ObjectiveHost): WorldModelOperations {
  return {
    worldModelWeights: () => host.record(() => missing('worldModelWeights')),
    regularise: () => host.record(() => missing('regularise')),
    crossEntropyObjective: () => host.record(() => missing('crossEntropyObjective')),
  };
}
