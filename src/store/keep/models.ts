/**
 * Language models of the reader's own: a folder that is opened by hand is read in a Worker, kept in this browser under its hash
 * and known to the page from then on. A kept one is read again where an experiment names it.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { tellTokenizer } from '../../environments/own/workshop/told';
import { openModel } from '../../experiment/models';
import { openWorldsOf } from '../../experiment/ownWorld';
import { asLabError, LabError, withoutAdvice } from '../../foundation/errors';
import type { TrainerEvent } from '../../train/protocol';
import type { Editor } from '../edit/editor';
import type { LabStore } from '../lab';
import { TrainerBridge, type TrainerWorker } from '../run/trainerBridge';
import type { PolicyShelf } from './policyShelf';

export interface ModelsState {
  readonly isReading: boolean;
  /** Why the last folder cannot be begun from; null if it can. */
  readonly problem: string | null;
}

export class Models {
  readonly store: StoreApi<ModelsState> = createStore<ModelsState>(() => ({ isReading: false, problem: null }));
  readonly #lab: LabStore;
  readonly #editor: Editor;
  readonly #shelf: PolicyShelf;
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
      const { packModel } = await import('../../llama/packed');
      const packed = packModel(
        nameOf(files),
        Object.fromEntries(files.filter(isAtTop).map((file) => [file.name, file])),
      );
      const id = await this.#read(packed);
      if (asked !== undefined && id !== asked) {
        const what = `The model in ${packed.name} has the SHA-256 ${id}, and the one that is asked for ${asked}.`;
        throw new LabError('invalid-policy', what, 'Choose the folder that the experiment was made with.');
      }
      await this.#shelf.keepModel(id, packed);
      const { edited } = this.#lab.getState();
      this.#editor.edit({ ...edited, policy: { ...edited.policy, model: id } });
      this.store.setState({ isReading: false });
    } catch (cause) {
      this.store.setState({ isReading: false, problem: asLabError(cause).message });
    }
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
    const { model, tokenizer, tokenizerConfig } = await readInWorker(this.#start, file);
    openModel(model);
    tellTokenizer({ model: model.id, count: model.tokens, tokenizer, tokenizerConfig });
    const { edited } = this.#lab.getState();
    // Its world can be described now, and says so where it is on screen.
    if (edited.policy.model === model.id) openWorldsOf(edited).catch(() => {});
    return model.id;
  }
}

type Read = Extract<TrainerEvent, { type: 'model' }>['model'];

/** Reads it in a Worker of its own, which ends with it. */
function readInWorker(start: () => TrainerWorker, file: File): Promise<Read> {
  return new Promise((resolve, reject) => {
    const bridge = new TrainerBridge(start, (event) => {
      if (event.type === 'model') resolve(event.model);
      else if (event.type === 'error')
        reject(new LabError(event.code, withoutAdvice(event.message, event.advice), event.advice));
      else return;
      bridge.close();
    });
    bridge.send({ type: 'read-model', file });
  });
}

/** Files in the folder itself, not in one below it. */
const isAtTop = ({ webkitRelativePath: path }: File): boolean => path.split('/').length <= 2;

const nameOf = ([first]: readonly File[]): string => first?.webkitRelativePath.split('/')[0] || 'a folder';
