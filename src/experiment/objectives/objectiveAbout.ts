/** Words about objectives. A module of its own: the first page sets objectives and needs no words for them. */
import type { Arm } from '../experiment';
import type { ObjectiveId } from '../settings/objectives';
import { changedFromObjective } from './objectivePresets';
import { POLICY_ABOUT } from './policyAbout';
import type { ObjectiveAbout } from './preset';
import { WORLD_MODEL_ABOUT } from './worldModelAbout';

const ABOUT: Readonly<Record<ObjectiveId, ObjectiveAbout>> = { ...POLICY_ABOUT, ...WORLD_MODEL_ABOUT };

export const aboutObjective = (id: ObjectiveId): ObjectiveAbout => ABOUT[id];

/**
 * Words about an arm's objective that are true of the arm. Once parts are changed, those of the lab's own objective are left
 * out, since they list the parts; a published one keeps its description.
 */
export function aboutArm(arm: Arm): ObjectiveAbout {
  const about = aboutObjective(arm.objective);
  const isChanged = changedFromObjective(arm).length > 0 || arm.losses.some(({ place }) => place !== 'added');
  if (!isChanged) return about;
  if (arm.objective === 'lab') return { ...about, reason: '', caveat: '' };
  return { ...about, reason: `Before it was changed: ${about.reason}` };
}
