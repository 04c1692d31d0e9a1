/**
 * Branches: arms that are copies of another until some update and differ from it in one change from there on. All draws of a
 * run are keyed by seed and never by arm, so a copy's numbers are its parent's, bit for bit, until a change of one of them acts.
 * An experiment does not say which arms are branches: it follows from its arms and their changes.
 */
import type { Arm, Change, Experiment } from '../experiment';
import { actsOn, EVERY_ARM, recordChanges } from '../timeline';

export interface BranchChange {
  /** Id of the arm that the branch is a copy of. */
  readonly parent: string;
  /** Update from which the change acts, at least 0. */
  readonly update: number;
  /** Path of a live setting, or of a part of a loss of its own. */
  readonly setting: string;
  readonly value: Change['value'];
}

/**
 * The experiment with a branch right after its parent. The branch has all changes of its parent and the one more; later ones of the
 * same setting it leaves out, since they would undo its own.
 */
export function withBranch(
  experiment: Experiment,
  named: Pick<Arm, 'id' | 'name'>,
  { parent, update, setting, value }: BranchChange,
): Experiment {
  const { arms, timeline } = experiment;
  const index = arms.findIndex(({ id }) => id === parent);
  const original = arms[index];
  if (original === undefined) return experiment;
  const undoes = (change: Change): boolean => change.setting === setting && change.update > update;
  const inherited = timeline.flatMap((change): Change[] => {
    if (!actsOn(change, original)) return [change];
    if (change.arm === EVERY_ARM && !undoes(change)) return [change];
    if (change.arm === EVERY_ARM) return arms.map(({ id }) => ({ ...change, arm: id }));
    return undoes(change) ? [change] : [change, { ...change, arm: named.id }];
  });
  return {
    ...experiment,
    arms: arms.toSpliced(index + 1, 0, { ...original, ...named }),
    timeline: recordChanges(inherited, [{ update, arm: named.id, setting, value }]),
  };
}

export interface Branching {
  /** Id of the arm that it is a copy of. */
  readonly parent: string;
  /** Update from which the two differ, above 0. */
  readonly update: number;
}

/** Branches of an experiment, by their ids: arms that begin as an arm before them and differ from it from some update on. */
export function branchesOf(experiment: Pick<Experiment, 'arms' | 'timeline'>): ReadonlyMap<string, Branching> {
  const { arms, timeline } = experiment;
  const all = arms.map((arm) => ({ id: arm.id, beginning: beginningOf(arm), changes: changesOf(timeline, arm.id) }));
  const branchings = new Map<string, Branching>();
  all.forEach(({ id, beginning, changes }, index) => {
    const parents = all.slice(0, index).filter((one) => one.beginning === beginning);
    const points = parents.map((one) => ({ parent: one.id, update: parting(one.changes, changes) }));
    // Among several, the one that it was alike for longest.
    const last = points.reduce<Branching | null>((a, b) => (a === null || b.update > a.update ? b : a), null);
    if (last !== null && last.update > 0 && Number.isFinite(last.update)) branchings.set(id, last);
  });
  return branchings;
}

/** True for a change that a branch has from its parent, whose mark shows it for both. */
export function isInherited(
  branches: ReturnType<typeof branchesOf>,
  { arm, update }: Pick<Change, 'arm' | 'update'>,
): boolean {
  return update < (branches.get(arm)?.update ?? 0);
}

/** A change, and the same in the branches that have it from its arm. */
export function withHeirs({ arms, timeline }: Pick<Experiment, 'arms' | 'timeline'>, change: Change): Change[] {
  const branches = branchesOf({ arms, timeline });
  const isHeir = (id: string): boolean => {
    const branching = branches.get(id);
    if (branching === undefined || change.update >= branching.update) return false;
    return branching.parent === change.arm || isHeir(branching.parent);
  };
  const same = (other: Change): boolean =>
    other.update === change.update && other.setting === change.setting && other.value === change.value;
  return timeline.filter((other) => other === change || (same(other) && isHeir(other.arm)));
}

/** An arm but for its names, as a text. */
const beginningOf = (arm: Arm): string => JSON.stringify({ ...arm, id: '', name: '' });

/** Updates of the changes that act on an arm, by update, setting and value as one text. */
function changesOf(timeline: readonly Change[], id: string): ReadonlyMap<string, number> {
  const changes = timeline.filter(({ arm }) => arm === id || arm === EVERY_ARM);
  return new Map(changes.map(({ update, setting, value }) => [JSON.stringify([update, setting, value]), update]));
}

/** First update at which the changes of two arms differ; Infinity if they never do. */
function parting(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const only = [...one]
    .filter(([change]) => !other.has(change))
    .concat([...other].filter(([change]) => !one.has(change)));
  return Math.min(Number.POSITIVE_INFINITY, ...only.map(([, update]) => update));
}
