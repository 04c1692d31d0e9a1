/** Order of arms. It matters only to readers: the editor's order may change during a run, and the run keeps its own. */

interface Identified {
  readonly id: string;
}

/** The arms in the order of another list; those it does not have come last. */
export function inOrderOf<A extends Identified>(arms: readonly A[], order: readonly Identified[]): A[] {
  const place = ({ id }: A): number => {
    const at = order.findIndex((arm) => arm.id === id);
    return at < 0 ? order.length : at;
  };
  return arms.toSorted((a, b) => place(a) - place(b));
}
