/** How the policies that come with the lab are called. */
import type { ShippedKind } from '../../../experiment/shippedPolicies';

interface Words {
  /** Where one is chosen. */
  readonly long: string;
  /** In the name of an arm. */
  readonly short: string;
}

export const SHIPPED_WORDS: Readonly<Record<ShippedKind, Words>> = {
  'warm-start': { long: 'One that only imitated', short: 'Warm start' },
  trained: { long: 'One that was trained', short: 'Trained agent' },
};
