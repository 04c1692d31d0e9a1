import type { AdvantageOperations } from '../operations/advantage';
import type { ObjectiveHost } from './host';

const missing = (name: string): void => {
  throw new Error(`${name} is not there yet`);
};

export function advantageOperations(host: ObjectiveHost): AdvantageOperations {
  return {
    advantages: () => host.record(() => missing('advantages')),
  };
}
