/** Bounded list of measurements that a run makes now and then. */

/** Largest number of entries, more than a slider or a small curve can tell apart. */
const KEPT = 200;

/**
 * The list with one entry more, in the order of updates; entries of the same or a later update are dropped. If there are
 * too many, every second one is dropped, but never the newest.
 */
export function keepMeasured<T extends { readonly update: number }>(before: readonly T[], next: T): T[] {
  const updates = [...before.filter(({ update }) => update < next.update), next];
  return updates.length <= KEPT ? updates : updates.filter((_, index) => (updates.length - 1 - index) % 2 === 0);
}
