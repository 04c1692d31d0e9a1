/**
 * Loop of a run: it trains as many updates as allowed, answers looks between two of them, and goes on with another
 * training where the device was lost or memory ran out.
 */
import { Endings } from '../../foundation/endings';
import { asLabError, isOutOfMemory, LabError } from '../../foundation/errors';
import { pulse } from '../../foundation/pulse';
import type { Watch } from '../looks/episodes';
import type { Looks } from '../looks/looks';
import { ThreadEnded } from '../pool/client';
import type { Training } from '../population/training';
import type { RunDevice } from './choose/device';
import { lossBehind } from './keep/lost';
import { isWorldFault, threadsEnded } from './keep/mend';
import { recoveredWords } from './keep/recovery';
import type { Records } from './records';
import type { Post } from './reporter';
import type { Status } from './status';

/** Lets the Worker's event loop deliver messages. setTimeout would be throttled to 4 ms, and more in hidden tabs. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

export interface LoopParts {
  readonly post: Post;
  readonly status: Status;
  readonly device: RunDevice;
  readonly records: Records;
  readonly looks: Looks;
}

export class Loop {
  watch: Watch = { seed: 0, group: 0 };
  readonly endings = new Endings();
  readonly #parts: LoopParts;
  /** Updates still to run before pausing: Infinity while running, 0 while paused. */
  #allowed = 0;
  #looping: Promise<void> | null = null;
  /** The update being computed. */
  #updating: Promise<void> | null = null;

  constructor(parts: LoopParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#looping !== null;
  }

  /** True while an update is computed: a change made meanwhile acts from the next one. */
  get isUpdating(): boolean {
    return this.#updating !== null;
  }

  /** Updates still allowed. */
  get allowed(): number {
    return this.#allowed;
  }

  /** Makes so many updates, as soon as there is a training. */
  allow(updates: number): void {
    this.#allowed = updates;
    const { device, status } = this.#parts;
    if (device.training === null || status.isEnded || this.#looping !== null) return;
    this.#looping = this.#loop()
      .catch((cause: unknown) => this.fail(asLabError(cause)))
      .finally(() => {
        this.#looping = null;
        this.keepAtRest();
        // Something was asked for while the last numbers were still arriving.
        if (this.#goesOn() || this.#canAnswer()) this.allow(this.#allowed);
      });
  }

  /** Makes updates until it is stopped. */
  resume(): void {
    this.#parts.status.isHalted = false;
    this.allow(Number.POSITIVE_INFINITY);
  }

  /** Ends after the update in flight. */
  stop(): void {
    this.#allowed = 0;
  }

  /** Resolves when the loop has ended. */
  async untilSettled(): Promise<void> {
    await this.#looping;
  }

  /** Resolves after the update in flight, before the next: the loop yields in between. */
  async untilUpdated(): Promise<void> {
    await this.#updating?.catch(() => {});
  }

  /** Begins to answer looks at rest; in training they are answered between two updates anyway. */
  look(): void {
    if (this.#canAnswer()) this.allow(this.#allowed);
  }

  /** Keeps the state of a run that rests. */
  keepAtRest(): void {
    const { device, records } = this.#parts;
    if (device.training !== null && this.#looping === null && device.lost === null) records.rest(device.training);
  }

  fail(error: LabError): void {
    const { device, status } = this.#parts;
    if (status.isEnded) return;
    status.fail(error);
    device.release();
  }

  #goesOn(): boolean {
    return this.#allowed > 0 && !this.#isDone();
  }

  #isDone(): boolean {
    return this.#parts.status.isDone(this.#parts.device.training?.finished ?? 0);
  }

  /** True if a look can be answered now; not on a lost device, which only resuming opens again. */
  #canAnswer(): boolean {
    const { device, looks } = this.#parts;
    return device.training !== null && device.lost === null && looks.canAnswer(device.training);
  }

  async #loop(): Promise<void> {
    const { device, status } = this.#parts;
    while (device.training !== null) {
      const { training } = device;
      try {
        if (device.lost !== null) throw device.lost;
        await this.#train(training);
        return;
      } catch (cause) {
        if (await this.#restsFor(cause)) return;
        const why = isOutOfMemory(cause) ? cause : await lossBehind(training);
        if (why === null) throw cause;
        if (status.isEnded || !(await this.#recover(why, training.finished))) return;
      }
    }
  }

  /** Rests where the world went wrong, with the policies of the last snapshot; false where something else did. */
  async #restsFor(cause: unknown): Promise<boolean> {
    const { device, records, status } = this.#parts;
    if (!(cause instanceof LabError) || !isWorldFault(status.experiment, cause)) return false;
    // The device is there: numbers computed before still arrive.
    await Promise.allSettled([records.reporter.flush(), records.snapshots.untilSettled()]);
    device.release();
    status.strand(cause);
    return true;
  }

  async #train(training: Training): Promise<void> {
    const { device, looks, records, status } = this.#parts;
    records.reporter.restart();
    await looks.answer(training);
    while (this.#goesOn()) {
      // The device was lost while it answered.
      if (device.lost !== null) throw device.lost;
      // It may have been resumed while it answered at rest.
      if (status.phase !== 'running') status.tell('running');
      this.#allowed -= 1;
      const last = this.#allowed === 0 || training.finished + 1 >= status.experiment.updates;
      this.#updating = this.#update(training, last);
      await this.#updating;
      // Sign of life: the world's calls of this update have ended.
      pulse();
      status.furthest = Math.max(status.furthest, training.finished);
      records.noteUpdate(training);
      looks.noteUpdate(training);
      await looks.answer(training);
      await nextTask();
    }
    await records.reporter.flush();
    if (!status.isEnded && !this.#goesOn()) status.rest(training.finished, device.lost !== null);
  }

  async #update(training: Training, last: boolean): Promise<void> {
    const { reporter } = this.#parts.records;
    try {
      const watch = last || reporter.wantsEpisodes() ? this.watch : undefined;
      const result = await training.runUpdate(watch, true);
      reporter.add(result, training.members);
    } finally {
      this.#updating = null;
    }
  }

  /**
   * Opens another training where this one ended, after so many updates; returns whether the run goes on. Throws `why` if nothing
   * can help.
   */
  async #recover(why: LabError, finished: number): Promise<boolean> {
    const { device, post, records, status } = this.#parts;
    device.release();
    records.reporter.forget();
    if (why instanceof ThreadEnded) {
      const ending = { update: finished, call: why.call };
      const sequel = this.endings.add(ending);
      if (sequel === 'over') throw why;
      if (sequel === 'rest') {
        status.strand(threadsEnded(status.experiment, ending));
        return false;
      }
    }
    const opened = await device.reopen(status.experiment, records.snapshots, why);
    if (opened === null) {
      status.strand(why);
      return false;
    }
    const from = opened.training.finished;
    device.take(opened, status.experiment.timeline);
    const again = status.furthest - from;
    const text = recoveredWords(why, status.furthest, again);
    post({ type: 'notice', kind: 'recovered', update: from, text });
    // The failed update was subtracted already: a single step still has to make it.
    this.#allowed += again + (this.#allowed === 0 ? 1 : 0);
    return true;
  }
}
