/**
 * State of the token inspector: whether it is open, the trajectory it asks the trainer for, and the part shown. It
 * outlives its dialog, so coming back from a kernel's page leads to the same token.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EpisodeView, InspectionChoice } from '../../train/looks/shown';
import type { Inspected, LabStore } from '../lab';
import type { Requests } from '../run/requests';

export const LENSES = [
  'role',
  'weight',
  'old',
  'new',
  'reference',
  'ratio',
  'advantage',
  'value',
  'entropy',
  'surprise',
  'attention',
] as const;
export type LensName = (typeof LENSES)[number];

/** View of the group that was chosen: one trajectory's tokens, or all of its rollouts as a tree. */
export const VIEWS = ['tokens', 'tree'] as const;
export type InspectorView = (typeof VIEWS)[number];

/** Place of a token: an arm, and an index in its trajectory. */
export interface TokenPlace {
  readonly arm: string;
  readonly index: number;
}

export interface InspectorState {
  readonly isOpen: boolean;
  readonly view: InspectorView;
  readonly choice: InspectionChoice;
  /** Update of the episode it was opened from, whose batch may be gone. */
  readonly from: number;
  readonly arm: string;
  /** Second arm, shown for comparison; null for none. */
  readonly other: string | null;
  readonly lens: LensName;
  /** Layer and head of the lens `attention`; null as head is the mean of all heads. */
  readonly layer: number;
  readonly head: number | null;
  /** Token shown; null for the first action. */
  readonly token: TokenPlace | null;
}

export class Inspector {
  readonly store: StoreApi<InspectorState>;
  readonly #lab: LabStore;
  readonly #requests: Pick<Requests, 'inspect'>;

  constructor(lab: LabStore, requests: Pick<Requests, 'inspect'>) {
    this.#lab = lab;
    this.#requests = requests;
    this.store = createStore<InspectorState>(() => ({
      isOpen: false,
      view: 'tokens',
      choice: { seed: 0, group: 0, trajectory: 0 },
      from: 0,
      arm: '',
      other: null,
      lens: 'weight',
      layer: 0,
      head: null,
      token: null,
    }));
    lab.subscribe((now, before) => {
      // Another run, or none, has nothing of this trajectory.
      if (now.history !== before.history) this.close();
    });
  }

  /**
   * Opens on an episode on screen, at one of its tokens or on its group. `held`: it and those beside it, as they were measured when
   * it came; they stay until another is asked for, unless the trainer rests and knows more of them.
   */
  open(
    { arm, seed, update, group, trajectory }: EpisodeView,
    index: number | null,
    view: InspectorView = 'tokens',
    held: Inspected['inspections'] = [],
  ): void {
    const { other } = this.store.getState();
    const { phase, update: trained } = this.#lab.getState();
    const isNewest = update + 1 === trained;
    const isHeld = held.length > 0 && !(isNewest && phase !== 'running');
    const choice = { seed, group, trajectory };
    this.store.setState({
      isOpen: true,
      view,
      arm,
      from: update,
      other: other === arm ? null : other,
      token: index === null || !(isNewest || isHeld) ? null : { arm, index },
    });
    if (isHeld) {
      this.store.setState({ choice });
      this.#lab.setState({ inspected: { choice, inspections: [...held] } });
    } else this.choose(choice);
  }

  close(): void {
    this.store.setState({ isOpen: false });
  }

  /** Asks for a trajectory of the newest batch; the same place may be asked for again. */
  choose(change: Partial<InspectionChoice>): void {
    const choice = { ...this.store.getState().choice, ...change };
    this.store.setState({ choice });
    this.#requests.inspect(choice);
  }

  show(change: Partial<Pick<InspectorState, 'view' | 'arm' | 'other' | 'lens' | 'layer' | 'head' | 'token'>>): void {
    this.store.setState((before) => {
      const now = { ...before, ...change };
      return { ...now, other: now.other === now.arm ? null : now.other };
    });
  }
}
