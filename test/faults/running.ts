/** A program of the project as a process of its own, with what it prints, and how far its run is kept. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync } from 'node:fs';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when stderr has said this, or the process has ended. */
  said(words: string): Promise<void>;
}

export function start(args: readonly string[], stdout: 'pipe' | number = 'pipe'): Running {
  const child = spawn(process.execPath, args, { stdio: ['ignore', stdout, 'pipe'] });
  let [printed, messages] = ['', ''];
  child.stdout?.on('data', (data) => {
    printed += String(data);
  });
  child.stderr?.on('data', (data) => {
    messages += String(data);
    child.emit('said');
  });
  const ended = once(child, 'close').then(([code]) => ({ code, stdout: printed, stderr: messages }));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
    child.emit('said');
  });
  const said = async (words: string): Promise<void> => {
    while (!messages.includes(words) && !isOver) await once(child, 'said');
  };
  return { child, ended, said };
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Updates in a checkpoint, by its header: the file may be large. */
export function updatesIn(checkpoint: string): number {
  const file = openSync(checkpoint, 'r');
  try {
    const length = Buffer.alloc(8);
    readSync(file, length, 0, length.length, 0);
    const header = Buffer.alloc(Number(length.readBigUInt64LE()));
    readSync(file, header, 0, header.length, length.length);
    return Number(JSON.parse(header.toString()).__metadata__.update);
  } finally {
    closeSync(file);
  }
}
