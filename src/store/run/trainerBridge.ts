/**
 * Bridge to the trainer's Worker: starts it when first needed, passes on its events, and notices when it ends, crashes or answers
 * nothing any more. That is reported as an event, like any other failure, unless the owner goes on with another Worker.
 */
import { tellEnd } from '../../foundation/lifeline';
import { ThreadWatch } from '../../foundation/watch';
import type { TrainerEvent, WorkerCommand } from '../../train/protocol';

/** Part of a Worker that the bridge needs; tests give a scripted one. */
export interface TrainerWorker {
  onmessage: ((event: MessageEvent<TrainerEvent>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(command: WorkerCommand): void;
  terminate(): void;
}

/** End of a Worker before its time, and its last sign of life. */
export interface WorkerEnd {
  /** Description, a sentence. */
  readonly what: string;
  /** Updates finished at its last sign of life; 0 if it gave none. */
  readonly update: number;
  /** Function of a world that ran then; null for none. */
  readonly call: string | null;
}

interface BridgeOptions {
  /** Called when the Worker has ended, also by silence; true if its work goes on in another, false if that is a failure. */
  readonly ended?: (end: WorkerEnd) => boolean;
}

/** Milliseconds at most for a Worker to keep the last state of its run. */
const LEAVE_FOR = 30_000;

const NOT_ARRIVED = {
  message: 'The trainer’s code did not arrive.',
  advice:
    'Look at the connection, then run again. If the lab was published anew since this page was opened, reload the page: settings and kept runs stay.',
};
const AGAIN = 'Run again; if it stops again, reload the page.';

export function startTrainerWorker(): TrainerWorker {
  return new Worker(new URL('../../train/worker.ts', import.meta.url), { type: 'module' });
}

export class TrainerBridge {
  readonly #start: () => TrainerWorker;
  readonly #listen: (event: TrainerEvent) => void;
  readonly #ended: ((end: WorkerEnd) => boolean) | null;
  #worker: TrainerWorker | null = null;
  #watch: ThreadWatch | null = null;
  /** False until its code has arrived, which may take long. */
  #hasSpoken = false;
  #isTraining = false;
  #sign: Pick<WorkerEnd, 'update' | 'call'> = { update: 0, call: null };

  constructor(start: () => TrainerWorker, listen: (event: TrainerEvent) => void, options: BridgeOptions = {}) {
    this.#start = start;
    this.#listen = listen;
    this.#ended = options.ended ?? null;
  }

  send(command: WorkerCommand): void {
    const worker = this.#worker ?? this.#open();
    if (worker === null) return;
    // Before it trains it need not be watched, and browsers keep no page for Back whose Worker holds a lock.
    if (command.type === 'start' && typeof Worker !== 'undefined' && worker instanceof Worker) tellEnd(worker);
    worker.postMessage(command);
    if (this.#hasSpoken) this.#watch?.expect();
  }

  /** Ends the Worker at once, in the middle of any work; its later events are dropped. */
  close(): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#watch?.rest();
    if (worker === null) return;
    worker.onmessage = null;
    worker.onerror = null;
    worker.terminate();
  }

  /** Ends the Worker of a run that is over once it has kept the last state; of its events only the end is heard, by `left`. */
  leave(left: () => void): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#watch?.rest();
    if (worker === null) return;
    const end = (): void => {
      clearTimeout(late);
      worker.onmessage = null;
      worker.terminate();
      left();
    };
    const late = setTimeout(end, LEAVE_FOR);
    worker.onerror = null;
    worker.onmessage = ({ data }) => {
      if (data.type === 'left') end();
    };
    worker.postMessage({ type: 'leave' });
  }

  #open(): TrainerWorker | null {
    try {
      const worker = this.#start();
      const ask = (): void => worker.postMessage({ type: 'ask' });
      const silent = (seconds: number): void => this.#end(`The trainer was silent for ${seconds} seconds.`);
      this.#watch = this.#ended === null ? null : new ThreadWatch({ ask, silent });
      this.#hasSpoken = false;
      this.#isTraining = false;
      this.#sign = { update: 0, call: null };
      worker.onmessage = ({ data }) => this.#hear(data);
      // Browsers tell no message of a Worker whose code they could not load.
      worker.onerror = ({ message }) => {
        if (this.#hasSpoken || message) this.#end(stoppedWords(message));
        else this.#fail(NOT_ARRIVED);
      };
      this.#worker = worker;
      return worker;
    } catch (cause) {
      this.#fail({ message: stoppedWords(cause instanceof Error ? cause.message : String(cause)), advice: AGAIN });
      return null;
    }
  }

  #hear(event: TrainerEvent): void {
    this.#hasSpoken = true;
    if (event.type === 'here') this.#watch?.answered();
    else this.#watch?.heard();
    if (event.type === 'pulse') this.#sign = event;
    if (event.type === 'phase') this.#isTraining = event.phase === 'preparing' || event.phase === 'running';
    if (this.#isTraining) this.#watch?.expect();
    else this.#watch?.rest();
    // A listener that waits for an answer would take a sign of life for it.
    if (event.type !== 'here' && event.type !== 'pulse') this.#listen(event);
  }

  #end(what: string): void {
    this.close();
    if (this.#ended?.({ what, ...this.#sign }) !== true) this.#fail({ message: what, advice: AGAIN });
  }

  #fail(words: { readonly message: string; readonly advice: string }): void {
    this.close();
    this.#listen({ type: 'error', code: 'internal', ...words });
    this.#listen({ type: 'phase', phase: 'failed', update: -1, updates: -1, detail: '' });
  }
}

const stoppedWords = (message: string | undefined): string =>
  `The trainer stopped unexpectedly${message ? `: ${message.replace(/\.$/, '')}` : ''}.`;
