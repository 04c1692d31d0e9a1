/** Saves of a run that trains: when they are due, how far they came, and what its end could not save. */
import type { LabError } from '../../foundation/errors';
import { type Checkpoint, encodeCheckpoint } from '../../train/run/keep/checkpoint';
import { patiently } from '../disk';
import { resumeCommand, storageFailure } from '../errors';
import type { RunFolder } from './runFolder';

const FIRST_SECONDS = 2;
const LONGEST_SECONDS = 60;

export class Saves {
  /** Number of updates in the newest checkpoint written; −1 if there is none. */
  newest = -1;
  /** Failures to save the end of the run, after several attempts. */
  readonly unsaved: LabError[] = [];
  readonly #folder: RunFolder;
  readonly #say: (text: string) => void;
  /** Longest seconds between two saves. */
  readonly #longest: number;
  readonly #waits: readonly number[] | undefined;
  /** Seconds between the last attempt and the next: two, then twice as many each time. */
  #wait: number;
  /** Time of the last attempt, in milliseconds. */
  #last = performance.now();
  /** True if the last attempt failed. */
  #isFailing = false;

  /** waits: milliseconds between attempts to save the end. */
  constructor(
    folder: RunFolder,
    say: (text: string) => void,
    longest = LONGEST_SECONDS,
    waits: readonly number[] | undefined = undefined,
  ) {
    this.#folder = folder;
    this.#say = say;
    this.#longest = longest;
    this.#waits = waits;
    this.#wait = this.#first;
  }

  get #first(): number {
    return Math.min(FIRST_SECONDS, this.#longest);
  }

  get areDue(): boolean {
    return performance.now() - this.#last > this.#wait * 1000;
  }

  async keep(checkpoint: Checkpoint): Promise<void> {
    await this.#folder.saveCheckpoint(encodeCheckpoint(checkpoint));
    this.newest = checkpoint.snapshot.update;
  }

  /** Saves during training. If it cannot, training goes on and the next attempt is soon: the disk may have room later. */
  async onTime(checkpoint: Checkpoint): Promise<void> {
    const isFirst = this.newest < 0;
    try {
      await this.keep(checkpoint);
      this.#wait = Math.min(2 * this.#wait, this.#longest);
      if (this.#isFailing) this.#say(`Saved again, after update ${this.newest}.`);
      else if (isFirst && !this.#folder.named) {
        this.#say(`Saved as it goes. If it is cut off: ${resumeCommand(this.#folder)}`);
      }
      this.#isFailing = false;
    } catch (cause) {
      this.#wait = this.#first;
      const state = isFirst ? 'Nothing could be saved yet.' : `The run is saved up to update ${this.newest}.`;
      if (!this.#isFailing) this.#say(`${storageFailure(cause).what} ${state} Training goes on.`);
      this.#isFailing = true;
    }
    this.#last = performance.now();
  }

  /** Tries for some seconds; what cannot be saved is in `unsaved`. */
  async patiently(work: () => Promise<void>): Promise<void> {
    const waiting = (cause: unknown): void => this.#say(`${storageFailure(cause).what} Trying again for some seconds.`);
    try {
      await patiently(work, waiting, this.#waits);
    } catch (cause) {
      this.unsaved.push(storageFailure(cause));
    }
  }
}
