/**
 * Choice of the kept runs that make room for another: those that are cheapest to train again, so that half-second tries never push
 * out a run of hours.
 */
import type { KeptRun } from './runRecord';

export interface RoomLimits {
  readonly runs: number;
  readonly bytes: number;
  /** Number of newest runs that go only where nothing else can. */
  readonly newest: number;
}

export const ARCHIVE_LIMITS: RoomLimits = { runs: 400, bytes: 256 * 2 ** 20, newest: 10 };

/** Seconds of training; one an update for runs of a version that did not keep the time. */
const costOf = ({ seconds, updates }: KeptRun): number => seconds ?? updates;

/**
 * Runs to delete so that the others fit. Where there are too many, those go that took least time to train, the older of equals
 * first. Where they are too large, the cheaper of two choices: one run that frees enough alone, or several. Starred runs and
 * those of `spared` always stay, and the newest ones until there is nothing else to delete.
 */
export function surplus(
  runs: readonly KeptRun[],
  spared: ReadonlySet<number>,
  limits: RoomLimits = ARCHIVE_LIMITS,
): KeptRun[] {
  const byId = runs.toSorted((a, b) => b.id - a.id);
  const newest = new Set(byId.slice(0, limits.newest));
  const mayGo = byId
    .filter(({ id, starred }) => !starred && !spared.has(id))
    .toSorted((a, b) => Number(newest.has(a)) - Number(newest.has(b)) || costOf(a) - costOf(b) || a.id - b.id);
  const tooMany = mayGo.slice(0, Math.max(0, runs.length - limits.runs));
  const left = mayGo.slice(tooMany.length);
  return [...tooMany, ...cheapest(left, bytesOf(runs) - bytesOf(tooMany) - limits.bytes)];
}

/** Runs that free so many bytes. */
function cheapest(mayGo: readonly KeptRun[], excess: number): KeptRun[] {
  if (excess <= 0) return [];
  const alone = mayGo.find(({ bytes }) => bytes >= excess);
  const several: KeptRun[] = [];
  for (const run of mayGo) if (bytesOf(several) < excess) several.push(run);
  let spare = bytesOf(several) - excess;
  const needed = several.filter(({ bytes }) => {
    if (bytes > spare) return true;
    spare -= bytes;
    return false;
  });
  return alone !== undefined && costOf(alone) <= sum(needed.map(costOf)) ? [alone] : needed;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const bytesOf = (runs: readonly KeptRun[]): number => sum(runs.map(({ bytes }) => bytes));
