/** Drawing of a group's tree: the place of each branch, and what is known of the rollouts that take it. */
import type { Inspection } from '../../../../../train/looks/shown';

export interface DrawnBranch {
  /** Place in Inspection.tree. */
  readonly at: number;
  readonly parent: number;
  /** Branches between it and the first, and its row, counted in branches that end: a fork stands between its own. */
  readonly level: number;
  readonly row: number;
  readonly rollouts: readonly number[];
  /** Number of rollouts that end where it ends. */
  readonly ends: number;
  /** Share of its rollouts that succeeded, 0 … 1, and their mean reward. */
  readonly success: number;
  readonly reward: number;
  /** Mean reward less that of the branch it grows from: what the way taken was worth; NaN for the first. */
  readonly step: number;
}

/** Branches in the order in which the tree is read: each before those that grow from it, which stand together. */
export function drawTree({
  tree,
  rewards,
  successes,
}: Pick<Inspection, 'tree' | 'rewards' | 'successes'>): DrawnBranch[] {
  const grown = tree.map((_, at) => tree.flatMap(({ parent }, child) => (parent === at ? [child] : [])));
  const rows: number[] = [];
  let next = 0;
  for (const [at, own] of grown.entries()) if (own.length === 0) rows[at] = next++;
  // Children come after their parent, so from the last to the first all of a branch's are known.
  for (const at of [...tree.keys()].reverse()) {
    const own = grown[at] ?? [];
    if (own.length > 0) rows[at] = ((rows[own[0] ?? 0] ?? 0) + (rows[own.at(-1) ?? 0] ?? 0)) / 2;
  }
  const mean = (of: ArrayLike<number>, over: readonly number[]): number =>
    over.reduce((sum, rollout) => sum + (of[rollout] ?? Number.NaN), 0) / over.length;
  const drawn: DrawnBranch[] = [];
  for (const [at, { parent, rollouts, ends }] of tree.entries()) {
    const from = drawn[parent];
    const reward = mean(rewards, rollouts);
    drawn.push({
      ...{ at, parent, rollouts, reward },
      level: from === undefined ? 0 : from.level + 1,
      row: rows[at] ?? 0,
      ends: ends.length,
      success: mean(successes, rollouts),
      step: from === undefined ? Number.NaN : reward - from.reward,
    });
  }
  return drawn;
}

/** Branch that a key leads to: back along the way, on to the first that grows from it, up or down the column; null: none. */
export function treeStep(key: string, drawn: readonly DrawnBranch[], at: number): number | null {
  const here = drawn[at];
  if (here === undefined) return null;
  const column = drawn.filter(({ level }) => level === here.level).toSorted((a, b) => a.row - b.row);
  const place = column.indexOf(here);
  switch (key) {
    case 'ArrowLeft':
      return here.parent < 0 ? null : here.parent;
    case 'ArrowRight':
      return drawn.find(({ parent }) => parent === at)?.at ?? null;
    case 'ArrowUp':
      return column[place - 1]?.at ?? null;
    case 'ArrowDown':
      return column[place + 1]?.at ?? null;
    case 'Home':
      return 0;
    case 'End':
      return drawn.length - 1;
    default:
      return null;
  }
}
