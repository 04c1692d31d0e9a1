/**
 * What a run needs to survive its device: a copy of its state every few updates, and a patient request for another device.
 * The numbers of a run that was interrupted are those of one that was not: it goes on from a snapshot, and what had been
 * computed since is computed again.
 */
import { isOutOfMemory, LabError } from '../../foundation/errors';
import type { Snapshot, Training } from '../population/training';
import type { ChosenBackend } from './backends';
import type { Opened } from './opening';

/** Updates between snapshots: at most this many are computed again. */
export const SNAPSHOT_EVERY = 10;

/** Milliseconds to wait before each attempt. A crashed GPU process takes about 100 to come back. */
const ATTEMPTS = [50, 300, 1000, 3000];

/** Milliseconds that a failure waits for the word that the device is gone. */
const LOSS_GRACE = 1000;

/** Reasons for which another attempt may end otherwise. */
const PASSING: readonly LabError['code'][] = ['no-webgpu', 'no-adapter', 'device-lost'];

/** The newest state on the host. Taking it does not wait: it arrives when the device has it. */
export class Snapshots {
  #latest: Snapshot | null = null;
  #pending: Promise<void> | null = null;

  get latest(): Snapshot | null {
    return this.#latest;
  }

  /** Call after each update; one copy at a time is under way. */
  consider(training: Training): void {
    if (this.#pending !== null || training.finished % SNAPSHOT_EVERY !== 0) return;
    this.#pending = training
      .snapshot()
      .then(
        (snapshot) => {
          this.#latest = snapshot;
        },
        // The device went away under it: the one before stays.
        () => {},
      )
      .finally(() => {
        this.#pending = null;
      });
  }
}

/** The loss behind a failure, if that is what it was: it may be announced a little after what failed because of it. */
export function lossBehind({ lost }: Pick<Training, 'lost'>): Promise<LabError | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), LOSS_GRACE);
    void lost.then((error) => {
      clearTimeout(timer);
      resolve(error);
    });
  });
}

/** The training again, on a new device; null when none was to be had. Other errors are thrown. */
export async function reopen(open: () => Promise<Opened>, detail: (text: string) => void): Promise<Opened | null> {
  for (const [attempt, wait] of ATTEMPTS.entries()) {
    detail(`asking for the device again, attempt ${attempt + 1} of ${ATTEMPTS.length}`);
    await new Promise((resolve) => setTimeout(resolve, wait));
    try {
      return await open();
    } catch (cause) {
      if (!(cause instanceof LabError) || !PASSING.includes(cause.code)) throw cause;
    }
  }
  return null;
}

/** Of a run that rests without a device. */
export const LOST_WORDS = 'the device was lost; it is asked for again on resuming';

export const STRANDED_ADVICE =
  'Continue on the CPU, try the GPU again, or restart the browser and open this link once more.';

/** Of a run that goes on elsewhere by the person's choice. */
export const switchedWords = (update: number, { description }: Pick<ChosenBackend, 'description'>): string =>
  `From update ${update} on, this run continues on ${description}: its numbers are those of another device.`;

/** Of a run that goes on as if nothing had happened: why it stopped after how many updates, and how many come again. */
export function recoveredWords(why: LabError, furthest: number, again: number): string {
  const happened = isOutOfMemory(why)
    ? `Memory ran out after update ${furthest}`
    : `The device was lost after update ${furthest} and another was opened`;
  return `${happened}; ${again} ${again === 1 ? 'update is' : 'updates are'} computed again, to the same numbers.`;
}
