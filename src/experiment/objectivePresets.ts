/**
 * The objectives an arm can begin from, each a set of settings with its source. A preset that has been published is never
 * changed: links name it, and the screen says what differs from it.
 */

import { OPTIMISER } from '../hyperparameters/optimiser';
import { isOfReward } from '../hyperparameters/rewards';
import { WORLD_MODEL } from '../hyperparameters/worldModel';
import {
  type Arm,
  type ArmSettingPath,
  armSettings,
  defaultArm,
  getArmSetting,
  isLiveSetting,
  withArmSetting,
} from './experiment';
import { POLICY_OBJECTIVES } from './objectives/policy';
import type { ObjectiveDescription, ObjectivePreset } from './objectives/preset';
import { WORLD_MODEL_OBJECTIVES } from './objectives/worldModel';
import { learnsByPrediction } from './relevance';
import type { SettingValue } from './setting';
import { OBJECTIVE_TITLES, type ObjectiveId } from './settings/objectives';
import { SAMPLING } from './settings/sampling';
import { WARM_START_ARM } from './settings/warmStart';

export { PRESET_FAMILIES } from './objectives/preset';
export type { ObjectivePreset };

const DESCRIPTIONS: Readonly<Record<ObjectiveId, ObjectiveDescription>> = {
  ...POLICY_OBJECTIVES,
  ...WORLD_MODEL_OBJECTIVES,
};

export const objectivePresets: readonly ObjectivePreset[] = (Object.keys(OBJECTIVE_TITLES) as ObjectiveId[]).map(
  (id) => ({ id, title: OBJECTIVE_TITLES[id], ...DESCRIPTIONS[id] }),
);

export function findObjective(id: ObjectiveId): ObjectivePreset;
export function findObjective(id: string): ObjectivePreset | undefined;
export function findObjective(id: string): ObjectivePreset | undefined {
  return objectivePresets.find((preset) => preset.id === id);
}

/** Settings that make up the objective: all but what the task pays, the optimiser's, what is played and the name. */
const objectivePaths: readonly ArmSettingPath[] = armSettings
  .map(({ path }) => path)
  .filter((path) => path !== 'objective' && !isOfReward(path))
  .filter((path) => ![OPTIMISER, SAMPLING, WARM_START_ARM].some((table) => Object.hasOwn(table, path)));

/** Whether a preset has a say in it. */
export function isOfObjective(path: ArmSettingPath): boolean {
  return objectivePaths.includes(path);
}

const defaults = defaultArm('default', 'Default');

/** What the preset says of a setting. */
export function valueInPreset(preset: ObjectivePreset, path: ArmSettingPath): SettingValue {
  return preset.settings[path] ?? getArmSetting(defaults, path);
}

/** The arm with this objective and nothing left of its earlier one. */
export function withObjective(arm: Arm, preset: ObjectivePreset): Arm {
  return taking(objectivePaths, arm, preset);
}

/**
 * The arm when a person chooses this objective for it: an arm that predicts beside its policy gradient goes on predicting
 * under another one, and that shows as a change from it. One that imitates its actions, or only predicts, is in a phase of
 * its own, which the new objective ends: nothing of it stays.
 */
export function choosingObjective(arm: Arm, preset: ObjectivePreset): Arm {
  const chosen = withObjective(arm, preset);
  const predictsBeside = learnsByPrediction(arm) && arm.pg.action > 0 && arm.ce.action === 0;
  if (preset.family !== 'policy' || !predictsBeside) return chosen;
  const kept = objectivePaths.filter((path) => path.startsWith('ce.') || Object.hasOwn(WORLD_MODEL, path));
  return kept.reduce((changed, path) => withArmSetting(changed, path, getArmSetting(arm, path)), chosen);
}

/** `withObjective` as far as it can be done while training: what needs a restart stays as it is. */
export function withObjectiveLive(arm: Arm, preset: ObjectivePreset): Arm {
  return taking(objectivePaths.filter(isLiveSetting), arm, preset);
}

function taking(paths: readonly ArmSettingPath[], arm: Arm, preset: ObjectivePreset): Arm {
  const named = withArmSetting(arm, 'objective', preset.id);
  return paths.reduce((changed, path) => withArmSetting(changed, path, valueInPreset(preset, path)), named);
}

/** Settings in which an arm differs from the objective it names. */
export function changedFromObjective(arm: Arm): ArmSettingPath[] {
  const preset = findObjective(arm.objective);
  return objectivePaths.filter((path) => getArmSetting(arm, path) !== valueInPreset(preset, path));
}
