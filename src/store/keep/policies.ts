/**
 * Policies as files, saved from the run and opened in the lab. A file is read in a Worker of its own, so a damaged or
 * hostile one can harm nothing else. Only files that contain a policy are kept, by hash.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Arm } from '../../experiment/experiment';
import { findShipped } from '../../experiment/shippedPolicies';
import { asLabError, excerpt, LabError, withoutAdvice } from '../../foundation/errors';
import type { BackendChoice, PlayedPolicy, PolicyRequest, PolicySummary, TrainerEvent } from '../../train/protocol';
import { fromLink } from '../edit/arrival';
import type { Editor } from '../edit/editor';
import { isLive, type LabState, type LabStore } from '../lab';
import type { Requests } from '../run/requests';
import { TrainerBridge, type TrainerWorker } from '../run/trainerBridge';
import type { PolicyShelf } from './policyShelf';
import { fetchPolicy } from './shippedPolicies';

/** Policy of the run, ready to be saved. */
export interface ExportedPolicy {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly update: number;
  /** True if its last gradient was not finite. */
  readonly hasDiverged: boolean;
}

/** Policy from a file. */
export interface OpenedPolicy extends PolicySummary {
  readonly name: string;
}

export interface PoliciesState {
  readonly phase: 'idle' | 'exporting' | 'reading' | 'playing';
  /** Last policy that was saved. */
  readonly saved: ExportedPolicy | null;
  readonly opened: OpenedPolicy | null;
  /** Results of the opened policy's play. */
  readonly played: PlayedPolicy | null;
  /** Reason why the last file could not be saved or opened. */
  readonly problem: { readonly what: string; readonly advice: string } | null;
}

/** Settings of an arm that an opened policy can be used for. */
export type PolicyUse = 'startPolicy' | 'referencePolicy';

export class Policies {
  readonly store: StoreApi<PoliciesState>;
  readonly #lab: LabStore;
  readonly #requests: Requests;
  readonly #editor: Editor;
  readonly #bridge: TrainerBridge;
  readonly #backend: () => BackendChoice;
  readonly #shelf: PolicyShelf;
  #file: File | null = null;
  /** True if the policy should play as soon as its file is read. */
  #toPlay = false;

  /** `backend`: the backend that the user has chosen. */
  constructor(
    lab: LabStore,
    requests: Requests,
    editor: Editor,
    startWorker: () => TrainerWorker,
    backend: () => BackendChoice,
    shelf: PolicyShelf,
  ) {
    this.#backend = backend;
    this.#shelf = shelf;
    this.#lab = lab;
    this.#requests = requests;
    this.#editor = editor;
    this.#bridge = new TrainerBridge(startWorker, (event) => this.#hear(event));
    this.store = createStore<PoliciesState>(() => ({
      phase: 'idle',
      saved: null,
      opened: null,
      played: null,
      problem: null,
    }));
    lab.subscribe((now, before) => {
      if (hasPolicies(before) && !hasPolicies(now)) this.#runEnded();
      // The opened policy was judged to fit another world or shape.
      const { environment, policy } = before.edited;
      if (now.edited.environment !== environment || now.edited.policy !== policy)
        this.store.setState({ opened: null, played: null });
    });
  }

  /**
   * Gives `save` the policy of one member as a file, after the update in flight. Training goes on. `folder`: packed folder of the
   * language model that it began from, where it is wanted as a folder like that one.
   */
  async export(
    request: PolicyRequest,
    save: (policy: ExportedPolicy) => void,
    folder?: () => Promise<Blob>,
  ): Promise<void> {
    if (this.store.getState().phase !== 'idle') return;
    this.store.setState({ phase: 'exporting', saved: null, problem: null });
    try {
      const base = folder && (await folder());
      // The run may have ended meanwhile.
      if (this.store.getState().phase === 'exporting') this.#ask({ ...request, base }, save);
    } catch (cause) {
      this.refuse(cause);
    }
  }

  #ask(request: PolicyRequest, save: (policy: ExportedPolicy) => void): void {
    this.#requests.exportPolicy(request, (event) => {
      if (event.type === 'not-exported') return this.#fail(event.message, event.advice);
      this.store.setState({ phase: 'idle', saved: event });
      save(event);
    });
  }

  /**
   * Reads a file. No content of it changes anything else in the lab. Reading or playing of an earlier file ends.
   * `toPlay`: the policy plays once it is read.
   */
  open(file: File, toPlay = false): void {
    if (this.store.getState().phase === 'exporting') {
      const advice = 'Open the file when it is there.';
      this.store.setState({ problem: { what: 'A policy is just being saved.', advice } });
      return;
    }
    this.#bridge.close();
    this.#file = file;
    this.#toPlay = toPlay;
    this.store.setState({ phase: 'reading', opened: null, played: null, problem: null });
    this.#bridge.send({ type: 'read-policy', file, experiment: this.#lab.getState().edited });
  }

  /** Plays the shipped trained policy of a world at once. */
  async watch(environment: string): Promise<void> {
    try {
      const trained = findShipped(environment, 'trained');
      if (trained === undefined) {
        const what = 'No trained policy of this world comes with the lab.';
        throw new LabError('missing-policy', what, 'Choose another world, or a file of your own.');
      }
      this.open(await fetchPolicy(trained), true);
    } catch (cause) {
      this.refuse(cause);
    }
  }

  /** Plays the opened policy on onnxruntime-web, also beside a training run. */
  play(): void {
    if (this.store.getState().phase !== 'idle' || this.#file === null) return;
    this.store.setState({ phase: 'playing', played: null, problem: null });
    this.#bridge.send({ type: 'play', file: this.#file, backend: this.#backend() });
  }

  /** Makes arms begin from the opened policy, or take it as reference, from the next start on. */
  use(use: PolicyUse, concerns: (arm: Arm) => boolean): void {
    const { opened } = this.store.getState();
    if (opened !== null) this.#editor.editArms(use, opened.sha256, concerns);
  }

  /** Opens the experiment that the opened policy comes from, with all arms beginning from the policy. */
  openItsExperiment(): void {
    const { opened } = this.store.getState();
    if (opened === null) return;
    const { experiment, notice, machines } = fromLink(opened.experiment, 'what was on screen stays');
    if (notice?.kind === 'broken-link') {
      this.#fail(notice.text, notice.advice);
      return;
    }
    this.#editor.replace(experiment, notice, machines);
    this.#editor.editArms('startPolicy', opened.sha256, () => true);
  }

  /** Shows an error as the problem of the last file. */
  refuse(cause: unknown): void {
    const { message, advice } = asLabError(cause);
    this.#fail(message, advice);
  }

  #hear(event: TrainerEvent): void {
    const file = this.#file;
    this.#bridge.close();
    if (event.type === 'policy' && file !== null) {
      const { policy } = event;
      this.#lab.setState(({ policyFiles }) => ({ policyFiles: { ...policyFiles, [policy.sha256]: file } }));
      void this.#shelf.keep(policy.sha256, file);
      this.store.setState({ phase: 'idle', opened: { ...policy, name: excerpt(file.name) } });
      if (this.#toPlay) this.play();
    } else if (event.type === 'played') this.store.setState({ phase: 'idle', played: event.played });
    else if (event.type === 'error') this.#fail(event.message, event.advice);
    this.#toPlay = false;
  }

  #runEnded(): void {
    if (this.store.getState().phase !== 'exporting') return;
    this.#fail('The run ended before its policy was written.', 'Start it again.');
  }

  #fail(message: string, advice: string): void {
    this.store.setState({ phase: 'idle', problem: { what: withoutAdvice(message, advice), advice } });
  }
}

/** True if there are policies that can be saved: the trainer's, or kept ones. */
export function hasPolicies(state: Pick<LabState, 'phase' | 'running' | 'keptUpdate'>): boolean {
  if (state.phase === 'restored' || state.phase === 'failed') return state.keptUpdate !== null;
  return state.phase === 'finished' || (isLive(state) && state.phase !== 'preparing' && state.phase !== 'stranded');
}
