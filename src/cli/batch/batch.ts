/** `lab batch FILE …`: what a batch of another trainer holds, which tokens carry which weight, and what is wrong with it. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Audit } from '../../batch/audit/audit';
import { RULES, type RuleId } from '../../batch/audit/report';
import { type OwnTexts, ownTexts } from '../../batch/ownTexts';
import { BatchReading, readBatch } from '../../batch/read';
import { BatchTotals } from '../../batch/summary';
import { KeptBatch } from '../../batch/whatIf/kept';
import { type CandidateLoss, formulaAsked, OBJECTIVE_NAMES, objectiveAsked, whatIf } from '../../batch/whatIf/whatIf';
import { markdownOf } from '../../batch/words/markdown';
import { type BatchSummary, told } from '../../batch/words/told';
import { wordsOf } from '../../batch/words/words';
import { LabError } from '../../foundation/errors';
import { readFormula } from '../loss/lossFiles';
import { print } from '../output';
import { newClock } from './clock';

export interface BatchOptions {
  readonly json: boolean;
  readonly markdown: boolean;
  readonly 'fail-on'?: string | undefined;
  /** Names of objectives, or files of formulas. */
  readonly 'what-if'?: string | undefined;
  /** Files of the model. */
  readonly tokenizer?: string | undefined;
  readonly template?: string | undefined;
}

/**
 * Checks the arguments. Returns a function that reads the files and gives the exit code: 1 where a rule of --fail-on finds
 * something, or cannot look.
 */
export async function batchCommand(paths: readonly string[], options: BatchOptions): Promise<() => Promise<number>> {
  if (paths.length === 0) {
    throw new LabError(
      'invalid-batch',
      'No file was named.',
      'Name one that holds a batch: one JSON object a line, gzip or not.',
    );
  }
  const { json, markdown } = options;
  if (json && markdown) throw new LabError('invalid-batch', '--json and --markdown are two.', 'Choose one of them.');
  const failing = rulesOf(options['fail-on']);
  const losses = await lossesOf(options['what-if']);
  const { tokenizer, template } = options;
  for (const path of [...paths, tokenizer, template]) if (path !== undefined) await checkFile(path);
  const textOf = async (path?: string): Promise<string | null> => (path === undefined ? null : readFile(path, 'utf8'));
  const texts = await ownTexts({ tokenizer: await textOf(tokenizer), template: await textOf(template) }, newClock());
  return async () => {
    const result = await look(paths, { failing, asked: losses, own: texts });
    print(json ? `${JSON.stringify(result)}\n` : markdown ? markdownOf(result) : wordsOf(result));
    return result.failed.length > 0 ? 1 : 0;
  };
}

interface Wanted {
  readonly failing: readonly RuleId[];
  readonly asked: readonly CandidateLoss[];
  readonly own: OwnTexts | null;
}

async function look(paths: readonly string[], { failing, asked, own }: Wanted): Promise<BatchSummary> {
  const reading = new BatchReading();
  const summary = new BatchTotals();
  const audit = new Audit();
  const batch = asked.length === 0 ? null : new KeptBatch();
  for (const path of paths) {
    for await (const trajectory of readBatch(path, createReadStream(path), reading, own)) {
      summary.add(trajectory);
      audit.add(trajectory);
      batch?.add(trajectory);
    }
  }
  if (reading.trajectories === 0) {
    const [first] = reading.problems;
    const why = first === undefined ? 'it is empty' : `line ${first.line} of ${first.file} ${first.what}`;
    const advice = 'The forms that are read, and what writes one, are in docs/batch.md.';
    throw new LabError('invalid-batch', `No trajectory was found: ${why}.`, advice);
  }
  const losses = batch === null ? null : await whatIf(batch, asked);
  return told(paths, reading, summary.rows(), audit.finish(), failing, losses);
}

/** `grpo,no-mask,mine.loss`; `all` is every objective. */
async function lossesOf(text: string | undefined): Promise<readonly CandidateLoss[]> {
  const names = text === 'all' ? OBJECTIVE_NAMES : (text?.split(',') ?? []).map((name) => name.trim());
  const lossNamed = async (name: string): Promise<CandidateLoss> =>
    name.endsWith('.loss') ? formulaAsked(basename(name), await readFormula(name)) : objectiveAsked(name);
  return Promise.all(names.map(lossNamed));
}

/** Rules of a text such as `leak,shift`; `all` is every rule. */
function rulesOf(text: string | undefined): readonly RuleId[] {
  if (text === undefined) return [];
  if (text === 'all') return RULES;
  return text.split(',').map((name) => {
    const rule = RULES.find((one) => one === name.trim());
    if (rule !== undefined) return rule;
    throw new LabError(
      'invalid-batch',
      `There is no rule “${name.slice(0, 40)}”.`,
      `Rules are ${RULES.join(', ')}; all is every one.`,
    );
  });
}

async function checkFile(path: string): Promise<void> {
  const file = await stat(path).catch((cause: unknown) => {
    throw new LabError('invalid-batch', `${path} cannot be read.`, 'Name a file that is there.', { cause });
  });
  if (file.isDirectory()) throw new LabError('invalid-batch', `${path} is a folder.`, 'Name the files in it.');
}
