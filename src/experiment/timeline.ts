/**
 * Changes made while training. A change acts before its update begins and stays until another replaces it. The timeline
 * is part of the experiment: a link replays every change, not only the last settings.
 */
import { LabError } from '../foundation/errors';
import { type Arm, type Change, type Experiment, withArmPart } from './experiment';
import { findObjective, withObjectiveLive } from './objectives/objectivePresets';
import { LIMITS } from './settings/tables';

/** Name for all arms in a change. */
export const EVERY_ARM = '*';

/** The arms in an update: with all changes up to and including those at `update`. */
export function effectiveArms(experiment: Pick<Experiment, 'arms' | 'timeline'>, update: number): Arm[] {
  const due = experiment.timeline.filter((change) => change.update <= update).sort((a, b) => a.update - b.update);
  return experiment.arms.map((arm) =>
    due.reduce((changed, change) => (actsOn(change, arm) ? applyChange(changed, change) : changed), arm),
  );
}

export function actsOn(change: Change, arm: Pick<Arm, 'id'>): boolean {
  return change.arm === EVERY_ARM || change.arm === arm.id;
}

/** The arm after a change. A change of objective sets all its live settings; later changes act on top of them. */
function applyChange(arm: Arm, { setting, value }: Change): Arm {
  const objective = setting === 'objective' ? findObjective(String(value)) : undefined;
  if (objective !== undefined) return withObjectiveLive(arm, objective);
  return withArmPart(arm, setting, value);
}

/**
 * The timeline with changes added, in order of update. A change replaces an earlier one of the same setting, arm and
 * update; a change of all arms also replaces those of single arms.
 */
export function recordChanges(timeline: readonly Change[], changes: readonly Change[]): Change[] {
  let recorded = [...timeline];
  for (const added of changes) {
    const isReplaced = (old: Change) =>
      old.update === added.update &&
      old.setting === added.setting &&
      (added.arm === EVERY_ARM || old.arm === added.arm);
    recorded = recorded.filter((old) => !isReplaced(old));
    recorded.push({ ...added });
  }
  if (recorded.length > LIMITS.changes) {
    throw new LabError(
      'limits',
      `An experiment remembers at most ${LIMITS.changes} changes made while training.`,
      'Start again from the present settings to go on changing them.',
    );
  }
  return recorded.sort((a, b) => a.update - b.update);
}

/** Updates between which a change can be moved without meeting another of the same setting and arm, both included. */
export function roomOf(
  { timeline, updates }: Pick<Experiment, 'timeline' | 'updates'>,
  change: Change,
): readonly [first: number, last: number] {
  const meets = (other: Change): boolean =>
    other !== change &&
    other.setting === change.setting &&
    (other.arm === change.arm || other.arm === EVERY_ARM || change.arm === EVERY_ARM);
  const met = timeline.filter(meets).map(({ update }) => update);
  const before = Math.max(-1, ...met.filter((update) => update <= change.update));
  const after = Math.min(updates, ...met.filter((update) => update > change.update));
  return [Math.min(before + 1, change.update), Math.max(after - 1, change.update)];
}
