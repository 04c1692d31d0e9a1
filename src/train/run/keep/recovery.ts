/**
 * Recovery of a run from the loss of its device: a snapshot every few updates, and repeated requests for another device. An
 * interrupted run has the same numbers as one that was not: it goes on from the snapshot and computes the updates since
 * then again.
 */
import { isOutOfMemory, LabError } from '../../../foundation/errors';
import { ThreadEnded } from '../../pool/client';
import type { Snapshot, Training } from '../../population/training';
import type { TrainerEnded } from '../../protocol';
import type { ChosenBackend } from '../choose/backends';
import type { OpenedRun } from '../choose/opening';

/** Updates between snapshots: at most this many are computed again. */
export const SNAPSHOT_EVERY = 10;

/** Milliseconds to wait before each attempt. A crashed GPU process takes about 100 to come back. */
const ATTEMPTS = [50, 300, 1000, 3000];

/** Errors after which another attempt may succeed. */
const PASSING: readonly LabError['code'][] = ['no-webgpu', 'no-adapter', 'device-lost'];

/** True if the same may succeed later, or on another device. */
export function isPassing({ code }: LabError): boolean {
  return PASSING.includes(code);
}

/** States that are held to branch from: at most so many, of so many bytes together. */
const WAYPOINTS = 16;
const WAYPOINT_BYTES = 64 * 2 ** 20;

/** States of a run at updates that lie evenly apart, further apart the longer it becomes. */
class Waypoints {
  #held: Snapshot[] = [];
  #every = SNAPSHOT_EVERY;

  add(snapshot: Snapshot): void {
    const { update } = snapshot;
    if (update % this.#every !== 0) return;
    this.#held = [...this.#held.filter((one) => one.update < update), snapshot];
    const bytes = Object.values(snapshot.tensors).reduce((sum, { byteLength }) => sum + byteLength, 0);
    const most = Math.min(WAYPOINTS, Math.floor(WAYPOINT_BYTES / bytes));
    if (most === 0) this.#held = [];
    while (this.#held.length > most) {
      this.#every *= 2;
      this.#held = this.#held.filter((one) => one.update % this.#every === 0);
    }
  }

  until(update: number): Snapshot | null {
    return this.#held.findLast((one) => one.update <= update) ?? null;
  }

  cut(update: number): void {
    this.#held = this.#held.filter((one) => one.update <= update);
  }
}

/** The newest snapshot on the host. Taking one does not wait for the device. */
export class Snapshots {
  #latest: Snapshot | null = null;
  #pending: Promise<void> | null = null;
  readonly #waypoints = new Waypoints();
  readonly #taken: (snapshot: Snapshot) => void;

  /** `taken` is called with each snapshot. */
  constructor(taken: (snapshot: Snapshot) => void = () => {}) {
    this.#taken = taken;
  }

  get latest(): Snapshot | null {
    return this.#latest;
  }

  /** Goes on with a snapshot from elsewhere, or without one. */
  set(snapshot: Snapshot | null): void {
    this.#latest = snapshot;
    this.#waypoints.cut(snapshot?.update ?? 0);
  }

  /** The newest snapshot at hand that is not after an update; null if there is none. */
  async until(update: number): Promise<Snapshot | null> {
    await this.untilSettled();
    const latest = this.#latest;
    return latest !== null && latest.update <= update ? latest : this.#waypoints.until(update);
  }

  /** Resolves when no recovery is under way. */
  async untilSettled(): Promise<void> {
    await this.#pending;
  }

  /** Takes a snapshot if it is due, or `wanted`, and none is under way; call after each update. */
  consider(training: Training, wanted = false): void {
    if (this.#pending !== null || (!wanted && training.finished % SNAPSHOT_EVERY !== 0)) return;
    this.#pending = training
      .snapshot()
      .then(
        (snapshot) => {
          this.#latest = snapshot;
          this.#waypoints.add(snapshot);
          this.#taken(snapshot);
        },
        // The device was lost meanwhile: the last snapshot stays.
        () => {},
      )
      .finally(() => {
        this.#pending = null;
      });
  }
}

/** Opens the training on a new device; null when none could be had. Throws other errors. */
export async function reopen(
  open: () => Promise<OpenedRun>,
  detail: (text: string) => void,
): Promise<OpenedRun | null> {
  for (const [attempt, wait] of ATTEMPTS.entries()) {
    detail(`asking for the device again, attempt ${attempt + 1} of ${ATTEMPTS.length}`);
    await new Promise((resolve) => setTimeout(resolve, wait));
    try {
      return await open();
    } catch (cause) {
      if (!(cause instanceof LabError) || !isPassing(cause)) throw cause;
    }
  }
  return null;
}

/** Words for a run that rests without a device. */
export const LOST_WORDS = 'the device was lost; it is asked for again on resuming';

export const STRANDED_ADVICE =
  'Continue on the CPU, try the GPU again, or restart the browser and open this link once more.';

/** Words for a run that goes on elsewhere by the person's choice. */
export const switchedWords = (update: number, { description }: Pick<ChosenBackend, 'description'>): string =>
  `From update ${update} on, this run continues on ${description}: its numbers are those of another device.`;

/** Words for a run whose trainer ended; it goes on, or rests, from the update `from`. */
export function replacedWords({ what, update, restsFor }: TrainerEnded, from: number): string {
  if (restsFor !== null) return `${what} The run rests with what it had after update ${from}.`;
  const place = from === 0 ? 'from the beginning' : `from update ${from}`;
  return `${what} It was replaced after update ${update}, and the run goes on ${place}, to the same numbers.`;
}

/** Words for a run that recovered. furthest: updates finished before; again: updates computed again. */
export function recoveredWords(why: LabError, furthest: number, again: number): string {
  const computed = `${again} ${again === 1 ? 'update is' : 'updates are'} computed again, to the same numbers.`;
  if (why instanceof ThreadEnded) return `${why.what} It was replaced after update ${furthest}; ${computed}`;
  const happened = isOutOfMemory(why)
    ? `Memory ran out after update ${furthest}`
    : `The device was lost after update ${furthest} and another was opened`;
  return `${happened}; ${computed}`;
}
