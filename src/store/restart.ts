/** Planned changes of a run, and changes made while it trained: a restart keeps the first and begins from the second. */
import { type Arm, armSettings, type Experiment, getArmSetting, withArmSetting } from '../experiment/experiment';
import { effectiveArms } from '../experiment/timeline';
import type { LabState } from './lab';

type Run = Pick<LabState, 'edited' | 'running' | 'update' | 'copies'>;

/** Number of changes made while the run trained. The edited timeline has only those planned before it. */
export function changesMade({ edited, running }: Pick<Run, 'edited' | 'running'>): number {
  return running?.timeline.filter((change) => !edited.timeline.includes(change)).length ?? 0;
}

/**
 * Experiment of a restart: values as the controls show them, and the planned changes, which act again. A setting that a
 * planned change has moved begins where it began in the run; in a copy, where it began in the original.
 */
export function restartOf({ edited, running, update, copies }: Run): Experiment {
  const isOfRun = edited.timeline.some((change) => running?.timeline.includes(change));
  if (running === null || !isOfRun) return edited;
  const moved = effectiveArms({ ...running, timeline: edited.timeline }, update);
  const arms = edited.arms.map((arm) => {
    const original = copies[arm.id] ?? arm.id;
    const [before, after] = [running.arms, moved].map((all) => all.find(({ id }) => id === original));
    return before === undefined || after === undefined ? arm : movedBack(arm, before, after);
  });
  return { ...edited, arms };
}

function movedBack(arm: Arm, before: Arm, after: Arm): Arm {
  return armSettings.reduce(
    (next, { path }) =>
      getArmSetting(arm, path) === getArmSetting(after, path)
        ? withArmSetting(next, path, getArmSetting(before, path))
        : next,
    arm,
  );
}
