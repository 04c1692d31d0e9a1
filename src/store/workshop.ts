/**
 * The Worker in which a world is tried while it is written. A text may hold it up, and one that does is ended: at the next
 * request, or when it has been silent for long.
 */
import type { Episode, Tried, WorkshopAnswer, WorkshopRequest } from '../environments/own/workshop/asked';

/** Part of a Worker that is needed; tests give a scripted one. */
export interface WorkshopWorker {
  onmessage: ((event: MessageEvent<WorkshopAnswer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: WorkshopRequest): void;
  terminate(): void;
}

export function startWorkshopWorker(): WorkshopWorker {
  return new Worker(new URL('../environments/own/workshop/worker.ts', import.meta.url), { type: 'module' });
}

/** Milliseconds of silence after which a new request gets a new Worker, and after which nothing more is waited for. */
const IMPATIENT = 700;
const LONGEST = 20_000;

const HELD_UP = 'The world did not come to an end: some function of it works on and on.';

export class Workshop {
  readonly #start: () => WorkshopWorker;
  readonly #listen: (answer: WorkshopAnswer) => void;
  #worker: WorkshopWorker | null = null;
  #isFresh = true;
  #id = 0;
  /** Requests that wait for their answer, by kind. */
  readonly #waiting = new Map<WorkshopRequest['type'], WorkshopRequest>();
  #heard = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(start: () => WorkshopWorker, listen: (answer: WorkshopAnswer) => void) {
    this.#start = start;
    this.#listen = listen;
  }

  check(tried: Tried): void {
    this.#ask({ type: 'check', id: ++this.#id, ...tried });
  }

  play(tried: Tried, episode: Episode): void {
    this.#ask({ type: 'play', id: ++this.#id, episode, ...tried });
  }

  close(): void {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = null;
    this.#waiting.clear();
    if (worker === null) return;
    worker.onmessage = null;
    worker.onerror = null;
    worker.terminate();
  }

  #ask(request: WorkshopRequest): void {
    // One that has just been started takes a moment to load.
    const isHeldUp = this.#waiting.size > 0 && !this.#isFresh && performance.now() - this.#heard > IMPATIENT;
    if (isHeldUp) {
      const others = [...this.#waiting.values()].filter(({ type }) => type !== request.type);
      this.close();
      for (const other of others) this.#post(other);
    }
    this.#post(request);
  }

  #post(request: WorkshopRequest): void {
    if (this.#waiting.size === 0) this.#heard = performance.now();
    this.#waiting.set(request.type, request);
    this.#worker ??= this.#open();
    this.#watch();
    this.#worker.postMessage(request);
  }

  #open(): WorkshopWorker {
    const worker = this.#start();
    this.#isFresh = true;
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = ({ message }) =>
      this.#give(`The sandbox stopped: ${message || 'its code did not arrive'}.`, false);
    return worker;
  }

  #hear(answer: WorkshopAnswer): void {
    this.#isFresh = false;
    this.#heard = performance.now();
    if (answer.type === 'failed') {
      this.#give(answer.text, answer.isHeldUp);
      return;
    }
    const kind = answer.type === 'checking' || answer.type === 'checked' ? 'check' : 'play';
    // A question asked meanwhile has another id.
    if (this.#waiting.get(kind)?.id !== answer.id) return;
    if (answer.type !== 'checking') this.#waiting.delete(kind);
    this.#watch();
    this.#listen(answer);
  }

  #give(text: string, isHeldUp: boolean): void {
    this.close();
    this.#listen({ type: 'failed', text, isHeldUp });
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#give(HELD_UP, true), LONGEST);
  }
}
