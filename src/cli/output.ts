/**
 * Output of the command line. Results go to stdout; if one cannot be printed, that is an error. Progress goes to stderr;
 * if nobody reads it, training goes on.
 */
import { once } from 'node:events';
import { fstatSync, writeSync } from 'node:fs';
import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { LabError } from '../foundation/errors';
import { codeOf } from './disk';

const STDOUT = 1;
let failure: unknown = null;
/** True if something was printed since the last call of flushed. */
let isUnseen = false;

/** Listens for errors of the streams, which would otherwise end the process; call it first. */
export function openOutput(): void {
  process.stdout.on('error', (cause) => {
    failure ??= cause;
  });
  process.stderr.on('error', () => {});
}

/** The text in this style where the stream is a terminal that shows colours, and NO_COLOR does not forbid it. */
export function styled(
  style: Parameters<typeof styleText>[0],
  text: string,
  stream: WriteStream = process.stderr,
): string {
  return stream.isTTY === true && stream.hasColors?.() === true
    ? styleText(style, text, { validateStream: false })
    : text;
}

/** Prints to stdout; flushed() tells whether that worked. */
export function print(text: string): void {
  isUnseen = true;
  // A thread's stdout is a stream to the main thread.
  if (!isMainThread || !fstatSync(STDOUT).isFile()) {
    process.stdout.write(text);
    return;
  }
  // A nearly full disk takes only a part; Node's own stream would ignore that.
  try {
    let bytes = Buffer.from(text);
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(STDOUT, bytes));
  } catch (cause) {
    failure ??= cause;
  }
}

/** Prints a line out of pieces, each once the one before was taken. */
export async function printPieces(pieces: AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  for await (const piece of pieces) {
    print(piece);
    if (failure !== null) return;
    // Rejects where nobody reads any more, which flushed() tells.
    if (stdout.writableNeedDrain) await once(stdout, 'drain').catch(() => {});
  }
  print('\n');
}

/** Throws LabError 'storage' if anything since the last call could not be printed. */
export async function untilFlushed(): Promise<void> {
  if (!isUnseen) return;
  isUnseen = false;
  await new Promise<void>((resolve) => {
    // The stream tells of an error after it has called back.
    process.stdout.write('', () => setImmediate(resolve));
  });
  if (failure === null) return;
  const cause = failure;
  failure = null;
  const why: Readonly<Record<string, string>> = {
    EPIPE: 'what read it has ended',
    ENOSPC: 'the disk is full',
  };
  const text = cause instanceof Error ? cause.message : String(cause);
  const what = `The output could not be printed: ${why[codeOf(cause)] ?? text}.`;
  throw new LabError('storage', what, 'Print it elsewhere.', { cause });
}
