/**
 * Checks of what others computed with stories260K: tokens of texts by its author's program, log-probs, logits, norms of gradients
 * and greedy text by PyTorch, tokens of texts that are appended segment by segment.
 */
import * as v from 'valibot';
import type { ModelFolder } from '../../llama/folder';
import { type Model, readModel } from '../../llama/model';
import { placesOf } from '../../llama/places';
import { readTokens } from '../../llama/text';
import { inFilesOrder } from '../../llama/weights';
import { layoutParameters } from '../../policy/parameters';
import type { Backend } from '../../tensor/backend';
import type { CheckedOutput } from '../format';
import { type CaseReport, reportOf } from '../run';
import { GRADIENT_SHARE, inNew, LOG_PROBS } from './folder';
import { greedy, pass } from './pass';

const Ids = v.array(v.pipe(v.number(), v.integer(), v.minValue(0)));
const Tokens = v.array(v.object({ text: v.string(), ids: Ids }));
const Segments = v.array(v.object({ segments: v.array(v.string()), ids: v.array(Ids) }));
const Numbers = v.object({
  cases: v.array(
    v.object({
      input_ids: Ids,
      log_probs: v.array(v.number()),
      last_logits: v.array(v.number()),
      gradient_norms: v.record(v.string(), v.number()),
    }),
  ),
  /** Lists of tokens: `prompt`, and those that follow, `then`. */
  greedy: v.record(v.string(), Ids),
});

type Check = (open: () => Promise<Backend>, folder: ModelFolder) => Promise<CaseReport[]>;

/** Check of a file's contents; null where they are of another kind. `name`: the file's, for reports. */
export function storiesCheck(name: string, json: unknown): Check | null {
  if (v.is(Tokens, json) && json.length > 0) return (open, folder) => checkTokens(open, folder, name, json);
  if (v.is(Segments, json) && json.length > 0) return (open, folder) => checkSegments(open, folder, name, json);
  if (v.is(Numbers, json)) return (open, folder) => checkNumbers(open, folder, name, json);
  return null;
}

const exactly = (output: string, got: readonly number[], expected: readonly number[]): CheckedOutput => ({
  output,
  got,
  expected,
  atol: 0,
  rtol: 0,
});

async function checkTokens(
  open: () => Promise<Backend>,
  folder: ModelFolder,
  name: string,
  texts: v.InferOutput<typeof Tokens>,
): Promise<CaseReport[]> {
  const tokens = await readTokens(folder);
  const compared = texts.map(({ text, ids }, i) => exactly(`text ${i + 1}`, tokens.first(text), ids));
  return [await inNew(open, (backend) => reportOf(backend, name, 'stories260k', async () => compared))];
}

async function checkSegments(
  open: () => Promise<Backend>,
  folder: ModelFolder,
  name: string,
  texts: v.InferOutput<typeof Segments>,
): Promise<CaseReport[]> {
  const tokens = await readTokens(folder);
  const compared = texts.flatMap(({ segments, ids }) =>
    segments.map((segment, i) =>
      exactly(`segment ${i + 1}`, i === 0 ? tokens.first(segment) : tokens.next(segment), ids[i] ?? []),
    ),
  );
  return [await inNew(open, (backend) => reportOf(backend, name, 'stories260k', async () => compared))];
}

async function checkNumbers(
  open: () => Promise<Backend>,
  folder: ModelFolder,
  name: string,
  { cases, greedy: text }: v.InferOutput<typeof Numbers>,
): Promise<CaseReport[]> {
  const model = await readModel(folder);
  const reports: CaseReport[] = [];
  for (const [i, one] of cases.entries()) {
    const numbers = (backend: Backend): Promise<CheckedOutput[]> => numbersOf(backend, model, one);
    reports.push(await inNew(open, (backend) => reportOf(backend, `${name}, text ${i + 1}`, 'stories260k', numbers)));
  }
  const { prompt = [] } = text;
  const next = text.then ?? [];
  const written = async (backend: Backend): Promise<CheckedOutput[]> => [
    exactly('then', await greedy(backend, model, prompt, next.length), next),
  ];
  reports.push(await inNew(open, (backend) => reportOf(backend, `${name}, greedy text`, 'stories260k', written)));
  return reports;
}

async function numbersOf(
  backend: Backend,
  model: Model,
  { input_ids: text, ...expected }: v.InferOutput<typeof Numbers>['cases'][number],
): Promise<CheckedOutput[]> {
  const weights = new Array<number>(text.length - 1).fill(1);
  const { logits, logProbs, gradient } = await pass(backend, model, [text], weights);
  const layout = layoutParameters(model.configuration);
  const norms = placesOf(model.configuration, model.tokens).map((place) => ({
    output: `norm of ${place.name}`,
    got: [Math.hypot(...inFilesOrder(gradient, layout, place))],
    expected: [expected.gradient_norms[place.name] ?? Number.NaN],
    atol: 0,
    rtol: GRADIENT_SHARE,
  }));
  return [
    { output: 'log_probs', got: logProbs, expected: expected.log_probs, ...LOG_PROBS },
    { output: 'last_logits', got: logits.subarray(-model.tokens), expected: expected.last_logits, ...LOG_PROBS },
    ...norms,
  ];
}
