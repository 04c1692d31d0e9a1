/**
 * Patience with a call into the sandbox: how long it may take, as far as it had the processor. QuickJS asks every ten thousand
 * jumps, and a machine that is busy with other programs may let a hundred times as long pass between two questions. So a gap counts
 * as no more than a few times the shortest one, and a call with slow operators in it ends after many times its patience.
 */

/** Longest gap that counts in full, in multiples of the shortest. */
const UNEVEN = 4;
/** Gaps from which the shortest tells something. */
const ENOUGH = 8;
/** Time after which a call ends in any case, in multiples of its patience. */
const MOST = 20;

export class Patience {
  readonly #milliseconds: number;
  readonly #now: () => number;
  readonly #began: number;
  #last: number;
  readonly #gaps: number[] = [];

  constructor(milliseconds: number, now = (): number => performance.now()) {
    this.#milliseconds = milliseconds;
    this.#now = now;
    this.#began = now();
    this.#last = this.#began;
  }

  /** Call at every question; true if the call has to end. */
  isOver(): boolean {
    const now = this.#now();
    this.#gaps.push(now - this.#last);
    this.#last = now;
    const elapsed = now - this.#began;
    if (elapsed <= this.#milliseconds) return false;
    if (elapsed > MOST * this.#milliseconds) return true;
    return this.#gaps.length >= ENOUGH && this.#spent() > this.#milliseconds;
  }

  #spent(): number {
    // The first gap may be of fewer jumps.
    const longest =
      UNEVEN *
      this.#gaps.reduce((least, gap, at) => (at === 0 ? least : Math.min(least, gap)), Number.POSITIVE_INFINITY);
    return this.#gaps.reduce((sum, gap) => sum + Math.min(gap, longest), 0);
  }
}
