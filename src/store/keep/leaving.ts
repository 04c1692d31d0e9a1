/**
 * Question before the run on screen ends where something would be lost by it. Everything that ends a run without having
 * said so (Reset, a link, a file, another kept run) asks here; the browser asks before the page is closed or left. A
 * run that can be kept rests first, and ends once its present policies are kept.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { isLive, type LabState, type LabStore, untilState } from '../lab';
import type { Runner } from '../run/runner';
import type { KeptRunsState } from './keptRuns';

/** Milliseconds at most between the wish to end a run and its end: a large policy takes a while to be written. */
const SAVE_FOR = 5000;

export interface Stake {
  /** Updates that the run has had. */
  readonly updates: number;
  /** Supervised updates of its warm start so far; null where it has none. */
  readonly imitated: number | null;
  /** True if the run can train on. */
  readonly isLive: boolean;
  /** True if its curves are not kept in this browser. */
  readonly isUnkept: boolean;
  /** Updates after which this browser keeps its policies; null if it keeps none. */
  readonly keptUpdate: number | null;
}

type RunOnScreen = Pick<LabState, 'running' | 'phase' | 'history' | 'imitation' | 'keptUpdate'>;
type Kept = Pick<KeptRunsState, 'shown' | 'problem'>;

/** State of the run on screen; null where there is no run, or one that has neither measured nor imitated anything. */
function extentOf(state: RunOnScreen, { shown, problem }: Kept): Stake | null {
  const { running, phase, history, imitation, keptUpdate } = state;
  const updates = history?.count ?? 0;
  const imitated = imitation?.done ?? null;
  const hasBegun = updates > 0 || (isLive(state) && (imitated ?? 0) > 0);
  if (running === null || !hasBegun || phase === 'restored') return null;
  return { updates, imitated, isLive: isLive(state), isUnkept: shown === null || problem !== null, keptUpdate };
}

/** Stake of a run; null where nothing would be lost: no run, none that has begun, or one that rests and is kept whole. */
export function stakeOf(state: RunOnScreen, kept: Kept): Stake | null {
  const extent = extentOf(state, kept);
  return extent !== null && (extent.isUnkept || (extent.isLive && !isWhole(state))) ? extent : null;
}

/** True where a run rests and its present policies are kept. */
const isWhole = ({ phase, history, keptUpdate }: RunOnScreen): boolean =>
  phase !== 'running' && phase !== 'preparing' && keptUpdate !== null && keptUpdate >= (history?.count ?? 0);

/** Phases in which a run can rest and be kept. */
const KEEPABLE: readonly LabState['phase'][] = ['preparing', 'ready', 'running', 'paused'];

export interface LeavingQuestion {
  /** Cause of the end, a sentence. */
  readonly why: string;
  readonly stake: Stake;
  readonly go: () => void;
}

interface Asked {
  /** The question that waits for an answer; null if there is none. */
  readonly asked: LeavingQuestion | null;
  /** True while the run that is to end is being kept. */
  readonly isSaving: boolean;
}

export class Leaving {
  readonly store: StoreApi<Asked> = createStore<Asked>(() => ({ asked: null, isSaving: false }));
  /** Loss by an end of the run now; null where nothing would be lost. */
  readonly stake: () => Stake | null;
  readonly #lab: LabStore;
  readonly #runner: Pick<Runner, 'rest' | 'resume' | 'keep'>;
  /** Counts the ends that were wished for: one that was taken back ends nothing. */
  #wishes = 0;
  /** True if the run trained before it was wished to end. */
  #trained = false;

  /** `kept`: null for a guest in another page's frame, which asks nothing. */
  constructor(lab: LabStore, kept: StoreApi<KeptRunsState> | null, runner: Pick<Runner, 'rest' | 'resume' | 'keep'>) {
    this.#lab = lab;
    this.#runner = runner;
    this.stake = () => (kept === null ? null : stakeOf(lab.getState(), kept.getState()));
    const askBrowser = (event: BeforeUnloadEvent): void => {
      // The trainer keeps its newest state while the person reads the question: once the page is gone, it has no time.
      runner.keep();
      event.preventDefault();
    };
    let isHeld = false;
    const hold = (): void => {
      const isAtStake = this.stake() !== null;
      if (isAtStake === isHeld) return;
      isHeld = isAtStake;
      // Only while it is needed: browsers keep no page for Back that listens to this.
      if (isHeld) globalThis.addEventListener?.('beforeunload', askBrowser);
      else globalThis.removeEventListener?.('beforeunload', askBrowser);
    };
    // The question's numbers are of the run now, not at the time of asking.
    const follow = (): void => {
      const { asked } = this.store.getState();
      const stake = asked === null || kept === null ? null : extentOf(lab.getState(), kept.getState());
      if (asked === null || stake === null || JSON.stringify(stake) === JSON.stringify(asked.stake)) return;
      this.store.setState({ asked: { ...asked, stake } });
    };
    for (const changed of [hold, follow]) {
      lab.subscribe(changed);
      kept?.subscribe(changed);
    }
  }

  /** Does `go` at once where nothing would be lost, otherwise once the person has agreed. `why`: what ends the run, a sentence. */
  ask(why: string, go: () => void): void {
    const stake = this.stake();
    if (stake === null) go();
    else this.store.setState({ asked: { why, stake, go } });
  }

  answer(isAgreed: boolean): void {
    const { asked } = this.store.getState();
    if (isAgreed && asked !== null) this.end(asked.go);
    else this.stay();
  }

  /** Does `go` once the run rests and is kept whole, or cannot be within some seconds. */
  end(go: () => void): void {
    if (this.store.getState().isSaving) return;
    const done = (): void => {
      this.store.setState({ asked: null, isSaving: false });
      go();
    };
    const state = this.#lab.getState();
    // Before the first update the trainer keeps nothing.
    const isKeepable = KEEPABLE.includes(state.phase) && (state.history?.count ?? 0) > 0;
    if (this.stake() === null || !isKeepable || isWhole(state)) {
      done();
      return;
    }
    this.#wishes++;
    const wish = this.#wishes;
    this.#trained = state.phase === 'running' || state.phase === 'preparing';
    this.store.setState({ isSaving: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, SAVE_FOR);
    });
    void Promise.race([this.#kept(state.run), late]).then(() => {
      clearTimeout(timer);
      if (this.store.getState().isSaving && wish === this.#wishes) done();
    });
  }

  /** Takes the question back, also while the run is being kept: it goes on if it trained. */
  stay(): void {
    const { isSaving } = this.store.getState();
    this.store.setState({ asked: null, isSaving: false });
    if (isSaving && this.#trained) this.#runner.resume();
  }

  /** Resolves when the run rests and is kept whole, or is over. */
  async #kept(run: string): Promise<void> {
    await this.#runner.rest();
    await untilState(this.#lab, (now) => now.run !== run || !KEEPABLE.includes(now.phase) || isWhole(now));
  }
}
