/**
 * Language models of the reader's own: a folder that is opened by hand is read in a Worker, kept in this browser under its hash
 * and known to the page from then on. A kept one is read again where an experiment names it.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { tellTokenizer } from '../../environments/own/workshop/told';
import type { Experiment } from '../../experiment/experiment';
import { type BaseModel, beginFrom, findModel, openModel } from '../../experiment/models';
import { openWorldsOf } from '../../experiment/ownWorld';
import type { BackendChoice, TrainerEvent } from '../../train/protocol';
import type { Editor } from '../edit/editor';
import { isLive, type LabStore } from '../lab';
import type { TrainerWorker } from '../run/trainerBridge';
import type { PolicyShelf } from './policyShelf';

export interface ModelsState {
  readonly isReading: boolean;
  /** Reason why no run can begin from the last folder; null if one can. */
  readonly problem: string | null;
  /** Memory that a run of the experiment on screen takes; null if nobody asked. */
  readonly weighed: Weighed | null;
}

/** Code that only a folder needs. */
const folders = () => import('./modelFolders');

export class Models {
  readonly store: StoreApi<ModelsState> = createStore<ModelsState>(() => ({
    isReading: false,
    problem: null,
    weighed: null,
  }));
  readonly #lab: LabStore;
  readonly #editor: Editor;
  readonly #shelf: PolicyShelf;
  readonly #own = new Map<string, OwnModel>();
  /** Experiment that was asked about last. */
  #weighing: Experiment | null = null;
  readonly #start: () => TrainerWorker;

  constructor(lab: LabStore, editor: Editor, startWorker: () => TrainerWorker, shelf: PolicyShelf) {
    this.#lab = lab;
    this.#editor = editor;
    this.#start = startWorker;
    this.#shelf = shelf;
    shelf.onModel((hash, file) => this.#recall(hash, file));
  }

  /**
   * Opens the files of a folder; the experiment's policies begin from it then. `id`: hash of the one that is asked for, if any.
   */
  async open(files: readonly File[], id?: string): Promise<void> {
    await (await folders()).openIn(this, files, id);
  }

  /** Hash of a packed folder, which is known from then on, and kept if it is `wantedId`. Throws LabError. */
  async take(packed: File, wantedId?: string): Promise<string> {
    const id = await this.#read(packed);
    if (wantedId === undefined || id === wantedId) await this.#shelf.keepModel(id, packed);
    return id;
  }

  /** True where this browser keeps the model of this hash. */
  keeps(id: string): boolean {
    return this.#shelf.store.getState().kept.some(({ sha256 }) => sha256 === id);
  }

  /** From the next start on, policies begin from the model of this hash, in the world on screen. */
  beginHere(id: string): void {
    this.#editor.edit(this.begun(id));
  }

  /** The experiment on screen, or another, with policies that begin from it. */
  begun(id: string, experiment = this.#lab.getState().edited): Experiment {
    return beginFrom(experiment, findModel(id) ?? { id });
  }

  /** Begins as beginHere() does, or in a world of texts where the one on screen has other words. */
  async begin(id: string): Promise<void> {
    const experiment = (await folders()).fitting(this, id);
    const state = this.#lab.getState();
    // A run that is over and kept leaves the screen: its curves must not be shown under the new experiment's name.
    if (isLive(state) || state.keptUpdate === null) this.#editor.edit(experiment);
    else this.#editor.open(experiment);
  }

  /** Begins from the kept folder of a model; false for any other kept file. What is wrong with it is the `problem`. */
  async beginFromKept(file: File): Promise<boolean> {
    return (await folders()).beginFromKept(this, file);
  }

  /** Folder of a model that policies can begin from, as folderOf() gives it. */
  async folder(model: BaseModel, whole: boolean): Promise<Blob> {
    return (await folders()).folderOf(model, this.#lab.getState().policyFiles[model.sha256], whole);
  }

  /** Asks for the memory that a run takes. A later question makes an earlier one void. */
  async weigh(experiment: Experiment, backend: BackendChoice): Promise<void> {
    this.#weighing = experiment;
    const opened = this.#own.get(experiment.policy.model) ?? null;
    const weighed = await (await folders())
      .askWorker(this.#start, { type: 'weigh', experiment, own: opened, backend }, 'weighed')
      .then(
        (event) => event.weighed,
        // Faults of the experiment are told where it is edited.
        () => ({ text: 'Its memory cannot be told.', isLacking: false }),
      );
    if (this.#weighing === experiment) this.store.setState({ weighed });
  }

  /** A kept folder; true where it is the model of this hash. */
  async #recall(hash: string, file: File): Promise<boolean> {
    try {
      return (await this.#read(file)) === hash;
    } catch {
      return false;
    }
  }

  /** Hash of a packed folder's weights, which this page knows from then on. Throws LabError. */
  async #read(file: File): Promise<string> {
    const { model: opened } = await (await folders()).askWorker(this.#start, { type: 'read-model', file }, 'model');
    const { model, tokenizer, tokenizerConfig } = opened;
    this.#own.set(model.id, opened);
    openModel(model);
    tellTokenizer({ model: model.id, count: model.tokens, tokenizer, tokenizerConfig });
    const { edited } = this.#lab.getState();
    // The model's world can be described now, and says so where it is on screen.
    if (edited.policy.model === model.id) openWorldsOf(edited).catch(() => {});
    return model.id;
  }
}

export type TrainerReply<T extends TrainerEvent['type']> = Extract<TrainerEvent, { type: T }>;
type OwnModel = TrainerReply<'model'>['model'];
type Weighed = TrainerReply<'weighed'>['weighed'];
