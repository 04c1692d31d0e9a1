/**
 * The device of a run: chosen at its beginning, opened again when it was lost, replaced if the person chooses another. Where
 * memory ran out once, batches are cut smaller from then on.
 */
import type { Experiment } from '../../experiment/experiment';
import { type MachineEntry, recordMachine } from '../../experiment/machines';
import { trainedMembers } from '../../experiment/policyFiles';
import { isOutOfMemory, LabError } from '../../foundation/errors';
import type { FilePolicies } from '../population/training';
import type { BackendChoice, BackendKind, TrainerEvent } from '../protocol';
import type { ChosenBackend } from './backends';
import type { Checkpoint } from './checkpoint';
import { chooseHere, machineOf, type Opened, openTraining, smallerPlanWords } from './opening';
import { reopen, type Snapshots } from './recovery';

export interface RunDeviceOptions {
  readonly post: (event: TrainerEvent) => void;
  /** Policies of the files that the experiment names. */
  readonly policies: () => Promise<FilePolicies>;
  /** Called with a text on what is happening, for the person. */
  readonly detail: (text: string) => void;
  /** True if nobody wants the run any more. */
  readonly unwanted: () => boolean;
}

export class RunDevice {
  readonly #options: RunDeviceOptions;
  #choice: BackendChoice;
  /** Backend of the training; null before the first was opened. */
  #backend: BackendKind | null = null;
  /** Times the usual plan was halved on this backend. */
  #halvings = 0;
  #machines: readonly MachineEntry[] = [];

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

  /** Goes on with the backend and the machines of a kept run. */
  goOn({ backend, machines }: Pick<Checkpoint, 'backend' | 'machines'>): void {
    this.#choice = backend;
    this.#machines = machines;
  }

  /** Takes another backend from the next opening on, by the person's choice. */
  choose(choice: BackendChoice): void {
    if (choice !== this.#choice) this.#halvings = 0;
    this.#choice = choice;
  }

  /** Opens a training, from the latest snapshot if there is one; once more where the device is lost meanwhile. Throws LabError. */
  async open(experiment: Experiment, snapshots: Snapshots): Promise<Opened> {
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
  async reopen(experiment: Experiment, snapshots: Snapshots, why: LabError): Promise<Opened | null> {
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

  async #open(experiment: Experiment, { latest }: Snapshots, halvings: number): Promise<Opened> {
    const choose = (): Promise<ChosenBackend> => chooseHere(this.#choice, trainedMembers(experiment));
    const { detail, unwanted } = this.#options;
    return openTraining(experiment, {
      choose,
      snapshot: latest,
      policies: await this.#options.policies(),
      halvings,
      detail,
      unwanted,
      onChosen: (chosen) => this.#announce(chosen),
    });
  }

  /** Reports what the run goes on with. */
  take(opened: Opened): void {
    const { training, halvings, runtimes } = opened;
    const { post } = this.#options;
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

  #announce({ kind, description, software, reason }: ChosenBackend): void {
    // A run that lost its device asks for the same kind again: another kind is for the person to choose.
    this.#choice = kind;
    this.#options.post({ type: 'backend', kind, description, software, reason });
  }
}
