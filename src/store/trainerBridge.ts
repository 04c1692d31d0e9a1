/**
 * Bridge to the trainer's Worker: starts it when first needed, replaces it after a crash, and passes on its events. A
 * crash of the Worker itself is reported as an event, like any other failure.
 */
import type { Command, TrainerEvent } from '../train/protocol';

/** Part of a Worker that the bridge needs; tests give a scripted one. */
export interface TrainerWorker {
  onmessage: ((event: MessageEvent<TrainerEvent>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(command: Command): void;
  terminate(): void;
}

const NOT_ARRIVED = {
  message: 'The trainer’s code did not arrive.',
  advice:
    'Look at the connection, then run again. If the lab was published anew since this page was opened, reload the page: settings and kept runs stay.',
};

export function startTrainerWorker(): TrainerWorker {
  return new Worker(new URL('../train/worker.ts', import.meta.url), { type: 'module' });
}

export class TrainerBridge {
  readonly #start: () => TrainerWorker;
  readonly #listen: (event: TrainerEvent) => void;
  #worker: TrainerWorker | null = null;

  constructor(start: () => TrainerWorker, listen: (event: TrainerEvent) => void) {
    this.#start = start;
    this.#listen = listen;
  }

  send(command: Command): void {
    const worker = this.#worker ?? this.#open();
    worker?.postMessage(command);
  }

  /** Ends the Worker at once, whatever it is doing; its later events are dropped. */
  close(): void {
    const worker = this.#worker;
    this.#worker = null;
    if (worker === null) return;
    worker.onmessage = null;
    worker.onerror = null;
    worker.terminate();
  }

  #open(): TrainerWorker | null {
    try {
      const worker = this.#start();
      let hasSpoken = false;
      worker.onmessage = ({ data }) => {
        hasSpoken = true;
        this.#listen(data);
      };
      // Browsers tell no message of a Worker whose code they could not load.
      worker.onerror = ({ message }) => (hasSpoken || message ? this.#crashed(message) : this.#fail(NOT_ARRIVED));
      this.#worker = worker;
      return worker;
    } catch (cause) {
      this.#crashed(cause instanceof Error ? cause.message : String(cause));
      return null;
    }
  }

  #crashed(message: string | undefined): void {
    this.#fail({
      message: `The trainer stopped unexpectedly${message ? `: ${message.replace(/\.$/, '')}` : ''}.`,
      advice: 'Run again; if it stops again, reload the page.',
    });
  }

  #fail(said: { readonly message: string; readonly advice: string }): void {
    this.close();
    this.#listen({ type: 'error', code: 'internal', ...said });
    this.#listen({ type: 'phase', phase: 'failed', update: -1, updates: -1, detail: '' });
  }
}
