/** Names of the policies that come with the lab. */
import type { ShippedKind } from '../../../experiment/shippedPolicies';

interface Words {
  /** Name where one is chosen. */
  readonly long: string;
  /** Name as part of an arm's. */
  readonly short: string;
}

export const SHIPPED_WORDS: Readonly<Record<ShippedKind, Words>> = {
  'warm-start': { long: 'Before training (imitation only)', short: 'Warm start' },
  trained: { long: 'After training', short: 'Trained agent' },
};
