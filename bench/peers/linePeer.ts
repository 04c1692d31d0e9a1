/**
 * Peer that is a process of its own: one line of JSON in, one line of JSON out. It waits while the other side computes, so
 * load on the machine hits both.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { LabError } from '../../src/foundation/errors';

/**
 * Environment of a peer: one thread, also in the libraries that multiply matrices; and glibc keeps memory that was freed, where
 * by itself it gives tensors of megabytes back to the system, and every operation waits for fresh pages.
 */
const ENVIRONMENT = {
  OMP_NUM_THREADS: '1',
  OPENBLAS_NUM_THREADS: '1',
  MKL_NUM_THREADS: '1',
  MALLOC_MMAP_THRESHOLD_: String(32 * 2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(2 ** 30),
  MALLOC_TOP_PAD_: String(64 * 2 ** 20),
};

export class LinePeer {
  readonly #name: string;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  private constructor(name: string, child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#name = name;
    this.#process = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    // A peer that has ended is told of by the answer that is missing.
    child.stdin.on('error', () => {});
  }

  /** Null where there is no such command. */
  static async start(command: string, args: readonly string[]): Promise<LinePeer | null> {
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...ENVIRONMENT },
    });
    const peer = new LinePeer([command, ...args].join(' '), child);
    try {
      await once(child, 'spawn');
      return peer;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw cause;
    }
  }

  /** Writes a line and resolves with the answer. Throws LabError 'internal' where none comes, or none that is JSON. */
  async ask(request: unknown): Promise<unknown> {
    this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw this.#fault('ended without an answer', 'What it wrote to stderr says why.');
    try {
      return JSON.parse(value);
    } catch {
      throw this.#fault(`answered “${value.slice(0, 80)}”, which is not JSON`, 'It must write nothing else to stdout.');
    }
  }

  /** Lets it end. */
  close(): void {
    this.#process.stdin.end();
  }

  #fault(what: string, advice: string): LabError {
    return new LabError('internal', `The peer “${this.#name}” ${what}.`, advice);
  }
}
