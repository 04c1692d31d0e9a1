/** Method of an arm in a word or two: the objective it began from, and whether it is still that. */

import { isFixed } from '../arm/policyFiles';
import type { Arm } from '../experiment';
import type { ObjectiveId } from '../settings/objectives';
import { changedFromObjective, findObjective } from './objectivePresets';

/** Names of objectives whose title says how the lab uses them, not how they learn. */
const NAMES: Partial<Record<ObjectiveId, string>> = {
  'world-model': 'GRPO + prediction',
  'no-mask': 'GRPO, no mask',
};

/** “GRPO”, “DAPO, 2 settings changed”, “DAPO + own loss”, “your own loss”; empty for an arm that learns nothing. */
export function methodOf(arm: Arm): string {
  if (isFixed(arm)) return '';
  if (arm.losses.some(({ place }) => place !== 'added')) return 'your own loss';
  const { id, title } = findObjective(arm.objective);
  const name = NAMES[id] ?? title.replace(/(,| \(|:).*$/, '');
  const changed = changedFromObjective(arm).length;
  const changes = changed === 0 ? '' : `, ${changed} ${changed === 1 ? 'setting' : 'settings'} changed`;
  return `${name}${changes}${arm.losses.length > 0 ? ' + own loss' : ''}`;
}
