/** `lab tune`: supervised fine-tuning of a language model on texts, into a folder that Hugging Face's programs read. */
import { readFile } from 'node:fs/promises';
import { type TuneSettings, USUAL_TUNING } from '../../experiment/tuning';
import { once } from '../../foundation/apart';
import { MOST_RANKS } from '../../llama/adapter';
import { machineBytes } from '../../node/memory';
import { createCpuBackend } from '../../tensor/cpu/backend';
import { weightsFile } from '../../train/policies/modelFiles';
import { lackOf, memoryWords } from '../../train/run/memory';
import { type Losses, planTuning, tune, tunedFolder } from '../../train/tuning/tune';
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

/** Settings of a tuning from its arguments; the usual ones where they are absent. Throws where one is out of its limits. */
function settingsOf(options: TuneArguments, hasAdapters: boolean): TuneSettings {
  const count = (name: 'updates' | 'batch' | 'length' | 'rank' | 'seed', least: number): number => {
    const value = wholeNumber(options[name] ?? String(USUAL_TUNING[name]), `--${name}`);
    if (value >= least) return value;
    throw usage(`--${name} cannot be ${value}.`, `Choose ${least} or more.`);
  };
  const [updates, batch, rank, seed] = [count('updates', 1), count('batch', 1), count('rank', 0), count('seed', 0)];
  if (options.merge === true && rank === 0 && !hasAdapters) {
    throw usage('--merge is of an adapter.', 'Add --rank, or leave it out.');
  }
  if (rank > MOST_RANKS) throw usage(`--rank cannot be ${rank}.`, `Choose ${MOST_RANKS} or less.`);
  const length = count('length', 2);
  const above = Number.MIN_VALUE;
  const learningRate = numberIn(options['learning-rate'], '--learning-rate', USUAL_TUNING.learningRate, above, 1);
  const heldOut = numberIn(options['held-out'], '--held-out', USUAL_TUNING.heldOut, 0, 0.9);
  const alpha = numberIn(options.alpha, '--alpha', USUAL_TUNING.alpha, above, 1e6);
  return { updates, batch, length, learningRate, rank, alpha, heldOut, seed };
}

/** Reads model, texts and arguments. Returns a function that tunes and writes. */
export async function tuneCommand(subject: string | undefined, options: TuneArguments): Promise<() => Promise<number>> {
  const { on, out, merge = false } = options;
  if (on === undefined) throw usage('No texts were named.', 'Add --on FILE.txt or --on FILE.jsonl.');
  if (out === undefined) throw usage('No folder was named.', 'Add --out DIR.');
  const { model, folder } = await findSpeaker(subject, {});
  const { adapters, ...whole } = model.configuration;
  const settings = settingsOf(options, adapters !== undefined);
  const bytes = await readFile(on).catch((cause: unknown) => {
    throw diskError(on, cause);
  });
  const plan = await planTuning(folder, model, { name: on, bytes }, settings, merge);
  const pieces = plan.learned.length + plan.examined.length;
  if (plan.cut > 0) {
    process.stderr.write(
      `${plan.cut} of ${pieces} pieces go on with a text longer than ${plan.settings.length} tokens, and are learned without what is before. --length makes pieces longer.\n`,
    );
  }
  if (settings.heldOut > 0 && plan.examined.length === 0) {
    process.stderr.write('No text is held out: there are too few, and none is learned from and examined on.\n');
  }
  process.stderr.write(`${memoryWords(plan.memory)}\n`);
  const lack = lackOf(plan.memory, machineBytes());
  if (lack !== null) throw lack;
  const backend = await createCpuBackend();
  const tuned = once(() => tune(plan, backend, { learned: lossesTold(settings.updates) }));
  const write = await filesWriter(out, weightsFile(merge ? { configuration: whole } : plan.model), async () => {
    return tunedFolder(plan, await tuned(), { merge, below: subject ?? folder.name });
  });
  return async () => {
    const { before, after } = await tuned();
    const { path } = await write();
    const counts = { examples: plan.learned.length, heldOut: plan.examined.length };
    const result = { folder: out, file: path, ...counts, before, after };
    print(options.json === true ? `${JSON.stringify(result)}\n` : wordsOf(result));
    return 0;
  };
}

/** Writes the mean loss now and then. */
function lossesTold(updates: number): (update: number, loss: number) => void {
  let recent: number[] = [];
  return (update, loss) => {
    recent.push(loss);
    if (update % TOLD_EVERY > 0 && update < updates) return;
    const mean = recent.reduce((a, b) => a + b, 0) / recent.length;
    process.stderr.write(`update ${update} of ${updates} · loss ${mean.toFixed(3)}\n`);
    recent = [];
  };
}

function wordsOf({
  file,
  examples,
  before,
  after,
}: Losses & { readonly file: string; readonly examples: number }): string {
  const examination =
    before === null || after === null
      ? ''
      : ` Loss of texts that were held out: ${before.toFixed(3)} before, ${after.toFixed(3)} after.`;
  return `Tuned on ${examples} pieces of text.${examination} Its weights are ${file}.\n`;
}
