/**
 * The rollouts of a group as one tree of what they share, for a person to look at. A rollout is its prompt and then its turns,
 * each the words of the action with what the world answered; thoughts are left out, as in the histories that credit by the
 * tree compares (Trajectories.turnPath). Stretches on which all stay together are one branch.
 */
import { isDrawn, ROLE } from '../../foundation/roles';
import type { Trajectories } from '../play/trajectories';

export interface TreeBranch {
  /** Place of the branch it grows from; −1 for the first, which begins with the prompt. */
  readonly parent: number;
  /** Turns before the branch, and in it. */
  readonly from: number;
  readonly turns: number;
  /** Words said and done on the branch, and their roles. */
  readonly tokens: readonly number[];
  readonly roles: readonly number[];
  /** Rollouts that take the branch, and those of them that end with it, as places in the group. */
  readonly rollouts: readonly number[];
  readonly ends: readonly number[];
}

interface Step {
  readonly tokens: number[];
  readonly roles: number[];
}

/** Branches of the tree, each after the one it grows from; of two from the same place the one that more rollouts take is first. */
export function groupTree(trajectories: Trajectories, first: number, size: number): TreeBranch[] {
  const { context, lengths, tokens, roles } = trajectories;
  const steps = Array.from({ length: size }, (_, i) => {
    const from = (first + i) * context;
    const to = from + lengths[first + i];
    return stepsOf(tokens.subarray(from, to), roles.subarray(from, to));
  });
  const branches: TreeBranch[] = [];
  grow(branches, steps, [...steps.keys()], -1, 0);
  return branches;
}

/** The prompt, then turn by turn: an action, and all that was said until the next. */
function stepsOf(tokens: Uint16Array, roles: Uint8Array): Step[] {
  const steps: Step[] = [{ tokens: [], roles: [] }];
  let isActing = false;
  for (const [t, role] of roles.entries()) {
    if (role === ROLE.thought) continue;
    if (isDrawn(role) && !isActing) steps.push({ tokens: [], roles: [] });
    isActing = isDrawn(role);
    const step = steps[steps.length - 1];
    step.tokens.push(tokens[t]);
    step.roles.push(role);
  }
  return steps;
}

/** Adds the branch that these rollouts take from step `at` on, and all that grow from it. */
function grow(
  branches: TreeBranch[],
  steps: readonly (readonly Step[])[],
  rollouts: readonly number[],
  parent: number,
  at: number,
): void {
  const apart = (step: number): Map<string, number[]> => {
    const ways = new Map<string, number[]>();
    for (const rollout of rollouts) {
      const action = steps[rollout][step];
      const key = action === undefined ? '' : `go ${action.tokens.join(' ')}`;
      ways.set(key, [...(ways.get(key) ?? []), rollout]);
    }
    return ways;
  };
  const shared: Step[] = [];
  let ways = apart(at);
  while (ways.size === 1 && !ways.has('')) {
    shared.push(steps[rollouts[0]][at + shared.length]);
    ways = apart(at + shared.length);
  }
  const before = Math.max(0, at - 1);
  const end = at + shared.length;
  const branch =
    branches.push({
      parent,
      from: before,
      turns: Math.max(0, end - 1) - before,
      tokens: shared.flatMap((step) => step.tokens),
      roles: shared.flatMap((step) => step.roles),
      rollouts,
      ends: ways.get('') ?? [],
    }) - 1;
  ways.delete('');
  for (const way of [...ways.values()].sort((a, b) => b.length - a.length)) grow(branches, steps, way, branch, end);
}
