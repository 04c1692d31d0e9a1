/**
 * Patience with a call into the sandbox: how long it may take, as far as it had the processor. QuickJS asks every hundred jumps
 * (questions.ts), and a machine that is busy with other programs may let a thousand times as long pass between two questions. So a gap
 * counts as no more than a few times the one before it: slow operators in a loop count in full, a gap among short ones does not.
 */

/** Longest gap that counts in full, in multiples of the one before, and in milliseconds: clocks may be coarse. */
const UNEVEN = 4;
const EVEN = 1;
/** Time after which a call ends in any case, in multiples of its patience: a busy machine may give it a tenth of a core. */
const MOST = 20;

export class Patience {
  readonly #milliseconds: number;
  readonly #most: number;
  readonly #now: () => number;
  readonly #began: number;
  #last: number;
  /** Milliseconds that count. */
  spent = 0;
  /** Nothing tells whether the first gap is even. */
  #before = 0;

  /** `most`: milliseconds of the clock after which the call ends in any case. */
  constructor(milliseconds: number, now = (): number => performance.now(), most = MOST * milliseconds) {
    this.#milliseconds = milliseconds;
    this.#most = most;
    this.#now = now;
    this.#began = now();
    this.#last = this.#began;
  }

  /** Call at every question; true if the call has to end. */
  isOver(): boolean {
    const now = this.#now();
    const gap = now - this.#last;
    this.#last = now;
    this.spent += Math.min(gap, Math.max(EVEN, UNEVEN * this.#before));
    this.#before = gap;
    return this.spent > this.#milliseconds || now - this.#began > this.#most;
  }

  /** Milliseconds by the clock. */
  get elapsed(): number {
    return this.#now() - this.#began;
  }
}
