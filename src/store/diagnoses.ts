/** Remembers what was measured of a run's batches, within bounds. */
import type { Diagnosis } from '../rl/diagnosis/table';

/** More than a slider can tell apart. */
const KEPT = 200;

/**
 * With one more, in the order of updates; one of the same update, computed again after a loss, takes its place. Where there are
 * too many every second is forgotten, but never the newest.
 */
export function keepDiagnosis(kept: readonly Diagnosis[], next: Diagnosis): Diagnosis[] {
  const all = [...kept.filter(({ update }) => update < next.update), next];
  return all.length <= KEPT ? all : all.filter((_, index) => (all.length - 1 - index) % 2 === 0);
}
