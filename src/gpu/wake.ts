/**
 * Wake for readbacks. Firefox looks for finished work at every submission, and otherwise by a timer of 100 ms (its bug 1870699):
 * each readback waits for that timer. Empty submissions while one waits end the wait early. They are turned on by measured
 * waits, and off again where they do not help: there the device itself takes that long.
 */

/** Milliseconds of a wait from which a slow timer is suspected. */
const SLOW = 50;
/** Waits in a row, slow ones or woken ones, that decide. */
const DECIDE = 3;
/** Waits without a wake after it did not help. */
const REST = 200;
/** Milliseconds between two empty submissions. */
const EVERY = 1;

export class Wake {
  readonly #submit: () => void;
  readonly #now: () => number;
  #isOn = false;
  /** Slow waits in a row, since the wake was last turned on or off. */
  #slow = 0;
  #rest = 0;

  /** `submit`: an empty submission. */
  constructor(submit: () => void, now = (): number => performance.now()) {
    this.#submit = submit;
    this.#now = now;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Waits, and submits meanwhile if that is on. One that fails tells nothing of its time. */
  async during(waiting: Promise<unknown>): Promise<void> {
    const begun = this.#now();
    const isWoken = this.#isOn;
    const timer = isWoken ? setInterval(this.#submit, EVERY) : undefined;
    try {
      await waiting;
    } finally {
      clearInterval(timer);
    }
    if (isWoken === this.#isOn) this.#learn(this.#now() - begun);
  }

  #learn(milliseconds: number): void {
    if (this.#rest > 0) {
      this.#rest--;
      return;
    }
    this.#slow = milliseconds < SLOW ? 0 : this.#slow + 1;
    if (this.#slow < DECIDE) return;
    this.#slow = 0;
    if (this.#isOn) this.#rest = REST;
    this.#isOn = !this.#isOn;
  }
}
