/**
 * Language models that policies may begin from (docs/llama.md): those that come with the lab (public/models), and the reader's own. A
 * model fixes the shape of the policies and their words, so it can only play in worlds whose words are its pieces.
 */
import type { LlamaBlocks } from '../foundation/llamaBlocks';
import type { Experiment } from './experiment';

export interface BaseModel {
  readonly id: string;
  readonly title: string;
  /** Folder below `public`; empty for a model of the reader's own, as are the next two. */
  readonly folder: string;
  /** Weights, below `public`. */
  readonly file: string;
  /** Files beside the weights. */
  readonly beside: readonly string[];
  readonly sha256: string;
  /** Bytes of its weights where they are frozen: in the types of its files. */
  readonly bytes: number;
  /** Settings of an adapter that lies beside it, which policies begin from; absent where there is none. */
  readonly adapter?: Pick<Experiment['policy'], 'adapterRank' | 'adapterAlpha' | 'adapterMaps'>;
  readonly tokens: number;
  /** Longest text, in tokens. */
  readonly longest: number;
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  /** Rest of the model's blocks. */
  readonly llama: LlamaBlocks;
}

export const MODELS: readonly BaseModel[] = [
  {
    id: 'stories260k',
    title: 'stories260K',
    folder: 'models/stories260k',
    file: 'models/stories260k/model.safetensors',
    beside: ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'README.md'],
    sha256: '938471ca57ffa5ac6bce2f072fb797cc4027278a5e3707ac72e83be1a2cc0c9e',
    bytes: 1_040_128,
    tokens: 512,
    longest: 512,
    layers: 5,
    width: 64,
    heads: 8,
    llama: { keyValueHeads: 4, headWidth: 8, hidden: 172, epsilon: 1e-5, theta: 10_000, tied: true, biases: 'none' },
  },
];

/** Models of the reader's own that are open in this thread, each by the SHA-256 of its weights, which is its id. */
const opened = new Map<string, BaseModel>();

export function openModel(model: BaseModel): void {
  opened.set(model.id, model);
}

/** Undefined for noise, and for a model whose folder is not open here. */
export const findModel = (id: string): BaseModel | undefined =>
  MODELS.find((model) => model.id === id) ?? opened.get(id);
export const modelOfHash = (sha256: string): BaseModel | undefined => MODELS.find((model) => model.sha256 === sha256);

/** The experiment with policies that begin from a model, and from the adapter beside it. */
export const beginFrom = (experiment: Experiment, { id, adapter }: Pick<BaseModel, 'id' | 'adapter'>): Experiment => ({
  ...experiment,
  policy: { ...experiment.policy, model: id, ...adapter },
});
