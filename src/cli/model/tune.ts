/** `lab tune`: supervised fine-tuning of a language model on texts, into a folder that Hugging Face's programs read. */
import { readFile } from 'node:fs/promises';
import { LAB_LICENCE } from '../../foundation/licence';
import { RandomStream, STREAM } from '../../foundation/philox';
import { MOST_RANKS } from '../../llama/adapter';
import { readTemplate } from '../../llama/chatTemplate';
import { type Example, examplesOfLines, examplesOfText, heldApart, type Reading } from '../../llama/examples';
import { damaged, type ModelFolder, readJson } from '../../llama/folder';
import { merged, trainable, withNewAdapters } from '../../llama/model';
import { readTokens } from '../../llama/text';
import { Tuning, tuningMemory } from '../../llama/tuning';
import { machineBytes } from '../../node/memory';
import { adaptableMaps } from '../../policy/configuration';
import { createCpuBackend } from '../../tensor/cpu/backend';
import { weightsFile, weightsFolder } from '../../train/policies/modelFiles';
import { lackOf, memoryWords } from '../../train/run/memory';
import { diskError } from '../disk';
import { usage } from '../errors';
import { print } from '../output';
import { filesWriter } from '../policy/exportFolder';
import { wholeNumber } from '../run/runArguments';
import { findSpeaker, numberIn } from './speaker';

export interface TuneArguments {
  readonly on?: string | undefined;
  readonly out?: string | undefined;
  readonly updates?: string | undefined;
  readonly batch?: string | undefined;
  readonly length?: string | undefined;
  readonly 'learning-rate'?: string | undefined;
  readonly rank?: string | undefined;
  readonly alpha?: string | undefined;
  readonly merge?: boolean | undefined;
  readonly 'held-out'?: string | undefined;
  readonly seed?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Steps between two lines about the loss. */
const TOLD_EVERY = 10;

/** Reads model, texts and arguments. Returns a function that tunes and writes. */
export async function tuneCommand(subject: string | undefined, given: TuneArguments): Promise<() => Promise<number>> {
  const { on, out } = given;
  if (on === undefined) throw usage('No texts were named.', 'Add --on FILE.txt or --on FILE.jsonl.');
  if (out === undefined) throw usage('No folder was named.', 'Add --out DIR.');
  const { model, folder } = await findSpeaker(subject, {});
  const count = (name: 'updates' | 'batch' | 'length' | 'rank' | 'seed', usual: number, least: number): number => {
    const value = wholeNumber(given[name] ?? String(usual), `--${name}`);
    if (value >= least) return value;
    throw usage(`--${name} cannot be ${value}.`, `Choose ${least} or more.`);
  };
  const [updates, batch, rank, seed] = [
    count('updates', 100, 1),
    count('batch', 8, 1),
    count('rank', 0, 0),
    count('seed', 0, 0),
  ];
  if (given.merge === true && rank === 0) throw usage('--merge is of an adapter.', 'Add --rank, or leave it out.');
  if (rank > MOST_RANKS) throw usage(`--rank cannot be ${rank}.`, `Choose ${MOST_RANKS} or less.`);
  const length = Math.min(count('length', 128, 2), model.configuration.context);
  const learningRate = numberIn(given['learning-rate'], '--learning-rate', 3e-4, Number.MIN_VALUE, 1);
  const heldOut = numberIn(given['held-out'], '--held-out', 0.1, 0, 0.9);
  const alpha = numberIn(given.alpha, '--alpha', 16, Number.MIN_VALUE, 1e6);
  const maps = adaptableMaps(model.configuration).map(({ name }) => name);
  const tuned = rank === 0 ? trainable(model) : withNewAdapters(model, { rank, factor: alpha / rank, maps }, seed);
  const examples = shuffled(await readExamples(on, folder, model.tokens, length), seed);
  const cut = examples.filter(({ isGoneOn }) => isGoneOn).length;
  if (cut > 0) {
    process.stderr.write(
      `${cut} of ${examples.length} pieces go on with a text longer than ${length} tokens, and are learned without what is before. --length makes pieces longer.\n`,
    );
  }
  const { examined, learned } = heldApart(examples, heldOut);
  if (learned.length === 0) throw usage(`There is no text to learn from in ${on}.`, 'Choose a longer one.');
  if (heldOut > 0 && examined.length === 0) {
    process.stderr.write('No text is held out: there are too few, and none is learned from and examined on.\n');
  }
  const memory = tuningMemory(tuned, { batch, length });
  process.stderr.write(`${memoryWords(memory)}\n`);
  const lack = lackOf(memory, machineBytes());
  if (lack !== null) throw lack;
  const tuning = new Tuning(await createCpuBackend(), tuned, { batch, length, learningRate });
  const parts = { tuning, learned, examined, batch, updates };
  let losses: Losses = { before: null, after: null };
  const write = await filesWriter(out, given.merge === true ? weightsFile(model) : weightsFile(tuned), async () => {
    const after = { ...tuned, parameters: await tuning.parameters() };
    const card = `# ${folder.name}, tuned\n\nFine-tuned by the lab Unmask on ${examples.length} pieces of text, in ${updates} updates.\nLicence: ${LAB_LICENCE}.\n`;
    const about = { metadata: { tuned: String(updates), licence: LAB_LICENCE }, card, below: subject ?? folder.name };
    return weightsFolder(given.merge === true ? merged(after) : after, folder, about);
  });
  return async () => {
    losses = await tune(parts);
    const { path } = await write();
    const result = { folder: out, file: path, examples: learned.length, heldOut: examined.length, ...losses };
    print(given.json === true ? `${JSON.stringify(result)}\n` : wordsOf(result));
    return 0;
  };
}

async function readExamples(file: string, folder: ModelFolder, count: number, length: number): Promise<Example[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw diskError(file, cause);
  });
  const { eos_token_id: eos } = await readJson(folder, 'config.json');
  const [end = null] = [eos].flat().filter((token): token is number => typeof token === 'number');
  if (end !== null && !(Number.isInteger(end) && end >= 0 && end < count)) {
    throw damaged(`config.json of ${folder.name} says eos_token_id: ${end}, which is none of its ${count} pieces.`);
  }
  const tokens = await readTokens(folder, count);
  const reading: Reading = { tokens, template: await readTemplate(folder), end, length };
  return /\.jsonl?$/i.test(file) ? examplesOfLines(text, reading) : examplesOfText(text, reading);
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = new RandomStream(seed, STREAM.demonstrations, 0, 0, 0);
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j] as T, order[i] as T];
  }
  return order;
}

/** Mean −log p of the learned tokens of held-out texts, nats; null without any. */
interface Losses {
  readonly before: number | null;
  readonly after: number | null;
}

interface Parts {
  readonly tuning: Tuning;
  readonly learned: readonly Example[];
  readonly examined: readonly Example[];
  readonly batch: number;
  readonly updates: number;
}

async function tune({ tuning, learned, examined, batch, updates }: Parts): Promise<Losses> {
  const examine = async (): Promise<number | null> => {
    let [sum, tokens] = [0, 0];
    for (let from = 0; from < examined.length; from += batch) {
      const part = examined.slice(from, from + batch);
      const count = part.reduce((all, example) => all + example.learned.filter(Boolean).length, 0);
      sum += count * (await tuning.loss(part));
      tokens += count;
    }
    return tokens === 0 ? null : sum / tokens;
  };
  const before = await examine();
  let recent: number[] = [];
  for (let update = 0; update < updates; update++) {
    const part = Array.from({ length: Math.min(batch, learned.length) }, (_, i) => {
      return learned[(update * batch + i) % learned.length] as Example;
    });
    recent.push(await tuning.step(part));
    if ((update + 1) % TOLD_EVERY > 0 && update + 1 < updates) continue;
    const mean = recent.reduce((a, b) => a + b, 0) / recent.length;
    process.stderr.write(`update ${update + 1} of ${updates} · loss ${mean.toFixed(3)}\n`);
    recent = [];
  }
  return { before, after: await examine() };
}

function wordsOf({
  file,
  examples,
  before,
  after,
}: Losses & { readonly file: string; readonly examples: number }): string {
  const held =
    before === null || after === null
      ? ''
      : ` Loss of texts that were held out: ${before.toFixed(3)} before, ${after.toFixed(3)} after.`;
  return `Tuned on ${examples} pieces of text.${held} Its weights are ${file}.\n`;
}
