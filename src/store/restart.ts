/** What is planned for a run and what was changed while it trained: a restart keeps the first and begins from the second. */
import { type Arm, armSettings, type Experiment, getArmSetting, withArmSetting } from '../experiment/experiment';
import { effectiveArms } from '../experiment/timeline';
import type { LabState } from './lab';

type Run = Pick<LabState, 'edited' | 'running' | 'update'>;

/** Changes made while the run trained. Those planned before it are what the controls still hold. */
export function changesMade({ edited, running }: Omit<Run, 'update'>): number {
  return running?.timeline.filter((change) => !edited.timeline.includes(change)).length ?? 0;
}

/**
 * What begins when the run starts anew: values as the controls show them, and the planned changes, which act again. So a
 * setting that stands where a planned change has moved it begins where it began.
 */
export function restartOf({ edited, running, update }: Run): Experiment {
  const isOfRun = edited.timeline.some((change) => running?.timeline.includes(change));
  if (running === null || !isOfRun) return edited;
  const moved = effectiveArms({ ...running, timeline: edited.timeline }, update);
  const arms = edited.arms.map((arm) => {
    const [before, after] = [running.arms, moved].map((all) => all.find(({ id }) => id === arm.id));
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
