/** Remembers what is measured of a run now and then, within bounds. */

/** More than a slider or a small curve can tell apart. */
const KEPT = 200;

/**
 * With one more, in the order of updates; one of the same update, measured again, takes its place. Where there are too many
 * every second is forgotten, but never the newest.
 */
export function keepMeasured<T extends { readonly update: number }>(kept: readonly T[], next: T): T[] {
  const all = [...kept.filter(({ update }) => update < next.update), next];
  return all.length <= KEPT ? all : all.filter((_, index) => (all.length - 1 - index) % 2 === 0);
}
