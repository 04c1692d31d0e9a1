/**
 * A disk in memory that knows what would outlast a loss of power: what was written before a file's `sync`, and names made
 * before their folder's `syncFolder`. Its operations are counted, and a plan says which of them fail.
 */
import type { Disk, OpenFile } from '../../src/cli/disk';

export type Operation =
  | 'makeFolder'
  | 'list'
  | 'read'
  | 'open'
  | 'write'
  | 'sync'
  | 'close'
  | 'rename'
  | 'remove'
  | 'syncFolder';

/** Of the n-th operation, from 0: the error it fails with; `cut`: the power is gone, now and for good. */
export type FaultPlan = (n: number, operation: Operation) => string | null;

/** What is there after a loss of power, of what was never synced. */
export const SURVIVORS = ['all', 'nothing', 'names without contents', 'every other name'] as const;
export type Survivors = (typeof SURVIVORS)[number];

interface Contents {
  bytes: Uint8Array;
  synced: Uint8Array;
}

/** A change of a folder's names: null removes. */
type Change = readonly (readonly [path: string, contents: Contents | null])[];

const NOTHING = new Uint8Array();

export class MemoryDisk implements Disk {
  /** Operations so far. */
  count = 0;
  plan: FaultPlan = () => null;
  readonly #folders = new Set<string>(['/']);
  readonly #files = new Map<string, Contents>();
  /** Names that outlast a loss of power, and changes since. */
  readonly #durable = new Map<string, Contents>();
  #pending: Change[] = [];
  #isOut = false;

  /** Throws if this operation fails. */
  #begin(operation: Operation): void {
    const code = this.#isOut ? 'cut' : this.plan(this.count++, operation);
    if (code === 'cut') this.#isOut = true;
    if (code !== null) throw failure(code === 'cut' ? 'EIO' : code);
  }

  async makeFolder(path: string): Promise<void> {
    this.#begin('makeFolder');
    if (this.#folders.has(path)) throw failure('EEXIST');
    if (!this.#folders.has(folderOf(path))) throw failure('ENOENT');
    this.#folders.add(path);
  }

  async list(path: string): Promise<string[]> {
    this.#begin('list');
    if (!this.#folders.has(path)) throw failure('ENOENT');
    return this.paths.filter((one) => folderOf(one) === path).map((one) => one.slice(path.length + 1));
  }

  async read(path: string): Promise<Uint8Array> {
    this.#begin('read');
    const contents = this.#files.get(path);
    if (contents === undefined) throw failure('ENOENT');
    return contents.bytes;
  }

  async open(path: string, flag: 'w' | 'wx'): Promise<OpenFile> {
    this.#begin('open');
    const there = this.#files.get(path);
    if (there !== undefined && flag === 'wx') throw failure('EEXIST');
    const contents = there ?? { bytes: NOTHING, synced: NOTHING };
    contents.bytes = NOTHING;
    if (there === undefined) this.#change([[path, contents]]);
    return {
      write: async (data) => {
        const bytes = Buffer.concat([contents.bytes, Buffer.from(data)]);
        // Whatever stops it, a part is there.
        contents.bytes = bytes.subarray(0, bytes.length / 2);
        this.#begin('write');
        contents.bytes = bytes;
      },
      sync: async () => {
        this.#begin('sync');
        contents.synced = contents.bytes;
      },
      close: async () => this.#begin('close'),
    };
  }

  async rename(from: string, to: string): Promise<void> {
    this.#begin('rename');
    const contents = this.#files.get(from);
    if (contents === undefined) throw failure('ENOENT');
    this.#change([
      [from, null],
      [to, contents],
    ]);
  }

  async remove(path: string): Promise<void> {
    this.#begin('remove');
    if (this.#files.has(path)) this.#change([[path, null]]);
  }

  async removeFolder(path: string): Promise<void> {
    this.#begin('remove');
    if (this.paths.some((one) => folderOf(one) === path)) throw failure('ENOTEMPTY');
    this.#folders.delete(path);
  }

  async syncFolder(): Promise<void> {
    this.#begin('syncFolder');
    for (const change of this.#pending) apply(this.#durable, change);
    this.#pending = [];
  }

  #change(change: Change): void {
    apply(this.#files, change);
    this.#pending.push(change);
  }

  get paths(): string[] {
    return [...this.#files.keys()];
  }

  put(path: string, bytes: Uint8Array): void {
    this.#files.set(path, { bytes, synced: bytes });
    this.#durable.set(path, { bytes, synced: bytes });
  }

  /** The disk as the next process finds it, after a loss of power, without faults. */
  after(survivors: Survivors): MemoryDisk {
    const names = new Map(this.#durable);
    this.#pending.forEach((change, i) => {
      const isThere = survivors === 'every other name' ? i % 2 === 1 : survivors !== 'nothing';
      if (isThere) apply(names, change);
    });
    const disk = new MemoryDisk();
    for (const folder of this.#folders) disk.#folders.add(folder);
    for (const [path, { bytes, synced }] of names) disk.put(path, survivors === 'all' ? bytes : synced);
    return disk;
  }
}

function apply(names: Map<string, Contents>, change: Change): void {
  for (const [path, contents] of change) {
    if (contents === null) names.delete(path);
    else names.set(path, contents);
  }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: as planned`), { code });
}
