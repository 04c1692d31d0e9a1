/** The two arms that a verdict compares, chosen before anything is measured: no result picks them. */
import type { Arm } from '../experiment';

export interface AskedPair<A> {
  /** Pair of arms, or fewer arms where there are no two. */
  readonly pair: readonly A[];
  /** True where both are arms of the preset: its question is about its first two. */
  readonly isOfQuestion: boolean;
}

/** The preset's arms come first, in its order, then those of the experiment, in theirs. */
export function askedPair<A extends Pick<Arm, 'id'>>(
  arms: readonly A[],
  presetArms: readonly Pick<Arm, 'id'>[],
): AskedPair<A> {
  const questioned = presetArms.flatMap(({ id }) => arms.find((arm) => arm.id === id) ?? []);
  const pair = [...questioned, ...arms.filter((arm) => !questioned.includes(arm))].slice(0, 2);
  return { pair, isOfQuestion: questioned.length > 1 };
}
