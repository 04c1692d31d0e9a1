/**
 * Running success rate of every member, [P], 0 to 1: an exponential mean over updates in which the newest counts a tenth.
 * Formulas read it as `success_rate`, so that a loss can follow the policy's progress. It is part of a run's state, and
 * an update reads it without the update's own episodes: a number computed from it was known before they were played.
 */

/** Weight of the newest update: a mean over some ten updates, steadier than one batch of a few dozen episodes. */
const NEWEST = 0.1;

export class RunningSuccess {
  readonly #rates: Float64Array;

  constructor(members: number) {
    this.#rates = new Float64Array(members);
  }

  /** [P]; 0 before the first update. A copy. */
  get rates(): number[] {
    return [...this.#rates];
  }

  /** Notes the success rates of an update, [P]. The first one is the mean so far. */
  note(update: number, successes: ArrayLike<number>): void {
    const weight = update === 0 ? 1 : NEWEST;
    this.#rates.forEach((rate, member) => {
      this.#rates[member] = rate + weight * (successes[member] - rate);
    });
  }

  /** Goes on from a snapshot's; members of one from before there were rates begin at 0. */
  restore(rates: readonly number[]): void {
    this.#rates.forEach((_, member) => {
      this.#rates[member] = rates[member] ?? 0;
    });
  }
}
