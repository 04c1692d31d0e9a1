/**
 * Language models of the reader's own: a folder that is opened by hand is read in a Worker, kept in this browser under its hash
 * and known to the page from then on. A kept one is read again where an experiment names it.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { tellTokenizer } from '../../environments/own/workshop/told';
import type { Experiment } from '../../experiment/experiment';
import { type BaseModel, begunFrom, findModel, openModel } from '../../experiment/models';
import { openWorldsOf } from '../../experiment/ownWorld';
import { checkExperiment } from '../../experiment/parse';
import { forTexts } from '../../experiment/presets/words';
import { asLabError, LabError, withoutAdvice } from '../../foundation/errors';
import type { BackendChoice, Command, TrainerEvent } from '../../train/protocol';
import type { Editor } from '../edit/editor';
import type { LabStore } from '../lab';
import { TrainerBridge, type TrainerWorker } from '../run/trainerBridge';
import type { PolicyShelf } from './policyShelf';

export interface ModelsState {
  readonly isReading: boolean;
  /** Reason why no run can begin from the last folder; null if one can. */
  readonly problem: string | null;
  /** Memory that a run of the experiment on screen takes; null if nobody asked. */
  readonly weighed: Weighed | null;
}

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

  /** Opens the files of a folder; the experiment's policies begin from it then. `asked`: hash of the one that is asked for, if any. */
  async open(files: readonly File[], asked?: string): Promise<void> {
    this.store.setState({ isReading: true, problem: null });
    try {
      const packed = await packFolder(files);
      const id = await this.#read(packed);
      if (asked !== undefined && id !== asked) {
        const what = `The model in ${packed.name} has the SHA-256 ${id}, and the one that is asked for ${asked}.`;
        throw new LabError('invalid-policy', what, 'Choose the folder that the experiment was made with.');
      }
      await this.#shelf.keepModel(id, packed);
      const { edited } = this.#lab.getState();
      this.#editor.edit(begunFrom(edited, findModel(id) ?? { id }));
      this.store.setState({ isReading: false });
    } catch (cause) {
      this.store.setState({ isReading: false, problem: asLabError(cause).message });
    }
  }

  /** Hash of a packed folder, which is known from then on, and true where this browser keeps it. Throws LabError. */
  async take(packed: File): Promise<{ readonly id: string; readonly isKept: boolean }> {
    const id = await this.#read(packed);
    await this.#shelf.keepModel(id, packed);
    return { id, isKept: this.#shelf.store.getState().kept.some(({ sha256 }) => sha256 === id) };
  }

  /** Policies begin from this model from the next start on: in the world on screen, or in one of texts where that has other words. */
  begin(id: string): void {
    const from = (experiment: Experiment): Experiment => begunFrom(experiment, findModel(id) ?? { id });
    const here = from(this.#lab.getState().edited);
    this.#editor.edit(checkExperiment(here).problems.length === 0 ? here : from(forTexts));
  }

  /** Begins from the kept folder of a model; false for any other kept file. What is wrong with it is the `problem`. */
  async beginFromKept(file: File): Promise<boolean> {
    this.store.setState({ isReading: true, problem: null });
    try {
      const { openPacked } = await import('../../llama/packed');
      const isModel = (await openPacked(file)) !== null;
      if (isModel) this.begin((await this.take(file)).id);
      this.store.setState({ isReading: false });
      return isModel;
    } catch (cause) {
      this.store.setState({ isReading: false, problem: asLabError(cause).message });
      return true;
    }
  }

  /** Folder of a model that policies can begin from, packed; of one that comes with the lab without weights unless `whole`. */
  async folder(model: BaseModel, whole: boolean): Promise<Blob> {
    const own = this.#lab.getState().policyFiles[model.sha256];
    if (model.folder === '') {
      if (own !== undefined) return own;
      throw new LabError('missing-policy', `The folder of ${model.title} is not open here.`, 'Open it again.');
    }
    const [{ packModel }, { fetchShipped }] = await Promise.all([
      import('../../llama/packed'),
      import('./shippedPolicies'),
    ]);
    const paths = [...model.beside.map((name) => `${model.folder}/${name}`), ...(whole ? [model.file] : [])];
    const files = await Promise.all(paths.map(fetchShipped));
    return packModel(model.title, Object.fromEntries(files.map((file) => [file.name, file])));
  }

  /** Asks for the memory that a run takes. A later question makes an earlier one void. */
  async weigh(experiment: Experiment, backend: BackendChoice): Promise<void> {
    this.#weighing = experiment;
    const own = this.#own.get(experiment.policy.model) ?? null;
    const weighed = await askWorker(this.#start, { type: 'weigh', experiment, own, backend }, 'weighed').then(
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
    const { model: own } = await askWorker(this.#start, { type: 'read-model', file }, 'model');
    const { model, tokenizer, tokenizerConfig } = own;
    this.#own.set(model.id, own);
    openModel(model);
    tellTokenizer({ model: model.id, count: model.tokens, tokenizer, tokenizerConfig });
    const { edited } = this.#lab.getState();
    // The model's world can be described now, and says so where it is on screen.
    if (edited.policy.model === model.id) openWorldsOf(edited).catch(() => {});
    return model.id;
  }
}

type Answer<T extends TrainerEvent['type']> = Extract<TrainerEvent, { type: T }>;
type OwnModel = Answer<'model'>['model'];
type Weighed = Answer<'weighed'>['weighed'];

/** Answer of a Worker of its own, which ends with it. */
function askWorker<T extends TrainerEvent['type']>(
  start: () => TrainerWorker,
  command: Command,
  type: T,
): Promise<Answer<T>> {
  return new Promise((resolve, reject) => {
    const bridge = new TrainerBridge(start, (event) => {
      if (event.type === type) resolve(event as Answer<T>);
      else if (event.type === 'error')
        reject(new LabError(event.code, withoutAdvice(event.message, event.advice), event.advice));
      else return;
      bridge.close();
    });
    bridge.send(command);
  });
}

/** A folder that was opened by hand, packed. */
export async function packFolder(files: readonly File[]): Promise<File> {
  const { packModel } = await import('../../llama/packed');
  return packModel(nameOf(files), Object.fromEntries(files.filter(isAtTop).map((file) => [file.name, file])));
}

/** Files in the folder itself, not in one below it. */
const isAtTop = ({ webkitRelativePath: path }: File): boolean => path.split('/').length <= 2;

const nameOf = ([first]: readonly File[]): string => first?.webkitRelativePath.split('/')[0] || 'a folder';
