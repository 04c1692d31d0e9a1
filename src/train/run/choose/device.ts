/**
 * The device of a run, and the training on it: chosen at its beginning, opened again when it was lost, replaced if the person
 * chooses another. Where memory ran out once, batches are cut smaller from then on.
 */

import { trainedMembers } from '../../../experiment/arm/policyFiles';
import type { Change, Experiment } from '../../../experiment/experiment';
import { type MachineEntry, recordMachine } from '../../../experiment/machines';
import { isOutOfMemory, LabError } from '../../../foundation/errors';
import type { WarmStartProgress } from '../../../rl/learn/warmStart';
import { ShownDemonstrations } from '../../looks/demonstrations';
import type { Watch } from '../../looks/episodes';
import type { PoolChoice } from '../../pool/port';
import type { FilePolicies, Training } from '../../population/training';
import type { BackendChoice, BackendKind, Foreknown } from '../../protocol';
import type { Checkpoint } from '../keep/checkpoint';
import { reopen, type Snapshots } from '../keep/recovery';
import type { Post } from '../reporter';
import { type BackendTask, type ChosenBackend, lineOf } from './backends';
import { chooseHere, machineOf, type OpenedRun, openTraining, smallerPlanWords } from './opening';
import { withRace } from './races';

export interface RunDeviceOptions {
  readonly post: Post;
  /** Policies of the files that the experiment names. */
  readonly policies: () => Promise<FilePolicies>;
  /** Workers of the CPU backend for so many members, where they are not the browser's. */
  readonly pool?: ((members: number) => PoolChoice) | undefined;
  /** Earlier knowledge that decides between GPU and CPU without a race. */
  readonly known?: Foreknown | undefined;
  /** Called with a text on the work at hand, for the person. */
  readonly detail: (text: string) => void;
  /** Seed and group whose demonstrations are shown. */
  readonly watch: () => Watch;
  /** True if nobody wants the run any more. */
  readonly unwanted: () => boolean;
  /** Called when the device that the run trains on is gone. */
  readonly lost: () => void;
}

/** Reason a run stays on its backend: its numbers would differ on another. */
const AS_BEGUN = 'the run keeps what it began on';

export class RunDevice {
  readonly #options: RunDeviceOptions;
  #choice: BackendChoice;
  /** Reason for the kind that the run goes on with; null: the choice's own. */
  #reason: string | null = null;
  /** Backend of the training; null before the first was opened. */
  #backend: BackendKind | null = null;
  /** Times the usual plan was halved on this backend. */
  #halvings = 0;
  #machines: readonly MachineEntry[] = [];
  #training: Training | null = null;
  #lost: LabError | null = null;

  constructor(choice: BackendChoice, options: RunDeviceOptions) {
    this.#choice = choice;
    this.#options = options;
  }

  /** Machines that the run ran on so far. */
  get machines(): readonly MachineEntry[] {
    return this.#machines;
  }

  get backend(): BackendKind | null {
    return this.#backend;
  }

  /** Training; null until one is ready, and while another is being opened. */
  get training(): Training | null {
    return this.#training;
  }

  /** The reason the device is gone; null while it is there. */
  get lost(): LabError | null {
    return this.#lost;
  }

  /** Goes on with the backend and the machines of a kept run. */
  goOn({ backend, machines }: Pick<Checkpoint, 'backend' | 'machines'>): void {
    this.keepTo(backend);
    this.#machines = machines;
  }

  /** Keeps to a backend that an earlier part of the run had. */
  keepTo(backend: BackendChoice): void {
    this.#choice = backend;
    this.#reason = AS_BEGUN;
  }

  /** Takes another backend from the next opening on, by the person's choice. */
  choose(choice: BackendChoice): void {
    if (choice !== this.#choice) this.#halvings = 0;
    this.#choice = choice;
    this.#reason = null;
  }

  /** Opens a training, from the latest snapshot if there is one; once more where the device is lost meanwhile. Throws LabError. */
  async open(experiment: Experiment, snapshots: Snapshots): Promise<OpenedRun> {
    try {
      return await this.#open(experiment, snapshots, this.#halvings);
    } catch (cause) {
      if (!(cause instanceof LabError) || cause.code !== 'device-lost') throw cause;
      const opened = await this.reopen(experiment, snapshots, cause);
      if (opened === null) throw cause;
      return opened;
    }
  }

  /**
   * Opens again after the device was lost or memory ran out; null when no device could be opened. Throws `why` if nothing
   * can help.
   */
  async reopen(experiment: Experiment, snapshots: Snapshots, why: LabError): Promise<OpenedRun | null> {
    const isFull = isOutOfMemory(why);
    const halvings = this.#halvings + (isFull ? 1 : 0);
    const happened = isFull ? 'memory ran out' : 'the device was lost';
    try {
      return await reopen(
        () => this.#open(experiment, snapshots, halvings),
        (text) => this.#options.detail(`${happened}: ${text}`),
      );
    } catch (cause) {
      // No smaller plan is left.
      throw isFull && cause instanceof LabError && cause.code === 'limits' ? why : cause;
    }
  }

  async #open(experiment: Experiment, { latest }: Snapshots, halvings: number): Promise<OpenedRun> {
    const choose = (task: BackendTask): Promise<ChosenBackend> =>
      chooseHere(this.#choice, trainedMembers(experiment), task, this.#options.pool);
    const { detail, unwanted, known } = this.#options;
    return openTraining(experiment, {
      choose,
      snapshot: latest,
      policies: await this.#options.policies(),
      halvings,
      detail,
      unwanted,
      known,
      onImitation: this.#tellsImitation(experiment),
      onChosen: (chosen) => this.#announce(chosen, experiment),
    });
  }

  /** Tells how far a warm start is, with a demonstration that its next step learns from. */
  #tellsImitation(experiment: Experiment): (progress: WarmStartProgress) => void {
    const { post, watch } = this.#options;
    let demonstrations: ShownDemonstrations | null = null;
    return ({ done, total, loss = [], readings = [] }) => {
      for (const reading of readings) post({ type: 'warm-start', reading });
      demonstrations ??= new ShownDemonstrations(experiment);
      post({ type: 'imitation', done, total, loss, episodes: done < total ? demonstrations.at(done, watch()) : [] });
    };
  }

  /** Trains on with an opened training, and reports it. Frees it if nobody wants the run any more. */
  take(opened: OpenedRun, timeline: readonly Change[]): void {
    const { training, halvings, runtimes } = opened;
    const { post, unwanted, lost } = this.#options;
    if (unwanted()) {
      training.dispose();
      return;
    }
    training.setTimeline(timeline);
    this.#training = training;
    this.#lost = null;
    void training.lost.then((error) => {
      if (this.#training !== training) return;
      this.#lost = error;
      lost();
    });
    const entry = machineOf(opened);
    this.#backend = entry.backend;
    this.#machines = recordMachine(this.#machines, entry);
    post({ type: 'machine', entry });
    post({ type: 'runtimes', runtimes });
    if (halvings > this.#halvings) {
      const text = smallerPlanWords(training);
      post({ type: 'notice', kind: 'smaller-plan', update: training.finished, text });
    }
    this.#halvings = halvings;
  }

  /** Frees the training. */
  release(): void {
    this.#training?.dispose();
    this.#training = null;
  }

  #announce(chosen: ChosenBackend, experiment: Experiment): void {
    const { kind, reason, raced } = chosen;
    // A run that lost its device asks for the same kind again: another kind is for the person to choose.
    if (this.#choice !== kind) this.#reason = reason;
    this.#choice = kind;
    const { post, known } = this.#options;
    const remember = raced && { remember: withRace(known?.remembered, experiment, raced) };
    post({ type: 'backend', ...lineOf(chosen), ...remember, reason: this.#reason ?? reason });
  }
}
