/**
 * Where an experiment's policies' files come from without anybody being asked: those opened before, out of this browser's
 * memory, and those that come with the lab, from its own server. Neither is touched until an experiment names a file.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { asLabError } from '../foundation/errors';
import type { KeptPolicy, PolicyArchive } from '../storage/policies';
import { type LabStore, missingPolicies } from './lab';
import { fetchPolicy, findShipped } from './shippedPolicies';

export interface ShelfState {
  /** Newest first. */
  readonly kept: readonly KeptPolicy[];
  /** Why they cannot be kept; null while they can. */
  readonly problem: string | null;
}

export class PolicyShelf {
  readonly store: StoreApi<ShelfState> = createStore<ShelfState>(() => ({ kept: [], problem: null }));
  readonly #lab: LabStore;
  readonly #open: () => Promise<PolicyArchive>;
  readonly #sought = new Map<string, Promise<void>>();
  #archive: Promise<PolicyArchive> | null = null;

  constructor(lab: LabStore, open: () => Promise<PolicyArchive>) {
    this.#lab = lab;
    this.#open = open;
    const seek = (): void => void this.seek();
    lab.subscribe((now, before) => {
      if (now.edited !== before.edited) seek();
    });
    seek();
  }

  /** Resolves when every file that the experiment on screen names was found or looked for in vain. */
  async seek(): Promise<void> {
    const state = this.#lab.getState();
    const seeking = missingPolicies(state, state.edited).map((hash) => {
      const found = this.#sought.get(hash) ?? this.#find(hash);
      this.#sought.set(hash, found);
      return found;
    });
    await Promise.all(seeking);
  }

  /** Keeps a file that was opened over a reload; those that come with the lab need no keeping. */
  async keep(sha256: string, file: File): Promise<void> {
    this.#sought.delete(sha256);
    await this.#with(async (archive) => {
      const shipped = await findShipped(sha256).catch(() => null);
      if (shipped === null) await archive.put(sha256, file);
    });
  }

  /** Out of this browser; the tab holds what it has opened until it is closed. */
  async remove(sha256: string): Promise<void> {
    await this.#with((archive) => archive.remove(sha256));
  }

  /** Reads what is kept. */
  async refresh(): Promise<void> {
    await this.#with(async () => {});
  }

  async #find(hash: string): Promise<void> {
    const file = (await this.#kept(hash)) ?? (await this.#shipped(hash));
    if (file === null) this.#lab.setState(({ absentPolicies }) => ({ absentPolicies: [...absentPolicies, hash] }));
    else this.#lab.setState(({ policyFiles }) => ({ policyFiles: { ...policyFiles, [hash]: file } }));
  }

  async #kept(hash: string): Promise<File | null> {
    try {
      return await (await this.#opened()).get(hash);
    } catch {
      // A browser that keeps nothing has not kept it.
      return null;
    }
  }

  async #shipped(hash: string): Promise<File | null> {
    try {
      const shipped = await findShipped(hash);
      return shipped === null ? null : await fetchPolicy(shipped);
    } catch {
      // The person is asked for the file, as for any other.
      return null;
    }
  }

  #opened(): Promise<PolicyArchive> {
    this.#archive ??= this.#open();
    return this.#archive;
  }

  async #with(work: (archive: PolicyArchive) => Promise<void>): Promise<void> {
    try {
      const archive = await this.#opened();
      await work(archive);
      this.store.setState({ kept: await archive.list(), problem: null });
    } catch (cause) {
      this.store.setState({ problem: asLabError(cause).message });
    }
  }
}
