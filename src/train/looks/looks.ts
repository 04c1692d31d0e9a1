/**
 * Looks that the person asked for: at the tokens of a trajectory, at dreams, at linear probes. They are answered between two
 * updates and change no number of the training. A look that memory does not suffice for is given up with a notice. One that
 * a lost device interrupts is answered once training has recovered.
 */
import { isOutOfMemory, type LabError } from '../../foundation/errors';
import type { Training } from '../population/training';
import type { TrainerEvent } from '../protocol';
import { lossBehind } from '../run/keep/lost';
import type { DreamRequest, InspectionChoice, ProbeWatch } from './shown';

export interface LooksOptions {
  readonly post: (event: TrainerEvent) => void;
  /** True if no more updates will come. */
  readonly isDone: () => boolean;
}

export class Looks {
  readonly #options: LooksOptions;
  #inspection: InspectionChoice | null = null;
  /** Only the last of several requests during an update counts. */
  #dream: DreamRequest | null = null;
  #probeWatch: ProbeWatch | null = null;
  #probesDue = false;
  /**
   * Training whose last batch can be looked at. After the device is lost, the new Training has no batch until its first
   * update.
   */
  #learned: Training | null = null;
  #closed = false;

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  inspect(choice: InspectionChoice): void {
    this.#inspection = choice;
  }

  dream(request: DreamRequest): void {
    this.#dream = request;
  }

  /** Asks for probes now and after every `watch.every` updates; null ends them. */
  watchProbes(watch: ProbeWatch | null): void {
    this.#probeWatch = watch;
    this.#probesDue = watch !== null;
  }

  /** Call after each update. */
  noteUpdate(training: Training): void {
    this.#learned = training;
    if (this.#probeWatch !== null && training.finished % this.#probeWatch.every === 0) this.#probesDue = true;
  }

  /** True if something is asked for that this training can show. */
  canAnswer(training: Training): boolean {
    if (this.#closed) return false;
    const ofBatch = this.#inspection !== null || this.#probesDue;
    return (ofBatch && this.#learned === training) || (this.#dream !== null && training.finished > 0);
  }

  /** Answers all that can be shown, or stops when the device is lost; the next update then reports the loss. */
  async answer(training: Training): Promise<void> {
    while (this.canAnswer(training)) {
      const isLost = await this.#answerNext(training);
      if (isLost) return;
    }
  }

  /** Answers nothing more. */
  close(): void {
    this.#closed = true;
  }

  /** Answers one request; resolves to true if the device was lost. */
  #answerNext(training: Training): Promise<boolean> {
    const hasBatch = this.#learned === training;
    if (hasBatch && this.#inspection !== null) return this.#answerInspection(training, this.#inspection);
    if (this.#dream !== null) return this.#answerDream(training, this.#dream);
    return this.#answerProbes(training);
  }

  async #answerInspection(training: Training, choice: InspectionChoice): Promise<boolean> {
    const seen = await look(training, () => training.inspect(choice));
    if (seen.end === 'lost') return true;
    if (this.#inspection === choice) this.#inspection = null;
    if (seen.end === 'full') this.#giveUp(training, 'to look into tokens');
    else if (seen.value !== null) this.#options.post({ type: 'inspected', choice, inspections: seen.value });
    return false;
  }

  async #answerDream(training: Training, request: DreamRequest): Promise<boolean> {
    const seen = await look(training, () => training.dream(request));
    const about = { id: request.id, update: training.finished };
    if (seen.end === 'lost') {
      const text = 'The device was lost while the policies dreamed.';
      const advice = this.#options.isDone()
        ? 'Run again to see them dream.'
        : 'They dream as soon as training goes on.';
      this.#options.post({ type: 'not-dreamed', ...about, text, advice });
      return true;
    }
    if (this.#dream === request) this.#dream = null;
    if (seen.end === 'full') {
      const { what: text, advice } = seen.error;
      this.#options.post({ type: 'not-dreamed', ...about, text, advice });
    } else this.#options.post({ type: 'dreams', ...about, dreams: seen.value });
    return false;
  }

  async #answerProbes(training: Training): Promise<boolean> {
    const watch = this.#probeWatch;
    this.#probesDue = false;
    if (watch === null) return false;
    const seen = await look(training, () => training.probe(watch.seed));
    if (seen.end === 'lost') {
      this.#probesDue = true;
      return true;
    }
    if (seen.end === 'full') this.#giveUp(training, 'for linear probes');
    else if (seen.value !== null) {
      this.#options.post({ type: 'probed', update: training.finished, members: seen.value });
    }
    return false;
  }

  #giveUp({ finished }: Training, purpose: string): void {
    const text = `There was no memory left ${purpose}; training goes on as before.`;
    this.#options.post({ type: 'notice', kind: 'no-memory', update: finished, text });
  }
}

type Seen<T> =
  | { readonly end: 'seen'; readonly value: T }
  | { readonly end: 'full'; readonly error: LabError }
  | { readonly end: 'lost' };

/** Result of a look: its view, memory that ran out, or the loss of the device. Throws any other error. */
async function look<T>(training: Training, ask: () => Promise<T>): Promise<Seen<T>> {
  try {
    return { end: 'seen', value: await Promise.race([ask(), rejecting(training.lost)]) };
  } catch (cause) {
    if (isOutOfMemory(cause)) return { end: 'full', error: cause };
    if ((await lossBehind(training)) === null) throw cause;
    return { end: 'lost' };
  }
}

/** Rejects with the error that `lost` resolves to. */
async function rejecting(lost: Promise<LabError>): Promise<never> {
  throw await lost;
}
