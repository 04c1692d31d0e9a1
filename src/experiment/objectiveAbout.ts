/** Words about objectives. Apart from what they set, because the first page sets objectives and says nothing of them. */
import { POLICY_ABOUT } from './objectives/policyAbout';
import type { ObjectiveAbout } from './objectives/preset';
import { WORLD_MODEL_ABOUT } from './objectives/worldModelAbout';
import type { ObjectiveId } from './settings/objectives';

const ABOUT: Readonly<Record<ObjectiveId, ObjectiveAbout>> = { ...POLICY_ABOUT, ...WORLD_MODEL_ABOUT };

export const aboutObjective = (id: ObjectiveId): ObjectiveAbout => ABOUT[id];
