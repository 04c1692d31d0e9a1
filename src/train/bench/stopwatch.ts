/**
 * Times recorded operations on any backend: a program is repeated in one submission until it takes a fraction of the time
 * allowed, the result is waited for, and the best of several such runs counts. Short operations lose their launch in this
 * way, as they do in a real step.
 */
import type { Backend, Operations, Tensor } from '../../tensor/backend';

/** In one submission. What computes as it is told needs more of them: its short operations take less than a launch. */
const MOST_REPEATS = { webgpu: 1000, cpu: 20_000, reference: 1000 } as const;
const LEAST_RUNS = 3;
/** Browsers round their clocks, most of them to this, in seconds. */
const TICK = 1e-4;

export class Stopwatch {
  readonly #backend: Backend;
  readonly #probe: Tensor;
  readonly #members: number;
  readonly #seconds: number;

  /** `seconds`: time allowed for each measurement. */
  constructor(backend: Backend, members: number, seconds: number) {
    this.#backend = backend;
    this.#probe = backend.tensor('probe', 'f32', 1, 4);
    this.#members = members;
    this.#seconds = seconds;
  }

  /** Seconds of one run of the operations. */
  async time(record: (operations: Operations) => void): Promise<number> {
    const once = this.#backend.record('bench', this.#members, record);
    await this.#backend.prepare();
    const run = async (repeats: number): Promise<number> => {
      const start = performance.now();
      this.#backend.run(...Array.from({ length: repeats }, () => once));
      await this.#backend.read(this.#probe);
      return (performance.now() - start) / 1000;
    };
    await run(1);
    const repeats = await this.#repeatsOf(run);
    let best = Number.POSITIVE_INFINITY;
    const end = performance.now() + this.#seconds * 1000;
    for (let i = 0; i < LEAST_RUNS || performance.now() < end; i++) {
      best = Math.min(best, await run(repeats));
    }
    // Less than a tick cannot be told from nothing.
    return Math.max(best, TICK) / repeats;
  }

  /** As many as fill a quarter of the time allowed: tried with more and more, because one alone may not move the clock. */
  async #repeatsOf(run: (repeats: number) => Promise<number>): Promise<number> {
    const wanted = this.#seconds / 4;
    const most = MOST_REPEATS[this.#backend.kind];
    for (let repeats = 1; ; ) {
      const taken = await run(repeats);
      if (taken >= wanted / 2 || repeats >= most) {
        return Math.max(1, Math.min(most, Math.round((repeats * wanted) / Math.max(taken, TICK))));
      }
      repeats = Math.min(most, repeats * (taken < 10 * TICK ? 8 : Math.ceil(wanted / taken)));
    }
  }
}
