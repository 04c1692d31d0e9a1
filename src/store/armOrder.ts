/** The order of arms is how they are read, not what is trained: it changes beside a run, which keeps its own. */

interface Identified {
  readonly id: string;
}

/** The same arms as they stand in another list; those it does not have come last. */
export function inOrderOf<A extends Identified>(arms: readonly A[], order: readonly Identified[]): A[] {
  const place = ({ id }: A): number => {
    const at = order.findIndex((arm) => arm.id === id);
    return at < 0 ? order.length : at;
  };
  return arms.toSorted((a, b) => place(a) - place(b));
}
