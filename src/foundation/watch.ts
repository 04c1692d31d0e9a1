/**
 * Watch over a thread that may end without a word, or work on and on. One that is silent for longer than its own speed explains is
 * asked whether it is there; one that does not answer for as long again is given up. A thread that waits for a device answers, and
 * one that computes without a break gives signs of life (pulse.ts). A watcher that slept itself, as in a hidden tab, a
 * laptop that was closed or a debugger, sees its own timer come late, and waits from then on.
 */

export interface Clock {
  /** Present time, milliseconds. */
  now(): number;
  /** Calls a function again and again; the result ends that. */
  every(milliseconds: number, call: () => void): () => void;
}

const CLOCK: Clock = {
  now: () => performance.now(),
  every(milliseconds, call) {
    const timer = setInterval(call, milliseconds);
    return () => clearInterval(timer);
  },
};

export interface WatchedThread {
  /** Called once in a silence: the thread should answer as soon as it can. */
  ask(): void;
  /** Called when it has not answered either; `seconds` of silence. Nothing is watched any more. */
  silent(seconds: number): void;
}

/** Milliseconds between two looks at the clock. */
const TICK = 1000;
/** Milliseconds since the look before, after which this thread must have been suspended. */
const LATE = 3000;
/**
 * Shortest silence after which a thread is asked, milliseconds. A call of a world ends within half of it by the sandbox's own bounds;
 * one operation on the largest tensors takes as long on a slow processor.
 */
const LEAST = 20_000;
/** Silence that is asked about, in multiples of the longest that the thread broke by itself. */
const TIMES = 4;

export class ThreadWatch {
  readonly #watched: WatchedThread;
  readonly #clock: Clock;
  #since = 0;
  #ticked = 0;
  /** Time of the question that waits for an answer; null for none. */
  #asked: number | null = null;
  /** Longest silence that it broke by itself, milliseconds. */
  #longest = 0;
  #stop: (() => void) | null = null;

  constructor(watched: WatchedThread, clock: Clock = CLOCK) {
    this.#watched = watched;
    this.#clock = clock;
  }

  /** The thread owes a word from now on, unless it owed one before. */
  expect(): void {
    if (this.#stop !== null) return;
    this.#wait();
    this.#ticked = this.#since;
    this.#stop = this.#clock.every(TICK, () => this.#look());
  }

  /** Notes that the thread said something by itself. */
  heard(): void {
    if (this.#stop === null) return;
    this.#longest = Math.max(this.#longest, this.#clock.now() - this.#since);
    this.#wait();
  }

  /** Notes that the thread answered the question: it waits for something else, which does not tell its speed. */
  answered(): void {
    if (this.#stop !== null) this.#wait();
  }

  /** Notes that the thread owes nothing. */
  rest(): void {
    this.#stop?.();
    this.#stop = null;
  }

  #wait(): void {
    this.#since = this.#clock.now();
    this.#asked = null;
  }

  #look(): void {
    const now = this.#clock.now();
    const sleptHere = now - this.#ticked > LATE;
    this.#ticked = now;
    const patience = Math.max(LEAST, TIMES * this.#longest);
    if (sleptHere) this.#wait();
    else if (this.#asked === null && now - this.#since > patience) {
      this.#asked = now;
      this.#watched.ask();
    } else if (this.#asked !== null && now - this.#asked > patience) {
      const seconds = Math.round((now - this.#since) / 1000);
      this.rest();
      this.#watched.silent(seconds);
    }
  }
}
