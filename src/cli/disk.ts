/**
 * File system as runs use it: an interface of single operations, so that tests can make each of them fail; files that are
 * replaced whole; failures in words. Operations reject as those of node:fs/promises do.
 */
import { mkdir, open, readdir, readFile, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LabError } from '../foundation/errors';

export interface Disk {
  makeFolder(path: string): Promise<void>;
  /** Names in a folder. */
  list(path: string): Promise<string[]>;
  read(path: string): Promise<Uint8Array>;
  /** Opens a file for writing and empties it; `wx` rejects if it exists. */
  open(path: string, flag: 'w' | 'wx'): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; does nothing if there is none. */
  remove(path: string): Promise<void>;
  removeFolder(path: string): Promise<void>;
  /** Makes new, renamed and removed names in a folder survive a loss of power. */
  syncFolder(path: string): Promise<void>;
}

export interface OpenFile {
  /** Appends the whole of the data. */
  write(data: string | Uint8Array): Promise<void>;
  /** Makes what was written survive a loss of power. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export const nodeDisk: Disk = {
  makeFolder: (path) => mkdir(path),
  list: (path) => readdir(path),
  read: (path) => readFile(path),
  async open(path, flag) {
    const file = await open(path, flag);
    return {
      write: (data) => file.writeFile(data),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  removeFolder: (path) => rmdir(path),
  async syncFolder(path) {
    // Windows cannot open a folder; its renames need no sync.
    if (process.platform === 'win32') return;
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } catch (cause) {
      // Some network file systems cannot sync a folder.
      if (codeOf(cause) !== 'EINVAL') throw cause;
    } finally {
      await folder.close();
    }
  },
};

/** Error code such as `ENOSPC`; empty if the error has none. */
export function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/** Makes a folder and its parents if they do not exist. Rejects if there is a file of this name. */
export async function makeFolders(disk: Disk, path: string): Promise<void> {
  try {
    await disk.makeFolder(path);
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return void (await disk.list(path));
    if (codeOf(cause) !== 'ENOENT') throw cause;
    await makeFolders(disk, dirname(path));
    await disk.makeFolder(path);
  }
  await disk.syncFolder(dirname(path));
}

/** Name of a file while it is written; a killed process leaves a file of this name. */
export const draftOf = (path: string): string => join(dirname(path), `.${basename(path)}.draft`);

/**
 * Replaces a file: if the process or the power goes, either the old or the new file is there, whole. A failed write leaves
 * the old file and nothing else. `before` runs once the new file is written, just before it takes the old one's place.
 */
export async function replaceFile(
  disk: Disk,
  path: string,
  data: string | Uint8Array | AsyncIterable<string>,
  before: () => Promise<void> = async () => {},
): Promise<void> {
  const draft = draftOf(path);
  try {
    await pour(await disk.open(draft, 'w'), data, true);
    await before();
    await disk.rename(draft, path);
  } catch (cause) {
    await disk.remove(draft).catch(() => {});
    throw cause;
  }
  await disk.syncFolder(dirname(path));
}

/**
 * Writes a file that the user named: whole, as replaceFile does; straight into it if it is a pipe or a device, which nothing
 * may take the place of. Throws LabError 'storage'.
 */
export async function writeOutput(path: string, data: string | Uint8Array | AsyncIterable<string>): Promise<void> {
  try {
    const place = await placeOf(path);
    await (place.isDevice ? pour(await nodeDisk.open(path, 'w'), data) : replaceFile(nodeDisk, place.path, data));
  } catch (cause) {
    throw diskError(path, cause);
  }
}

/** Fails as writeOutput would, if it can be known before. Throws LabError 'storage'. */
export async function tryOutput(path: string): Promise<void> {
  try {
    const place = await placeOf(path);
    if (place.isDevice) return;
    // A file of its own: another process may be writing a draft there.
    const draft = `${draftOf(place.path)}-${process.pid}`;
    await (await nodeDisk.open(draft, 'w')).close();
    await nodeDisk.remove(draft);
  } catch (cause) {
    throw diskError(path, cause);
  }
}

/** File behind links. Rejects if it is a folder. */
async function placeOf(path: string): Promise<{ path: string; isDevice: boolean }> {
  const file = await stat(path).catch((cause) => {
    if (codeOf(cause) === 'ENOENT') return null;
    throw cause;
  });
  if (file === null) return { path, isDevice: false };
  if (file.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
  return { path: await realpath(path), isDevice: !file.isFile() };
}

async function pour(
  file: OpenFile,
  data: string | Uint8Array | AsyncIterable<string>,
  isSynced = false,
): Promise<void> {
  try {
    if (typeof data === 'string' || data instanceof Uint8Array) await file.write(data);
    else for await (const part of data) await file.write(part);
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
}

const FAILURES: Readonly<Record<string, (path: string) => readonly [what: string, advice: string]>> = {
  ENOSPC: (path) => [`The disk of ${path} is full.`, 'Make room there, or choose another place.'],
  EDQUOT: (path) => [`Your share of the disk of ${path} is full.`, 'Make room there, or choose another place.'],
  EROFS: (path) => [`${path} lies on a disk that can only be read.`, 'Choose another place.'],
  EACCES: (path) => [`${path} may not be written to by you.`, 'Choose another place, or ask for the right to.'],
  EPERM: (path) => [`${path} may not be written to by you.`, 'Choose another place, or ask for the right to.'],
  ENOTDIR: (path) => [`${path} is no folder, or lies in none.`, 'Name a folder, or one that is to be made.'],
  ENOENT: (path) => [`The folder of ${path} is not there.`, 'Make it, or choose another place.'],
  EISDIR: (path) => [`${path} is a folder.`, 'Name a file.'],
  EIO: (path) => [`The disk of ${path} fails (EIO).`, 'Choose another disk.'],
};

/** Error of the file system as LabError 'storage'; any other error unchanged. */
export function diskError(path: string, cause: unknown): unknown {
  if (cause instanceof LabError || codeOf(cause) === '') return cause;
  const known = FAILURES[codeOf(cause)]?.(path);
  const [what, advice] = known ?? [`${path} cannot be written: ${(cause as Error).message}.`, 'Choose another place.'];
  return new LabError('storage', what, advice, { cause });
}

/** Milliseconds between attempts: eight seconds in all, in which a full disk may get room again. */
const WAITS = [250, 500, 1000, 2000, 4000];

/** Repeats what may fail for a while; rejects with the last error. `waiting` is called with the first one. */
export async function patiently<T>(
  work: () => Promise<T>,
  waiting: (cause: unknown) => void,
  waits: readonly number[] = WAITS,
): Promise<T> {
  for (const [attempt, wait] of waits.entries()) {
    try {
      return await work();
    } catch (cause) {
      if (attempt === 0) waiting(cause);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return work();
}
