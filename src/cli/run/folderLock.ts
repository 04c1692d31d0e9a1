/**
 * Lock of a folder: one process at a time writes to it. Each process makes a file whose name identifies the process, then
 * lists the folder: two that begin at once see each other. Files of dead processes are removed. No two processes share a
 * name, so nobody removes the file of a living one; with a single lock file, two that take it over at once could.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { LabError } from '../../foundation/errors';
import { codeOf, type Disk } from '../disk';

/** Process that holds or wants a lock; fields are empty if unknown. */
interface Holder {
  readonly pid: number;
  /** Start of the process, in clock ticks since the machine started: process numbers are used again. */
  readonly began: string;
  /** Host and process namespace, which differs between containers; escaped as in web addresses. */
  readonly machine: string;
}

const PREFIX = '.lock';
/** Character that escaped text never contains. */
const SEPARATOR = ',';
/** Number of attempts where processes begin at the same moment, and the longest pause between two, in milliseconds. */
const ATTEMPTS = 4;
const PAUSE = 200;

/** Name of the file of a process. */
const nameOf = ({ pid, began, machine }: Holder): string => [PREFIX, pid, began, machine].join(SEPARATOR);

function holderIn(name: string): Holder | null {
  const [prefix, pid, began, machine] = name.split(SEPARATOR);
  if (prefix !== PREFIX || began === undefined || machine === undefined || !/^\d+$/.test(pid ?? '')) return null;
  return { pid: Number(pid), began, machine };
}

/** Start and state of a process as Linux tells them; empty on other systems, null if there is no such process. */
function statusOf(pid: number): { began: string; state: string } | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return isThere(pid) ? { began: '', state: '' } : null;
  }
  // The field before these is the program's name, which may contain spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { began: fields[19] ?? '', state: fields[0] ?? '' };
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return codeOf(cause) === 'EPERM';
  }
}

function thisMachine(): string {
  const host = encodeURIComponent(hostname());
  try {
    return `${host}%20${encodeURIComponent(readlinkSync('/proc/self/ns/pid'))}`;
  } catch {
    return host;
  }
}

function ourselves(): Holder {
  return { pid: process.pid, began: statusOf(process.pid)?.began ?? '', machine: thisMachine() };
}

/** True if the process has surely ended; never for processes on other machines. */
function isDead({ pid, began, machine }: Holder): boolean {
  if (machine !== thisMachine()) return false;
  const status = statusOf(pid);
  // Z and X: it has ended, and its parent has not asked for the exit code.
  if (status === null || status.state === 'Z' || status.state === 'X') return true;
  return began !== '' && status.began !== '' && status.began !== began;
}

export interface FolderLock {
  release(): Promise<void>;
}

/** Locks a folder. Throws LabError 'storage' if another process holds it; rejects as `disk` does. */
export async function lockFolder(disk: Disk, folder: string): Promise<FolderLock> {
  const lock = nameOf(ourselves());
  const path = join(folder, lock);
  for (let attempt = 1; ; attempt++) {
    await occupy(disk, folder, path);
    let others: readonly string[];
    try {
      others = await livingLocks(disk, folder, lock);
    } catch (cause) {
      await disk.remove(path).catch(() => {});
      throw cause;
    }
    if (others.length === 0) return { release: () => disk.remove(path) };
    await disk.remove(path);
    if (attempt === ATTEMPTS) throw heldError(folder, others[0] as string);
    await new Promise((resolve) => setTimeout(resolve, PAUSE * Math.random()));
  }
}

async function occupy(disk: Disk, folder: string, path: string): Promise<void> {
  try {
    await (await disk.open(path, 'wx')).close();
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
    throw new LabError('storage', `This very process writes to ${folder} already.`, 'Choose another folder.', {
      cause,
    });
  }
}

/** Files of other living processes; removes those of dead ones. */
async function livingLocks(disk: Disk, folder: string, lock: string): Promise<string[]> {
  const living: string[] = [];
  for (const name of await disk.list(folder)) {
    const holder = holderIn(name);
    if (holder === null || name === lock) continue;
    if (isDead(holder)) await disk.remove(join(folder, name));
    else living.push(name);
  }
  return living;
}

function heldError(folder: string, name: string): LabError {
  const { pid, machine } = holderIn(name) as Holder;
  const isHere = machine === thisMachine();
  const what = `Process ${pid}${isHere ? '' : ` on ${machine.split('%20')[0]}`} writes to ${folder}.`;
  const gone = isHere ? '' : ` If it has ended, delete ${join(folder, name)}.`;
  return new LabError('storage', what, `Wait until it ends, or choose another folder.${gone}`);
}
