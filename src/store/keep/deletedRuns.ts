/** Runs that were deleted a moment ago: they are out of the list, and can be taken back until their time is over. */
import { LabError } from '../../foundation/errors';
import type { KeptRun, RunArchive } from '../../storage/runs';

/** Milliseconds in which a deletion can be taken back. */
export const UNDO_FOR = 20_000;

/** Milliseconds left; fewer also where the clock was set back meanwhile. */
const leftOf = ({ deleted }: KeptRun): number => UNDO_FOR - Math.abs(Date.now() - (deleted ?? 0));

/** Notes a deletion, so that it can be taken back. True if there is no room even for that note, and the run is gone at once. */
export async function markDeleted(archive: RunArchive, id: number): Promise<boolean> {
  try {
    await archive.annotate(id, { deleted: Date.now() });
    return false;
  } catch (cause) {
    const refusal = cause instanceof LabError ? cause.cause : null;
    if (!(refusal instanceof DOMException && refusal.name === 'QuotaExceededError')) throw cause;
    await archive.remove(id);
    return true;
  }
}

interface Erased {
  readonly kept: readonly KeptRun[];
  /** Runs that can still be taken back. */
  readonly deleted: readonly KeptRun[];
  /** Runs that are gone now. */
  readonly gone: readonly KeptRun[];
}

/** Erases runs that were deleted long enough ago, in any tab. */
export async function eraseOld(archive: RunArchive, runs: readonly KeptRun[]): Promise<Erased> {
  const deleted = runs.filter((run) => run.deleted !== null);
  const gone = deleted.filter((run) => leftOf(run) <= 0);
  for (const { id } of gone) await archive.remove(id);
  return {
    kept: runs.filter((run) => run.deleted === null),
    deleted: deleted.filter((run) => !gone.includes(run)),
    gone,
  };
}

/** Milliseconds until the next deleted run is to be erased; null for none. */
export const nextErasure = (deleted: readonly KeptRun[]): number | null =>
  deleted.length === 0 ? null : Math.max(0, Math.min(...deleted.map(leftOf)));
