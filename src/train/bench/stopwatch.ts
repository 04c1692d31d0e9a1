/**
 * Times recorded operations on any backend: a program is repeated in one submission until it takes a fraction of the time
 * allowed, the result is waited for, and the best of several such runs counts. Short operations lose their launch in this
 * way, as they do in a real step.
 */
import type { Backend, Operations, Tensor } from '../../tensor/backend';

const MOST_REPEATS = 1000;
const LEAST_RUNS = 3;

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
    const repeats = Math.max(1, Math.min(MOST_REPEATS, Math.round(this.#seconds / 4 / (await run(1)))));
    let best = Number.POSITIVE_INFINITY;
    const end = performance.now() + this.#seconds * 1000;
    for (let i = 0; i < LEAST_RUNS || performance.now() < end; i++) {
      best = Math.min(best, (await run(repeats)) / repeats);
    }
    return best;
  }
}
