/** Clock of redraws: signals that there is something new to draw, at most four times a second. */
import type { LabStore } from '../lab';

/** Smallest number of milliseconds between two redraws of measurements. */
const TICK = 250;

export class RedrawClock {
  readonly #store: LabStore;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #last = Number.NEGATIVE_INFINITY;

  constructor(store: LabStore) {
    this.#store = store;
  }

  tick(): void {
    if (this.#timer !== null) return;
    const wait = Math.max(0, this.#last + TICK - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#last = performance.now();
      this.#store.setState(({ tick }) => ({ tick: tick + 1 }));
    }, wait);
  }
}
