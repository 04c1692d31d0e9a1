/**
 * Queue of requests to the archive of runs: one after the other. A refusal is told in words, and the next request is tried all the
 * same.
 */
import { asLabError } from '../../foundation/errors';
import type { RunArchive } from '../../storage/runs';

/** Milliseconds until a write that failed is tried again; twice as many each time it fails, and no more than the longest. */
const AGAIN = 10_000;
const AGAIN_LONGEST = 600_000;

interface QueueOptions {
  /** Archive; null if nothing is kept. */
  readonly archive: (() => Promise<RunArchive>) | null;
  /** Called after each request with the refusal, in words; null if there is none. */
  readonly told: (problem: string | null) => void;
  /** Writes the run on screen once more. */
  readonly again: () => void;
}

export class ArchiveQueue {
  readonly #options: QueueOptions;
  #last: Promise<unknown> = Promise.resolve();
  /** The reason the run on screen was not written the last time; null if it was. */
  #refusal: string | null = null;
  #again: ReturnType<typeof setTimeout> | null = null;
  #wait = AGAIN;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Resolves when the work is done or has failed. That a run was not written (`isRun`) is said until one is. */
  ask(work: (archive: RunArchive) => Promise<void>, isRun = false): Promise<void> {
    const { archive, told } = this.#options;
    if (archive === null) return Promise.resolve();
    const done = this.#last.then(async () => {
      try {
        await work(await archive());
        if (isRun) [this.#refusal, this.#wait] = [null, AGAIN];
        told(this.#refusal);
      } catch (cause) {
        const problem = asLabError(cause).message;
        if (isRun) this.#refuse(problem);
        told(problem);
      }
    });
    this.#last = done;
    return done;
  }

  #refuse(problem: string): void {
    this.#refusal = problem;
    this.#again ??= setTimeout(() => {
      this.#again = null;
      this.#options.again();
    }, this.#wait);
    this.#wait = Math.min(2 * this.#wait, AGAIN_LONGEST);
  }
}
