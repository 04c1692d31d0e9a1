/**
 * Fine-tuning of a language model on a text of the reader's: planned, trained and stopped in a Worker of its own. What comes out is
 * kept in this browser, as a folder that policies can begin from.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { findModel, MODELS } from '../../experiment/models';
import { type TuneSettings, USUAL_TUNING } from '../../experiment/tuning';
import { asLabError, LabError, withoutAdvice } from '../../foundation/errors';
import type { TrainerEvent, TuneNews } from '../../train/protocol';
import { packFolder } from '../keep/modelFolders';
import type { Models } from '../keep/models';
import type { LabStore } from '../lab';
import { TrainerBridge, type TrainerWorker } from '../run/trainerBridge';

type NewsOf<K extends TuneNews['kind']> = Extract<TuneNews, { kind: K }>;

export interface LossPoint {
  readonly update: number;
  readonly loss: number;
}

/** Model that is taught. */
export interface TaughtModel {
  /** Id of a model that policies can begin from; null for a folder that was opened here. */
  readonly id: string | null;
  readonly title: string;
}

/** Model that came out of the training. */
export interface TunedModel {
  readonly id: string;
  readonly title: string;
  /** False where it is too large for this browser to keep, or nothing is kept here. */
  readonly isKept: boolean;
}

export interface TuningState {
  readonly base: TaughtModel;
  readonly texts: File | null;
  readonly settings: TuneSettings;
  readonly phase: 'idle' | 'reading' | 'tuning' | 'stopping';
  readonly planned: NewsOf<'planned'> | null;
  readonly learned: readonly LossPoint[];
  readonly examined: readonly LossPoint[];
  readonly done: NewsOf<'done'> | null;
  readonly tuned: TunedModel | null;
  readonly problem: { readonly what: string; readonly advice: string } | null;
}

/** Largest text, in bytes: all of its tokens are in memory. */
const MOST_TEXT = 32 * 2 ** 20;

export class TuningDesk {
  readonly store: StoreApi<TuningState>;
  readonly #models: Models;
  readonly #bridge: TrainerBridge;
  /** Folder that was opened here. */
  #folder: File | null = null;
  /** Number of the newest request: an earlier one's files may arrive later. */
  #asked = 0;

  constructor(lab: LabStore, models: Models, startWorker: () => TrainerWorker) {
    this.#models = models;
    this.#bridge = new TrainerBridge(startWorker, (event) => this.#hear(event));
    const model = findModel(lab.getState().edited.policy.model) ?? MODELS[0];
    this.store = createStore<TuningState>(() => ({
      base: { id: model?.id ?? null, title: model?.title ?? '' },
      texts: null,
      settings: USUAL_TUNING,
      ...{ phase: 'idle', planned: null, learned: [], examined: [], done: null, tuned: null, problem: null },
    }));
  }

  /** Chooses a model that policies can begin from. */
  choose(id: string): void {
    const model = findModel(id);
    if (model !== undefined) void this.#plan({ base: { id, title: model.title } });
  }

  /** Opens the files of a model's folder. */
  async open(files: readonly File[]): Promise<void> {
    this.#folder = packFolder(files);
    await this.#plan({ base: { id: null, title: this.#folder.name } });
  }

  read(texts: File): void {
    void this.#plan({ texts });
  }

  set(settings: Partial<TuneSettings>): void {
    void this.#plan({ settings: { ...this.store.getState().settings, ...settings } });
  }

  begin(): Promise<void> {
    this.store.setState({ learned: [], examined: [], done: null, tuned: null });
    return this.#ask('tuning');
  }

  /** Ends the training after the update in flight; what was learned by then stays. */
  stop(): void {
    if (this.store.getState().phase !== 'tuning') return;
    this.store.setState({ phase: 'stopping' });
    this.#bridge.send({ type: 'stop-tuning' });
  }

  /** Ends the training at once; nothing of it stays. */
  discard(): void {
    this.#rest();
    this.store.setState({ learned: [], examined: [] });
  }

  /** Policies begin from the tuned model from the next start on. */
  use(): void {
    const { tuned } = this.store.getState();
    if (tuned !== null) void this.#models.begin(tuned.id);
  }

  #rest(): void {
    this.#asked++;
    this.#bridge.close();
    this.store.setState({ phase: 'idle' });
  }

  /** Takes a change, and asks what the training would be and take. */
  #plan(change: Partial<TuningState>): Promise<void> {
    this.store.setState({ ...change, planned: null, learned: [], examined: [], done: null, tuned: null });
    return this.#ask('reading');
  }

  async #ask(phase: 'reading' | 'tuning'): Promise<void> {
    this.#rest();
    this.store.setState({ problem: null });
    const { base, texts, settings } = this.store.getState();
    if (texts === null) return;
    const request = this.#asked;
    this.store.setState({ phase });
    try {
      if (texts.size > MOST_TEXT) {
        const what = `${texts.name} has ${texts.size} bytes, more than ${MOST_TEXT}.`;
        throw new LabError('limits', what, 'Choose a part of it, or use lab tune on the command line.');
      }
      const folder = await this.#folderOf(base);
      if (request !== this.#asked) return;
      this.#bridge.send({ type: 'tune', request: { base: folder, texts, settings }, begins: phase === 'tuning' });
    } catch (cause) {
      if (request === this.#asked) this.#fail(asLabError(cause).message, asLabError(cause).advice);
    }
  }

  #folderOf({ id }: TaughtModel): Promise<Blob> | Blob {
    const model = id === null ? undefined : findModel(id);
    if (model !== undefined) return this.#models.folder(model, true);
    if (this.#folder !== null) return this.#folder;
    throw new LabError('missing-policy', 'The model’s folder is not open here.', 'Open it again.');
  }

  #hear(event: TrainerEvent): void {
    if (event.type === 'error') this.#fail(event.message, event.advice);
    if (event.type !== 'tuning') return;
    const { news } = event;
    const { phase, learned, examined } = this.store.getState();
    switch (news.kind) {
      case 'planned':
        this.store.setState({ planned: news });
        if (phase === 'reading') this.#rest();
        break;
      case 'learned':
        this.store.setState({ learned: [...learned, news] });
        break;
      case 'examined':
        this.store.setState({ examined: [...examined.filter(({ update }) => update !== news.update), news] });
        break;
      case 'done':
        this.#rest();
        this.store.setState({ done: news });
        void this.#keep(news);
        break;
      default:
        news satisfies never;
    }
  }

  async #keep({ model }: NewsOf<'done'>): Promise<void> {
    const request = this.#asked;
    try {
      const id = await this.#models.take(model);
      if (request === this.#asked)
        this.store.setState({ tuned: { id, title: model.name, isKept: this.#models.keeps(id) } });
    } catch (cause) {
      if (request === this.#asked) this.#fail(asLabError(cause).message, asLabError(cause).advice);
    }
  }

  #fail(message: string, advice: string): void {
    this.#rest();
    this.store.setState({ problem: { what: withoutAdvice(message, advice), advice } });
  }
}
