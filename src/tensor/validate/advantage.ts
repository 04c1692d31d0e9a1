/** Argument checks of operations/advantage.ts. */
import type { AdvantageOperations } from '../operations/advantage';
import type { ChecksOf } from './check';

export const ADVANTAGE_CHECKS: ChecksOf<AdvantageOperations> = {
  advantages() {},
};
