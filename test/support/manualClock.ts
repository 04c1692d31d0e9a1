/** A clock that a test moves. */
import type { Clock } from '../../src/foundation/watch';

export class ManualClock implements Clock {
  #time = 0;
  readonly #timers = new Set<{ readonly every: number; readonly call: () => void; due: number }>();

  now(): number {
    return this.#time;
  }

  every(milliseconds: number, call: () => void): () => void {
    const timer = { every: milliseconds, call, due: this.#time + milliseconds };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that run. */
  get running(): number {
    return this.#timers.size;
  }

  /** Lets so many seconds pass, with every timer at its time. */
  pass(seconds: number): void {
    const end = this.#time + 1000 * seconds;
    for (;;) {
      const [next] = [...this.#timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.#time = Math.max(this.#time, next.due);
      next.due = this.#time + next.every;
      next.call();
    }
    this.#time = end;
  }

  /** Sleeps for so many seconds: timers that were due meanwhile come once, late. */
  sleep(seconds: number): void {
    this.#time += 1000 * seconds;
    for (const timer of [...this.#timers]) {
      if (timer.due > this.#time) continue;
      timer.due = this.#time + timer.every;
      timer.call();
    }
  }
}
