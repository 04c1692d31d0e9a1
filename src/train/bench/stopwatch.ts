/**
 * Times of recorded operations on any backend. A program is repeated in one submission until that takes a fraction of the
 * time allowed; the best of several such runs counts. So the cost of a launch is spread over many operations, as in a real
 * step. With the device's own clock the repetitions are one pass with timestamps, and the host's work does not count.
 */
import type { PassTimer } from '../../gpu/passTimer';
import type { Backend, Operations, Tensor } from '../../tensor/backend';

/**
 * Largest number of repetitions in one submission. The CPU needs more: its short operations take less time than a GPU's
 * launch.
 */
const MOST_REPEATS = { webgpu: 1000, cpu: 20_000, 'cpu-fused': 20_000, reference: 1000 } as const;
/** Largest number of repetitions in one pass with timestamps, where each is recorded again. */
const MOST_RECORDED = 256;
const LEAST_RUNS = 3;
/** Seconds to which most browsers round their clocks. */
const TICK = 1e-4;

export class Stopwatch {
  readonly #backend: Backend;
  readonly #probe: Tensor;
  readonly #members: number;
  readonly #seconds: number;
  readonly #timer: PassTimer | null;

  /** seconds: time allowed for each measurement; timer: the one that the backend was opened with. */
  constructor(backend: Backend, members: number, seconds: number, timer: PassTimer | null = null) {
    this.#timer = timer;
    this.#backend = backend;
    this.#probe = backend.tensor('probe', 'f32', 1, 4);
    this.#members = members;
    this.#seconds = seconds;
  }

  /** Seconds of one run of the operations. */
  async time(record: (operations: Operations) => void): Promise<number> {
    if (this.#timer !== null) return this.#timeOnDevice(record, this.#timer);
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

  async #timeOnDevice(record: (operations: Operations) => void, timer: PassTimer): Promise<number> {
    await timer.collect();
    const recordRuns = async (repeats: number): Promise<() => Promise<number>> => {
      const program = this.#backend.record('bench', this.#members, (operations) => {
        for (let i = 0; i < repeats; i++) record(operations);
      });
      await this.#backend.prepare();
      return async () => {
        this.#backend.run(program);
        return (await timer.collect()).get('bench') ?? 0;
      };
    };
    let repeats = 1;
    let run = await recordRuns(repeats);
    await run();
    const enough = this.#seconds / 4;
    for (let seconds = await run(); seconds < enough / 2 && repeats < MOST_RECORDED; seconds = await run()) {
      repeats = Math.min(MOST_RECORDED, seconds < 10 * TICK ? repeats * 8 : Math.ceil((repeats * enough) / seconds));
      run = await recordRuns(repeats);
    }
    let best = Number.POSITIVE_INFINITY;
    const end = performance.now() + this.#seconds * 1000;
    for (let i = 0; i < LEAST_RUNS || performance.now() < end; i++) best = Math.min(best, await run());
    // Timestamps may be rounded, too: nothing is less than a tick.
    return (best > 0 ? best : TICK) / repeats;
  }

  /** Repetitions that fill a quarter of the time allowed. It tries ever more, because one alone may not move the clock. */
  async #repeatsOf(run: (repeats: number) => Promise<number>): Promise<number> {
    const enough = this.#seconds / 4;
    const most = MOST_REPEATS[this.#backend.kind];
    for (let repeats = 1; ; ) {
      const seconds = await run(repeats);
      if (seconds >= enough / 2 || repeats >= most) {
        return Math.max(1, Math.min(most, Math.round((repeats * enough) / Math.max(seconds, TICK))));
      }
      repeats = Math.min(most, repeats * (seconds < 10 * TICK ? 8 : Math.ceil(enough / seconds)));
    }
  }
}
