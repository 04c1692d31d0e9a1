/** Reason why an arm that learns from the reward shows an episode whose actions are hatched. */

import { isFixed } from '../../../experiment/arm/policyFiles';
import type { Arm } from '../../../experiment/experiment';
import type { EpisodeView } from '../../../train/looks/shown';

/** Words for that; empty where the actions learn, or are not meant to. */
export function silentWords(
  episode: Pick<EpisodeView, 'advantage' | 'policyWeight' | 'replayed' | 'imitated'>,
  arm: Arm,
): string {
  if (
    episode.replayed !== undefined ||
    episode.imitated !== undefined ||
    isFixed(arm) ||
    arm.pg.action === 0 ||
    episode.advantage !== 0
  )
    return '';
  if (episode.policyWeight.some((weight) => weight > 0)) return '';
  return 'Hatched: a silent group';
}
