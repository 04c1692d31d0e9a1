/** Reason why an arm that learns from the reward shows an episode whose actions are hatched. */

import { isFixed } from '../../../experiment/arm/policyFiles';
import type { Arm } from '../../../experiment/experiment';
import type { EpisodeView } from '../../../train/looks/shown';

/** True for such an episode; false where the actions learn, or are not meant to. */
export function isSilent(
  episode: Pick<EpisodeView, 'advantage' | 'policyWeight' | 'replayed' | 'imitated'>,
  arm: Arm,
): boolean {
  if (
    episode.replayed !== undefined ||
    episode.imitated !== undefined ||
    isFixed(arm) ||
    arm.pg.action === 0 ||
    episode.advantage !== 0
  )
    return false;
  return !episode.policyWeight.some((weight) => weight > 0);
}
