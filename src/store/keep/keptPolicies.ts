/**
 * Policies of runs that this browser keeps, read and deleted for the page. The trainer writes them and goes on from them
 * (train/run/keep/keeper.ts). Where they cannot be read the lists are empty: the trainer says why as soon as it writes.
 */
import type { KeptRun } from '../../storage/runs';
import type { KeptStates, SnapshotArchive } from '../../storage/snapshots';

export class KeptPolicies {
  readonly #open: (() => Promise<SnapshotArchive>) | null;

  /** `open`: opens the archive, tried again after a failure; null if no policies are kept. */
  constructor(open: (() => Promise<SnapshotArchive>) | null) {
    this.#open = open;
  }

  /** Lists the kept states, the newest first. */
  list(): Promise<readonly KeptStates[]> {
    return this.#read((archive) => archive.list());
  }

  /** Pieces of a run's curves from an update on. */
  piecesFrom(run: string, update: number): Promise<readonly Uint8Array[]> {
    return this.#read((archive) => archive.curves(run, update));
  }

  async star(run: string, starred: boolean): Promise<void> {
    await (await this.#archive())?.star(run, starred);
  }

  /** Deletes those of runs that are gone. */
  async forget(runs: readonly KeptRun[]): Promise<void> {
    const archive = await this.#archive();
    for (const { run } of runs) if (run !== undefined) await archive?.remove(run);
  }

  async #archive(): Promise<SnapshotArchive | null> {
    return (await this.#open?.().catch(() => null)) ?? null;
  }

  async #read<T>(work: (archive: SnapshotArchive) => Promise<readonly T[]>): Promise<readonly T[]> {
    const archive = await this.#archive();
    return archive === null ? [] : work(archive).catch(() => []);
  }
}
