/** Supervised fine-tuning, from a model's folder and a text to another folder: what the command line and the page share. */
import type { TuneSettings } from '../../experiment/tuning';
import { LabError } from '../../foundation/errors';
import { LAB_LICENCE } from '../../foundation/licence';
import { RandomStream, STREAM } from '../../foundation/philox';
import { readTemplate } from '../../llama/chatTemplate';
import { type Example, type ExampleReading, examplesOfLines, examplesOfText, heldApart } from '../../llama/examples';
import type { ModelFolder } from '../../llama/folder';
import { type Model, merged, trainable, withNewAdapters } from '../../llama/model';
import { readTokens } from '../../llama/text';
import { Tuning, tuningMemory } from '../../llama/tuning';
import { adaptableMaps } from '../../policy/configuration';
import type { Backend } from '../../tensor/backend';
import { weightsFolder } from '../policies/modelFiles';

/** A file of texts: JSON a line where its name ends in .jsonl or .json, else a plain text. */
export interface TextFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface TunePlan {
  readonly settings: TuneSettings;
  readonly folder: ModelFolder;
  /** Model to be trained: with new adapters, where those are wanted. */
  readonly model: Model;
  readonly learned: readonly Example[];
  readonly examined: readonly Example[];
  /** Pieces that are read without their text's beginning. */
  readonly cut: number;
  readonly memory: ReturnType<typeof tuningMemory>;
  /** Token that ends a text; undefined where the model has none. */
  readonly end: number | undefined;
}

/**
 * `base`: the folder's model. `merges`: adapters leave merged into it. Throws LabError for a text that is none, or has nothing to
 * learn from.
 */
export async function planTuning(
  folder: ModelFolder,
  base: Model,
  file: TextFile,
  chosen: TuneSettings,
  merges = false,
): Promise<TunePlan> {
  const settings = { ...chosen, length: Math.min(chosen.length, base.configuration.context) };
  const { rank, alpha, seed } = settings;
  if (rank > 0 && base.configuration.adapters !== undefined) {
    const what = `${folder.name} holds an adapter already, and a second one cannot be learned on it.`;
    throw new LabError('unsupported', what, 'Choose rank 0, which trains that adapter further.');
  }
  const maps = adaptableMaps(base.configuration).map(({ name }) => name);
  const model = rank === 0 ? trainable(base) : withNewAdapters(base, { rank, factor: alpha / rank, maps }, seed);
  const tokens = await readTokens(folder, base.tokens);
  const reading: ExampleReading = { tokens, template: await readTemplate(folder), length: settings.length };
  const examples = shuffle(readExamples(file, reading), seed);
  const { examined, learned } = heldApart(examples, settings.heldOut);
  if (learned.length === 0) {
    throw new LabError('invalid-experiment', `There is no text to learn from in ${file.name}.`, 'Choose a longer one.');
  }
  const cut = examples.filter(({ isGoneOn }) => isGoneOn).length;
  return {
    settings,
    folder,
    model,
    learned,
    examined,
    cut,
    memory: tuningMemory(model, settings, merges),
    end: tokens.ends[0],
  };
}

function readExamples(file: TextFile, reading: ExampleReading): Example[] {
  const text = textOf(file);
  return /\.jsonl?$/i.test(file.name) ? examplesOfLines(text, reading) : examplesOfText(text, reading);
}

function textOf({ name, bytes }: TextFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const advice = 'Choose a plain text or JSONL, saved as UTF-8.';
    throw new LabError('invalid-experiment', `${name} is no text in UTF-8.`, advice, { cause });
  }
}

function shuffle<T>(items: readonly T[], seed: number): T[] {
  const random = new RandomStream(seed, STREAM.demonstrations, 0, 0, 0);
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j] as T, order[i] as T];
  }
  return order;
}

/** Mean −log p of the learned tokens of held-out texts, nats; null without any. */
export interface Losses {
  readonly before: number | null;
  readonly after: number | null;
}

export interface Tuned extends Losses {
  readonly updates: number;
  readonly parameters: Float32Array;
}

export interface TuneListener {
  /** Loss of the pieces of an update, before its step. */
  learned(update: number, loss: number): void;
  /** Loss of texts that were held out, after so many updates. */
  examined?(update: number, loss: number): void;
  /** Updates between two examinations beside the first and the last; none unless told. They change no number of the training. */
  readonly examineEvery?: number;
  /** Awaited before each update; false ends the training with what was learned by then. */
  goesOn?(): Promise<boolean>;
}

/** Trains, and disposes of the backend: its memory is free while files are made. */
export async function tune(plan: TunePlan, backend: Backend, listener: TuneListener): Promise<Tuned> {
  const { model, learned, examined, settings } = plan;
  const { batch, updates } = settings;
  const { examineEvery = Number.POSITIVE_INFINITY } = listener;
  const tuning = new Tuning(backend, model, settings);
  const examine = async (update: number): Promise<number | null> => {
    let [sum, tokens] = [0, 0];
    for (let from = 0; from < examined.length; from += batch) {
      const part = examined.slice(from, from + batch);
      const count = part.reduce((all, example) => all + example.learned.filter(Boolean).length, 0);
      sum += count * (await tuning.loss(part));
      tokens += count;
    }
    if (tokens === 0) return null;
    listener.examined?.(update, sum / tokens);
    return sum / tokens;
  };
  const before = await examine(0);
  let done = 0;
  while (done < updates && (await (listener.goesOn?.() ?? true))) {
    if (done > 0 && done % examineEvery === 0) await examine(done);
    const part = Array.from({ length: Math.min(batch, learned.length) }, (_, i) => {
      return learned[(done * batch + i) % learned.length] as Example;
    });
    const loss = await tuning.step(part);
    done++;
    listener.learned(done, loss);
  }
  const after = await examine(done);
  const parameters = await tuning.parameters();
  backend.dispose();
  return { before, after, updates: done, parameters };
}

/** Files of the tuned model; of one that trained adapters the adapter alone unless `merge`. `below`: name of the model below one. */
export function tunedFolder(
  { folder, model, learned, examined, end }: TunePlan,
  { parameters, updates }: Pick<Tuned, 'parameters' | 'updates'>,
  { merge, below }: { readonly merge: boolean; readonly below: string },
): ReturnType<typeof weightsFolder> {
  const after = { ...model, parameters };
  const pieces = learned.length + examined.length;
  const card = `# ${folder.name}, tuned\n\nFine-tuned by the lab Unmask on ${pieces} pieces of text, in ${updates} updates.\nLicence: ${LAB_LICENCE}.\n`;
  const about = { metadata: { tuned: String(updates), licence: LAB_LICENCE }, card, below, end };
  return weightsFolder(merge ? merged(after) : after, folder, about);
}
