/**
 * Folder of a run: the one that was named, or the next free one below lab-runs/. One process at a time writes to it. Files
 * are replaced whole and survive a loss of power. The checkpoint before the newest is kept, in case the newest is damaged.
 */
import { dirname, join } from 'node:path';
import { LabError } from '../../foundation/errors';
import { decodeCheckpoint, type ReadCheckpoint } from '../../train/run/keep/checkpoint';
import { codeOf, type Disk, diskError, draftOf, makeFolders, nodeDisk, replaceFile } from '../disk';
import { type FolderLock, lockFolder } from './folderLock';

const CHECKPOINT = 'checkpoint.safetensors';
const PREVIOUS = 'checkpoint.previous.safetensors';
const HEALTHY = 'checkpoint.healthy.safetensors';
const RESULT = 'result.json';
const FILES = [RESULT, CHECKPOINT, PREVIOUS, HEALTHY] as const;

/** Paths of a run's files in a folder, whether they are there or not. */
export const runFilesIn = (folder: string): string[] => FILES.map((name) => join(folder, name));

export class RunFolder {
  /** True if the user named the folder. */
  readonly named: boolean;
  readonly #base: string;
  readonly #disk: Disk;
  readonly #written = new Set<string>();
  #path: string | null = null;
  #lock: FolderLock | null = null;
  /** True if this process made the folder; it removes the folder again if nothing was saved in it. */
  #isOurs = false;
  /** True if the newest checkpoint is known to be whole; only then may it replace the one before it. */
  #isNewestWhole = false;

  private constructor(base: string, named: boolean, disk: Disk) {
    this.named = named;
    this.#base = base;
    this.#disk = disk;
  }

  static at(path: string, disk = nodeDisk): RunFolder {
    return new RunFolder(path, true, disk);
  }

  /** `base`, `base-2`, `base-3` …: the first that does not exist, made when it is first written to. */
  static free(base: string, disk = nodeDisk): RunFolder {
    return new RunFolder(base, false, disk);
  }

  /** Path; null until the folder is chosen. */
  get path(): string | null {
    return this.named ? this.#base : this.#path;
  }

  /** True if this process saved a result. */
  get hasResult(): boolean {
    return this.#written.has(RESULT);
  }

  /** Makes the folder if it does not exist, and locks it. Throws LabError 'storage' if either fails. */
  async open(): Promise<string> {
    if (this.#lock !== null) return this.#path as string;
    try {
      if (this.named) await this.#make(this.#base);
      const path = this.named ? this.#base : (this.#path ?? (await this.#claim()));
      this.#path = path;
      this.#lock = await lockFolder(this.#disk, path);
      // A process that was killed while it wrote has left them.
      for (const name of FILES) await this.#disk.remove(draftOf(join(path, name)));
      return path;
    } catch (cause) {
      throw diskError(this.#base, cause);
    }
  }

  async #make(path: string): Promise<void> {
    const isThere = await this.#disk.list(path).then(
      () => true,
      (cause) => {
        if (codeOf(cause) === 'ENOENT') return false;
        throw cause;
      },
    );
    if (isThere) return;
    await makeFolders(this.#disk, path);
    this.#isOurs = true;
  }

  async #claim(): Promise<string> {
    await makeFolders(this.#disk, dirname(this.#base));
    for (let number = 1; ; number++) {
      const path = number === 1 ? this.#base : `${this.#base}-${number}`;
      try {
        await this.#disk.makeFolder(path);
        this.#isOurs = true;
        return path;
      } catch (cause) {
        if (codeOf(cause) !== 'EEXIST') throw cause;
      }
    }
  }

  /** Names of a run's files in the folder. */
  async runFiles(): Promise<readonly string[]> {
    const path = await this.open();
    try {
      const names = await this.#disk.list(path);
      return FILES.filter((name) => names.includes(name));
    } catch (cause) {
      throw diskError(path, cause);
    }
  }

  /** Removes the run that is in the folder. */
  async clear(): Promise<void> {
    const path = await this.open();
    try {
      for (const name of FILES) await this.#disk.remove(join(path, name));
      await this.#disk.syncFolder(path);
    } catch (cause) {
      throw diskError(path, cause);
    }
  }

  /** Tells that the newest checkpoint in the folder was read and is whole. */
  trust(): void {
    this.#isNewestWhole = true;
  }

  async saveResult(pieces: AsyncIterable<string>): Promise<void> {
    await this.#save(RESULT, pieces, async () => {});
  }

  async saveCheckpoint(bytes: Uint8Array): Promise<void> {
    await this.#save(CHECKPOINT, bytes, async () => {
      if (!this.#isNewestWhole) return;
      const path = this.#path as string;
      await this.#disk.rename(join(path, CHECKPOINT), join(path, PREVIOUS));
      this.#isNewestWhole = false;
    });
    this.#isNewestWhole = true;
  }

  /** Saves the last state from before a divergence, ready to be continued. */
  async saveHealthy(bytes: Uint8Array): Promise<void> {
    await this.#save(HEALTHY, bytes, async () => {});
  }

  async #save(name: string, data: AsyncIterable<string> | Uint8Array, before: () => Promise<void>): Promise<void> {
    const path = await this.open();
    try {
      await replaceFile(this.#disk, join(path, name), data, before);
    } catch (cause) {
      throw diskError(path, cause);
    }
    this.#written.add(name);
  }

  /** Unlocks the folder, and removes it if this process made it and saved nothing. */
  async close(): Promise<void> {
    if (this.#lock === null) return;
    // A lock that stays is recognised as that of a dead process; an empty folder that stays does no harm.
    await this.#lock.release().catch(() => {});
    this.#lock = null;
    if (this.#isOurs && this.#written.size === 0) await this.#disk.removeFolder(this.#path as string).catch(() => {});
  }
}

/** Checkpoint of a run that is resumed or exported. */
export interface SavedRun {
  readonly checkpoint: ReadCheckpoint;
  /** False if the newest is damaged or missing; this is then the one before it. */
  readonly isNewest: boolean;
  /** Sentences for the user: damage that was found, a missing checksum. */
  readonly remarks: readonly string[];
}

/** Reads the last state from before a divergence. Throws LabError 'invalid-experiment' if there is none. */
export async function readHealthy(directory: string, disk = nodeDisk): Promise<SavedRun> {
  const checkpoint = await readCheckpoint(disk, directory, HEALTHY);
  if (!(checkpoint instanceof LabError)) return { checkpoint, isNewest: false, remarks: [] };
  const advice =
    'Leave --roll-back out: a run that has not diverged, or was never healthy, has no state to go back to.';
  throw new LabError('invalid-experiment', checkpoint.what, advice, { cause: checkpoint });
}

/** Reads the newest whole checkpoint in a folder. Throws LabError 'invalid-experiment' if there is none. */
export async function readRun(directory: string, disk = nodeDisk): Promise<SavedRun> {
  const newest = await readCheckpoint(disk, directory, CHECKPOINT);
  if (!(newest instanceof LabError)) return { checkpoint: newest, isNewest: true, remarks: remarksOn(newest) };
  const previous = await readCheckpoint(disk, directory, PREVIOUS);
  if (previous instanceof LabError) throw newest;
  const { update } = previous.snapshot;
  const remark = `The newest checkpoint cannot be used: ${newest.what} The one before it is whole, after update ${update}.`;
  return { checkpoint: previous, isNewest: false, remarks: [remark, ...remarksOn(previous)] };
}

function remarksOn({ verified }: ReadCheckpoint): string[] {
  if (verified) return [];
  return ['The checkpoint is from before checkpoints had checksums: nothing tells whether it is as it was written.'];
}

async function readCheckpoint(disk: Disk, directory: string, name: string): Promise<ReadCheckpoint | LabError> {
  let bytes: Uint8Array;
  try {
    bytes = await disk.read(join(directory, name));
  } catch (cause) {
    const known = ['ENOENT', 'ENOTDIR'].includes(codeOf(cause));
    const what = known
      ? `There is no ${name} in ${directory}.`
      : `${directory}/${name} cannot be read: ${String(cause)}.`;
    return new LabError('invalid-experiment', what, 'Name the folder that an interrupted run left.', { cause });
  }
  try {
    return decodeCheckpoint(bytes);
  } catch (cause) {
    if (cause instanceof LabError) return cause;
    throw cause;
  }
}
