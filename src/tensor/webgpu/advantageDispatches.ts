import type { AdvantageOperations } from '../operations/advantage';
import type { Recorder } from './recorder';

export function advantageDispatches(_recorder: Recorder): AdvantageOperations {
  return {
    advantages() {},
  };
}
