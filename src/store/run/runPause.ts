/**
 * Exclusive use of the device for timing. A training run is paused after its update and goes on afterwards. A run that
 * the user starts meanwhile interrupts the timing. A second timing interrupts the first.
 */
import type { LabState, LabStore } from '../lab';
import type { Runner } from './runner';

/** Work that is timed. */
export interface Timed {
  /** Begins timing. Called when nothing trains: at once, or when the run has paused. */
  begin(): void;
  /** Ends timing at once; `why` is a clause: “a run was started”. */
  interrupt(why: string): void;
}

const BUSY: readonly LabState['phase'][] = ['running', 'preparing'];

export class RunPause {
  readonly #lab: LabStore;
  readonly #runner: Runner;
  #holder: Timed | null = null;
  #begun = false;
  /** True if the run was paused for timing and must go on afterwards. */
  #resume = false;

  constructor(lab: LabStore, runner: Runner) {
    this.#lab = lab;
    this.#runner = runner;
    lab.subscribe((now, before) => {
      if (now.phase !== before.phase) this.#runChanged(now.phase);
    });
  }

  take(holder: Timed): void {
    const before = this.#holder;
    this.#holder = holder;
    this.#begun = false;
    if (before !== null && before !== holder) before.interrupt('another measurement was started');
    if (BUSY.includes(this.#lab.getState().phase)) {
      this.#resume = true;
      this.#runner.pause();
    } else this.#begin(holder);
  }

  /** Gives the device back after timing has ended in any way. Does nothing for anyone but the holder. */
  release(holder: Timed): void {
    if (this.#holder !== holder) return;
    // The holder goes first: otherwise the resumed run would interrupt it.
    this.#holder = null;
    const { phase } = this.#lab.getState();
    if (this.#resume && (phase === 'paused' || phase === 'ready' || BUSY.includes(phase))) this.#runner.resume();
    this.#resume = false;
  }

  #begin(holder: Timed): void {
    this.#begun = true;
    holder.begin();
  }

  #runChanged(phase: LabState['phase']): void {
    const holder = this.#holder;
    if (holder === null) return;
    if (!this.#begun) {
      if (!BUSY.includes(phase)) this.#begin(holder);
    } else if (BUSY.includes(phase)) {
      // The user has started a run: times measured beside it would be wrong.
      this.#resume = false;
      holder.interrupt('a run was started');
    }
  }
}
