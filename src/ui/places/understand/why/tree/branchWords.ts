/** A branch of a group's tree in words. */
import { ROLE } from '../../../../../foundation/roles';
import type { Inspection } from '../../../../../train/looks/shown';
import { formatPercent, plural } from '../../../../kit/format';
import { writeToken } from '../../../../model/tokens/tokenWords';
import type { DrawnBranch } from './drawn';

type Tree = Inspection['tree'];

/** Words the policy did on a branch, the first few: `↑ ↑ → …`; of the prompt alone `start`. */
export function doneOn(branch: Tree[number] | undefined, words: readonly string[], most: number): string {
  const done = (branch?.tokens ?? []).filter((_, i) => branch?.roles[i] === ROLE.action);
  if (done.length === 0) return branch?.parent === -1 ? 'start' : 'end';
  const shown = done.slice(0, most).map((token) => writeToken(words[token] ?? '?'));
  return done.length > most ? `${shown.join(' ')} …` : shown.join(' ');
}

/** Turns of a branch: `turn 3`, `turns 3 to 5`, `before the first turn`. */
export function turnsOn({ from, turns }: Tree[number]): string {
  if (turns === 0) return from === 0 ? 'before the first turn' : `after turn ${from}`;
  return turns === 1 ? `turn ${from + 1}` : `turns ${from + 1} to ${from + turns}`;
}

/** Number of a branch among those that grow from the same place, from the first on: `1`, `1.2`, `1.2.1`. */
export function numberOf(drawn: readonly DrawnBranch[], at: number): string {
  const here = drawn[at];
  if (here === undefined || here.parent < 0) return '1';
  const among = drawn.filter(({ parent }) => parent === here.parent).indexOf(here) + 1;
  return `${numberOf(drawn, here.parent)}.${among}`;
}

/** Words read aloud of a branch, after what is done on it. */
export function saidOf(drawn: DrawnBranch, branch: Tree[number]): string {
  const ended = drawn.ends === 0 ? '' : `, ${drawn.ends} end here`;
  return `, ${turnsOn(branch)}: ${plural(drawn.rollouts.length, 'rollout')}, ${formatPercent(drawn.success)} succeed${ended}`;
}
