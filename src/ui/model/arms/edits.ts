/** Edits of an experiment's arms, as new values. Ids are never shown and never change, so that links keep their meaning. */

import { freeId, freeName } from '../../../experiment/arm/freshArm';
import { isFixed } from '../../../experiment/arm/policyFiles';
import { type Arm, type ArmSettingPath, type Experiment, withArmSetting } from '../../../experiment/experiment';
import { type ObjectivePreset, withObjective } from '../../../experiment/objectives/objectivePresets';
import type { SettingValue } from '../../../experiment/settings/setting';
import { LIMITS } from '../../../experiment/settings/tables';

export function replaceArm(experiment: Experiment, id: string, next: (arm: Arm) => Arm): Experiment {
  return { ...experiment, arms: experiment.arms.map((arm) => (arm.id === id ? next(arm) : arm)) };
}

export function setInArm(experiment: Experiment, id: string, path: ArmSettingPath, value: SettingValue): Experiment {
  return replaceArm(experiment, id, (arm) => withArmSetting(arm, path, value));
}

export function renameArm(experiment: Experiment, id: string, name: string): Experiment {
  return replaceArm(experiment, id, (arm) => ({ ...arm, name }));
}

export function canAddArm({ arms }: Experiment): boolean {
  return arms.length < LIMITS.arms;
}

/** A copy right after its original, with changes planned for it alone: both go on alike until one is edited. */
export function duplicateArm(experiment: Experiment, id: string): Experiment {
  const index = experiment.arms.findIndex((arm) => arm.id === id);
  const original = experiment.arms[index];
  if (original === undefined || !canAddArm(experiment)) return experiment;
  const copy = { ...original, id: freeId(experiment), name: freeName(experiment, original.name) };
  const planned = experiment.timeline.flatMap((change) =>
    change.arm === id ? [change, { ...change, arm: copy.id }] : [change],
  );
  return { ...experiment, arms: experiment.arms.toSpliced(index + 1, 0, copy), timeline: planned };
}

/**
 * An arm that learns by another objective, after the others: in all that is no part of an objective (reward, optimiser,
 * sampling, warm start) it is as the first arm that learns.
 */
export function addMethodArm(experiment: Experiment, objective: ObjectivePreset): Experiment {
  const first = experiment.arms.find((arm) => !isFixed(arm));
  if (first === undefined || !canAddArm(experiment)) return experiment;
  const { title } = objective;
  const isFree = experiment.arms.every(({ name }) => name !== title);
  const named = { id: freeId(experiment), name: isFree ? title : freeName(experiment, title), losses: [] };
  return { ...experiment, arms: [...experiment.arms, { ...withObjective(first, objective), ...named }] };
}

/** Experiment with a further arm that is a policy out of a file; its tasks and reward are those of the last arm. */
export function addFixedArm(experiment: Experiment, fixedPolicy: string, name: string): Experiment {
  const last = experiment.arms.at(-1);
  if (last === undefined || !canAddArm(experiment)) return experiment;
  const isFree = experiment.arms.every((arm) => arm.name !== name);
  const short = name.slice(0, 60);
  const named = { id: freeId(experiment), name: isFree ? short : freeName(experiment, short) };
  return { ...experiment, arms: [...experiment.arms, { ...last, ...named, fixedPolicy }] };
}

/** Up (−1) or down (1) by one place; at the end it stays. */
export function moveArm(experiment: Experiment, id: string, by: -1 | 1): Experiment {
  const from = experiment.arms.findIndex((arm) => arm.id === id);
  const [arm, other] = [experiment.arms[from], experiment.arms[from + by]];
  if (arm === undefined || other === undefined) return experiment;
  return { ...experiment, arms: experiment.arms.with(from, other).with(from + by, arm) };
}

/** Experiment without an arm and the arm's changes; the last arm stays. */
export function removeArm(experiment: Experiment, id: string): Experiment {
  if (experiment.arms.length === 1) return experiment;
  return {
    ...experiment,
    arms: experiment.arms.filter((arm) => arm.id !== id),
    timeline: experiment.timeline.filter((change) => change.arm !== id),
  };
}
