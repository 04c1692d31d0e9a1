/**
 * Agreement (majority voting, TTRL, arXiv 2504.16084): how many episodes of a group end with the same action, so that no label
 * is needed. The group is what was played together: where an older policy plays some of a group's episodes, they are compared
 * among themselves.
 */
import { ROLE } from '../../foundation/roles';
import type { Trajectories } from './trajectories';

/** Writes the share of each episode's group that ends as it does (trajectories.agreed), for these episodes. */
export function noteAgreement(trajectories: Trajectories, played: readonly number[], groupSize: number): void {
  const groups = new Map<number, Map<string, number[]>>();
  for (const trajectory of played) {
    const group = Math.floor(trajectory / groupSize);
    const endings = groups.get(group) ?? new Map<string, number[]>();
    const ending = lastAction(trajectories, trajectory).join();
    groups.set(group, endings.set(ending, [...(endings.get(ending) ?? []), trajectory]));
  }
  for (const endings of groups.values()) {
    const size = [...endings.values()].reduce((sum, { length }) => sum + length, 0);
    for (const same of endings.values()) for (const episode of same) trajectories.agreed[episode] = same.length / size;
  }
}

/** Tokens of an episode's last action. */
function lastAction({ tokens, roles, turnEnds, turns, maxTurns, context }: Trajectories, trajectory: number): number[] {
  const end = trajectory * context + turnEnds[trajectory * maxTurns + turns[trajectory] - 1];
  let first = end;
  while (first > trajectory * context && roles[first - 1] === ROLE.action) first--;
  return Array.from(tokens.subarray(first, end + 1));
}
