/**
 * Patience with a call into the sandbox: how long it may take, as far as it had the processor. QuickJS asks every ten thousand
 * jumps, and a machine that is busy with other programs may let a hundred times as long pass between two questions. So a gap counts
 * as no more than a few times the shortest one, and a call with slow operators in it ends after many times its patience.
 */

/** Longest gap that counts in full, in multiples of the shortest. */
const UNEVEN = 4;
/** Time after which a call ends in any case, in multiples of its patience. */
const MOST = 20;

export class Patience {
  readonly #milliseconds: number;
  readonly #now: () => number;
  readonly #began: number;
  #last: number;
  #spent = 0;
  #shortest = Number.POSITIVE_INFINITY;
  #isFirst = true;

  constructor(milliseconds: number, now = (): number => performance.now()) {
    this.#milliseconds = milliseconds;
    this.#now = now;
    this.#began = now();
    this.#last = this.#began;
  }

  /** Call at every question; true if the call has to end. */
  isOver(): boolean {
    const now = this.#now();
    const gap = now - this.#last;
    this.#last = now;
    // The first gap may be of fewer jumps.
    if (!this.#isFirst) this.#shortest = Math.min(this.#shortest, gap);
    this.#isFirst = false;
    this.#spent += Math.min(gap, UNEVEN * this.#shortest);
    return this.#spent > this.#milliseconds || now - this.#began > MOST * this.#milliseconds;
  }
}
