/** Planned changes of a run, and changes made while it trained: a restart keeps the first and begins from the second. */
import {
  type Arm,
  armSettings,
  type Change,
  type Experiment,
  getArmSetting,
  withArmSetting,
} from '../../experiment/experiment';
import { EVERY_ARM, effectiveArms } from '../../experiment/timeline';
import type { LabState } from '../lab';

type Run = Pick<LabState, 'edited' | 'running' | 'update' | 'copies' | 'marks' | 'told'>;

/**
 * Number of changes made while the run trained that a restart does not make again. The edited timeline has only those planned
 * before it.
 */
export function changesMade({ edited, running, marks }: Pick<Run, 'edited' | 'running' | 'marks'>): number {
  if (marks !== null) return 0;
  return running?.timeline.filter((change) => !edited.timeline.includes(change)).length ?? 0;
}

/**
 * Experiment of a restart: values as the controls show them, and the planned changes, which act again. A setting that a
 * planned change has moved begins where it began in the run; in a copy, where it began in the original. Where the run's changes
 * were edited, that is so of all settings that they have moved.
 */
export function restartOf({ edited, running, update, copies, marks, told }: Run): Experiment {
  if (running === null) return edited;
  const isOfRun = edited.timeline.some((change) => running.timeline.includes(change));
  if (!isOfRun && marks === null) return edited;
  const moved = marks === null ? effectiveArms({ ...running, timeline: edited.timeline }, update) : told;
  const arms = edited.arms.map((arm) => {
    const original = copies[arm.id] ?? arm.id;
    const [before, after] = [running.arms, moved].map((all) => all.find(({ id }) => id === original));
    return before === undefined || after === undefined ? arm : movedBack(arm, before, after);
  });
  return { ...edited, arms, timeline: marks === null ? edited.timeline : marksOf(marks, arms, copies) };
}

/** Edited changes of the arms that there are, copies included. */
function marksOf(marks: readonly Change[], arms: readonly Arm[], copies: LabState['copies']): Change[] {
  const originals = arms.map(({ id }) => [id, copies[id] ?? id] as const);
  return marks.flatMap((change) =>
    change.arm === EVERY_ARM
      ? [change]
      : originals.filter(([, original]) => original === change.arm).map(([id]) => ({ ...change, arm: id })),
  );
}

function movedBack(arm: Arm, before: Arm, after: Arm): Arm {
  const isMoved = JSON.stringify(arm.losses) === JSON.stringify(after.losses);
  return armSettings.reduce(
    (next, { path }) =>
      getArmSetting(arm, path) === getArmSetting(after, path)
        ? withArmSetting(next, path, getArmSetting(before, path))
        : next,
    isMoved ? { ...arm, losses: before.losses } : arm,
  );
}
