/**
 * Whoever times something has the device to itself: a run that trains is paused after its update and goes on afterwards, a
 * run that the person starts meanwhile comes first, and of two that would time something the later one does.
 */
import type { LabState, LabStore } from './lab';
import type { Runner } from './runner';

/** Something that is timed. */
export interface Timed {
  /** Nothing trains now: called at once, or when the run has paused. */
  begin(): void;
  /** Ends it at once; `why` is a clause: “a run was started”. */
  interrupt(why: string): void;
}

const BUSY: readonly LabState['phase'][] = ['running', 'preparing'];

export class RunPause {
  readonly #lab: LabStore;
  readonly #runner: Runner;
  #holder: Timed | null = null;
  #begun = false;
  /** The run was paused for this, and goes on afterwards. */
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

  /** After the holder has ended, in whatever way; nothing for anyone else. */
  release(holder: Timed): void {
    if (this.#holder !== holder) return;
    // First, so that the run that goes on interrupts nobody.
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
      // The person wants the device for a run: nothing timed beside it would be true.
      this.#resume = false;
      holder.interrupt('a run was started');
    }
  }
}
