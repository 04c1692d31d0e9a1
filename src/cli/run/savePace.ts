/** Times at which a run is saved: after two seconds, then twice as long after that, and so on up to the longest wait. */

const FIRST_SECONDS = 2;
const LONGEST_SECONDS = 60;

export class SavePace {
  readonly #longest: number;
  /** Seconds between the last attempt and the next. */
  #wait: number;
  /** Time of the last attempt, in milliseconds. */
  #last = performance.now();

  /** `longest`: longest wait, in seconds. */
  constructor(longest = LONGEST_SECONDS) {
    this.#longest = longest;
    this.#wait = this.#first;
  }

  get #first(): number {
    return Math.min(FIRST_SECONDS, this.#longest);
  }

  get isDue(): boolean {
    return performance.now() - this.#last > this.#wait * 1000;
  }

  /** Sets the next time, after an attempt: soon, if it failed. */
  tried(isSaved: boolean): void {
    this.#wait = isSaved ? Math.min(2 * this.#wait, this.#longest) : this.#first;
    this.#last = performance.now();
  }
}
