/**
 * Source of the policy files that an experiment names: files opened before, from this browser's storage, and shipped
 * ones, from the lab's own server. Neither is asked before an experiment names a file.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { shippedPath } from '../../experiment/shippedPolicies';
import { asLabError } from '../../foundation/errors';
import { sha256Of } from '../../foundation/sha256';
import type { KeptPolicy, PolicyArchive } from '../../storage/policies';
import { type Absence, type LabStore, missingPolicies } from '../lab';
import { fetchShipped } from './shippedPolicies';

export interface ShelfState {
  /** Files kept in this browser, newest first. */
  readonly kept: readonly KeptPolicy[];
  /** Reason why files cannot be kept; null if they can. */
  readonly problem: string | null;
}

export class PolicyShelf {
  readonly store: StoreApi<ShelfState> = createStore<ShelfState>(() => ({ kept: [], problem: null }));
  readonly #lab: LabStore;
  readonly #open: () => Promise<PolicyArchive>;
  readonly #sought = new Map<string, Promise<void>>();
  #archive: Promise<PolicyArchive> | null = null;
  #readModel: (hash: string, file: File) => Promise<boolean> = async () => false;

  constructor(lab: LabStore, open: () => Promise<PolicyArchive>) {
    this.#lab = lab;
    this.#open = open;
    const seek = (): void => void this.seek();
    lab.subscribe((now, before) => {
      if (now.edited !== before.edited) seek();
    });
    seek();
  }

  /** Looks for every file that the experiment on screen names; resolves when each is found or known to be absent. */
  async seek(): Promise<void> {
    const state = this.#lab.getState();
    const seeking = missingPolicies(state, state.edited).map((hash) => {
      const search = this.#sought.get(hash) ?? this.#find(hash);
      this.#sought.set(hash, search);
      return search;
    });
    await Promise.all(seeking);
  }

  /** Keeps an opened file for after a reload; shipped files need no keeping. */
  async keep(sha256: string, file: File): Promise<void> {
    this.#sought.delete(sha256);
    await this.#with(async (archive) => {
      if (shippedPath(sha256) === null) await archive.put(sha256, file);
    });
  }

  /** `read` is given kept folders of language models: true where it has that hash, and is known from then on. */
  onModel(read: (hash: string, file: File) => Promise<boolean>): void {
    this.#readModel = read;
    void this.seek();
  }

  /** Has the folder of a language model, and keeps it for after a reload. */
  async keepModel(hash: string, file: File): Promise<void> {
    this.#sought.delete(hash);
    this.#hold(hash, file);
    await this.#with((archive) => archive.put(hash, file));
  }

  /** A kept file, unchecked; null where it is gone. */
  async file(sha256: string): Promise<File | null> {
    let file: File | null = null;
    await this.#with(async (archive) => {
      file = await archive.get(sha256);
    });
    return file;
  }

  /** Removes a file from this browser's storage; the tab still has it until it is closed. */
  async remove(sha256: string): Promise<void> {
    await this.#with((archive) => archive.remove(sha256));
  }

  /** Reads the list of kept files. */
  async refresh(): Promise<void> {
    await this.#with(async () => {});
  }

  async #find(hash: string): Promise<void> {
    const file = await this.#kept(hash);
    if (file instanceof File) return this.#hold(hash, file);
    // Weights alone are no folder, though the lab has the same ones.
    const isModel = this.#lab.getState().edited.policy.model === hash;
    const shipped = isModel ? 'unknown' : await shippedFile(hash);
    if (shipped instanceof File) return this.#hold(hash, shipped);
    const why = file === 'unknown' ? shipped : file;
    this.#lab.setState(({ absentPolicies }) => ({ absentPolicies: { ...absentPolicies, [hash]: why } }));
  }

  #hold(hash: string, file: File): void {
    this.#lab.setState(({ policyFiles }) => ({ policyFiles: { ...policyFiles, [hash]: file } }));
  }

  /** A kept file; a damaged copy is deleted, because nothing could begin from it. */
  async #kept(hash: string): Promise<File | Absence> {
    try {
      const file = await (await this.#archiveOnce()).get(hash);
      if (file === null) return 'unknown';
      if (await this.#isSound(file, hash)) return file;
    } catch {
      // The browser allows no storage, so it cannot have the file.
      return 'unknown';
    }
    await this.remove(hash);
    return 'kept-damaged';
  }

  async #isSound(file: File, hash: string): Promise<boolean> {
    const { openPacked } = await import('../../llama/packed');
    return (await openPacked(file)) === null ? isSound(file, hash) : this.#readModel(hash, file);
  }

  #archiveOnce(): Promise<PolicyArchive> {
    this.#archive ??= this.#open();
    return this.#archive;
  }

  async #with(work: (archive: PolicyArchive) => Promise<void>): Promise<void> {
    try {
      const archive = await this.#archiveOnce();
      await work(archive);
      this.store.setState({ kept: await archive.list(), problem: null });
    } catch (cause) {
      this.store.setState({ problem: asLabError(cause).message });
    }
  }
}

async function shippedFile(hash: string): Promise<File | Absence> {
  const shipped = shippedPath(hash);
  if (shipped === null) return 'unknown';
  try {
    const file = await fetchShipped(shipped);
    return (await isSound(file, hash)) ? file : 'shipped-damaged';
  } catch {
    // The user is asked for the file, as for any other.
    return 'unknown';
  }
}

/** True if a file has its hash. Pages without a secure context cannot compute hashes; there reading the file reports it. */
async function isSound(file: File, hash: string): Promise<boolean> {
  return globalThis.isSecureContext === false || (await sha256Of(file)) === hash;
}
