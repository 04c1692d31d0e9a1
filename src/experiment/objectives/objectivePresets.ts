/**
 * Objectives an arm can begin from, each a set of settings with its source. A published preset is never changed: links
 * name it, and the screen shows what differs from it.
 */

import { OPTIMISER } from '../../hyperparameters/optimiser';
import { isOfReward } from '../../hyperparameters/rewards';
import { WORLD_MODEL } from '../../hyperparameters/worldModel';
import { learnsByPrediction } from '../arm/relevance';
import {
  type Arm,
  type ArmSettingPath,
  armSettings,
  defaultArm,
  getArmSetting,
  isLiveSetting,
  withArmSetting,
} from '../experiment';
import { OBJECTIVE_TITLES, type ObjectiveId } from '../settings/objectives';
import { SAMPLING } from '../settings/sampling';
import type { SettingValue } from '../settings/setting';
import { WARM_START_ARM } from '../settings/warmStart';
import { POLICY_OBJECTIVES } from './policy';
import type { ObjectiveDescription, ObjectivePreset } from './preset';
import { WORLD_MODEL_OBJECTIVES } from './worldModel';

export { PRESET_FAMILIES } from './preset';
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

/** Settings that make up an objective: all but those of reward, optimiser, sampling and warm start, and its name. */
const objectivePaths: readonly ArmSettingPath[] = armSettings
  .map(({ path }) => path)
  .filter((path) => path !== 'objective' && !isOfReward(path))
  .filter((path) => ![OPTIMISER, SAMPLING, WARM_START_ARM].some((table) => Object.hasOwn(table, path)));

/** True if objective presets set it. */
export function isOfObjective(path: ArmSettingPath): boolean {
  return objectivePaths.includes(path);
}

const defaults = defaultArm('default', 'Default');

/** Value of a setting in a preset: its own, else the default. */
export function valueInPreset(preset: ObjectivePreset, path: ArmSettingPath): SettingValue {
  return preset.settings[path] ?? getArmSetting(defaults, path);
}

/** The arm with all settings of this objective, and none of its earlier one. */
export function withObjective(arm: Arm, preset: ObjectivePreset): Arm {
  return taking(objectivePaths, arm, preset);
}

/**
 * The arm after a person chooses an objective for it. An arm that predicts beside its policy gradient keeps its
 * prediction under another policy objective; the screen shows that as a change from the objective. An arm that imitates
 * its actions, or only predicts, keeps nothing: the new objective ends that phase.
 */
export function choosingObjective(arm: Arm, preset: ObjectivePreset): Arm {
  const chosen = withObjective(arm, preset);
  const predictsBeside = learnsByPrediction(arm) && arm.pg.action > 0 && arm.ce.action === 0;
  if (preset.family !== 'policy' || !predictsBeside) return chosen;
  const paths = objectivePaths.filter((path) => path.startsWith('ce.') || Object.hasOwn(WORLD_MODEL, path));
  return paths.reduce((changed, path) => withArmSetting(changed, path, getArmSetting(arm, path)), chosen);
}

/** `withObjective` while training: settings that need a restart keep their values. */
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
