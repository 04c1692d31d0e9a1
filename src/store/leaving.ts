/**
 * Question before the run on screen ends where something would be lost by it. Whatever ends a run without having
 * said so (Reset, a link, a file, another kept run) asks here; the browser asks before the page is closed or left.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { KeptRunsState } from './keptRuns';
import { isLive, type LabState, type LabStore } from './lab';

export interface Stake {
  /** Updates that the run has had. */
  readonly updates: number;
  /** True if it can train on. */
  readonly isLive: boolean;
  /** True if its curves are not kept in this browser. */
  readonly isUnkept: boolean;
  /** Updates after which this browser keeps its policies; null if it keeps none. */
  readonly keptUpdate: number | null;
}

type RunOnScreen = Pick<LabState, 'running' | 'phase' | 'history' | 'keptUpdate'>;
type Kept = Pick<KeptRunsState, 'shown' | 'problem'>;

/** null where nothing would be lost: no run, nothing measured yet, or a run that rests and is kept as it is. */
export function stakeOf(state: RunOnScreen, { shown, problem }: Kept): Stake | null {
  const { running, phase, history, keptUpdate } = state;
  const updates = history?.count ?? 0;
  if (running === null || updates === 0 || phase === 'restored') return null;
  const isUnkept = shown === null || problem !== null;
  const isWhole = phase !== 'running' && keptUpdate !== null && keptUpdate >= updates;
  const canBeLost = isUnkept || (isLive(state) && !isWhole);
  return canBeLost ? { updates, isLive: isLive(state), isUnkept, keptUpdate } : null;
}

export interface Question {
  /** Cause of the end, a sentence. */
  readonly why: string;
  readonly stake: Stake;
  readonly go: () => void;
}

export class Leaving {
  /** The question that waits for an answer; null if there is none. */
  readonly store: StoreApi<{ readonly asked: Question | null }> = createStore<{ readonly asked: Question | null }>(
    () => ({ asked: null }),
  );
  /** Loss by an end of the run now; null where nothing would be lost. */
  readonly stake: () => Stake | null;

  /** `kept`: null for a guest in another page's frame, which asks nothing. */
  constructor(lab: LabStore, kept: StoreApi<KeptRunsState> | null) {
    this.stake = () => (kept === null ? null : stakeOf(lab.getState(), kept.getState()));
    let isHeld = false;
    const hold = (): void => {
      const isAtStake = this.stake() !== null;
      if (isAtStake === isHeld) return;
      isHeld = isAtStake;
      // Only while it is needed: browsers keep no page for Back that listens to this.
      if (isHeld) globalThis.addEventListener?.('beforeunload', askBrowser);
      else globalThis.removeEventListener?.('beforeunload', askBrowser);
    };
    lab.subscribe(hold);
    kept?.subscribe(hold);
  }

  /** Does `go` at once where nothing would be lost, otherwise once the person has agreed. `why`: what ends the run, a sentence. */
  ask(why: string, go: () => void): void {
    const stake = this.stake();
    if (stake === null) go();
    else this.store.setState({ asked: { why, stake, go } });
  }

  answer(isAgreed: boolean): void {
    const { asked } = this.store.getState();
    this.store.setState({ asked: null });
    if (isAgreed) asked?.go();
  }
}

function askBrowser(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
