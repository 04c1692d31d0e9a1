/**
 * A folder with a model, an adapter and what PyTorch computed with them in float64: `expected.json` (input_ids, weight) and
 * `expected.safetensors` (logits, log_probs, gradients by each weight as `full.NAME`; with the adapter lora_log_probs, `lora.NAME.A`
 * and `.B`). The loss is −Σ weight · log p.
 */
import * as v from 'valibot';
import { adapterParts, partOf } from '../../llama/adapter';
import { type ModelFolder, readJson } from '../../llama/folder';
import { type Model, readModel, withAdapter } from '../../llama/model';
import { placesOf } from '../../llama/places';
import { openTensors } from '../../llama/safetensors';
import { inFilesOrder } from '../../llama/weights';
import { layoutParameters } from '../../policy/parameters';
import type { Backend } from '../../tensor/backend';
import type { CheckedOutput } from '../format';
import { invalid } from '../format';
import { type CaseReport, reportOf } from '../run';
import { pass } from './pass';

/** Tolerance of log-probs and logits in float32. */
export const LOG_PROBS = { atol: 3e-5, rtol: 3e-6 };
/** Error of a gradient, as a part of its largest element. */
export const GRADIENT_SHARE = 1e-4;

const Expected = v.object({
  input_ids: v.pipe(v.array(v.array(v.pipe(v.number(), v.integer(), v.minValue(0)))), v.minLength(1)),
  weight: v.array(v.array(v.number())),
});

/** Reports of the model alone, and with its adapter where the folder has one. `adapter`: its folder. */
export async function checkFolder(
  open: () => Promise<Backend>,
  folder: ModelFolder,
  adapter: ModelFolder | null,
): Promise<CaseReport[]> {
  const model = await readModel(folder);
  const { input_ids: texts, weight } = await readExpected(folder, model.tokens);
  const expected = await openTensors(folder, 'expected');
  const numbers = async (name: string): Promise<Float32Array> => {
    const tensor = expected.get(name);
    if (tensor === undefined) throw invalid(`${folder.name} expects no ${name}`);
    return tensor.read();
  };
  const weights = weight.flat();
  const layout = layoutParameters(model.configuration);
  const full = async (backend: Backend): Promise<CheckedOutput[]> => {
    const { logits, logProbs, gradient } = await pass(backend, model, texts, weights);
    const last = await numbers('logits');
    const comparisons: CheckedOutput[] = [
      // Long texts have their last logits alone.
      { output: 'logits', got: logits.subarray(logits.length - last.length), expected: last, ...LOG_PROBS },
      { output: 'log_probs', got: logProbs, expected: await numbers('log_probs'), ...LOG_PROBS },
    ];
    for (const place of placesOf(model.configuration, model.tokens)) {
      const output = `full.${place.name}`;
      comparisons.push(gradientOf(output, inFilesOrder(gradient, layout, place), await numbers(output)));
    }
    return comparisons;
  };
  const adapted = async (backend: Backend, adaptedModel: Model): Promise<CheckedOutput[]> => {
    const { configuration } = adaptedModel;
    const { logProbs, gradient } = await pass(backend, adaptedModel, texts, weights);
    const comparisons: CheckedOutput[] = [
      { output: 'lora_log_probs', got: logProbs, expected: await numbers('lora_log_probs'), ...LOG_PROBS },
    ];
    for (const part of adapterParts(configuration, layoutParameters(configuration))) {
      const output = `lora.model.${part.module}.${part.which}`;
      comparisons.push(gradientOf(output, partOf(gradient, part), await numbers(output)));
    }
    return comparisons;
  };
  const reports = [await inNew(open, (backend) => reportOf(backend, folder.name, 'llama', full))];
  if (adapter === null) return reports;
  const own = await withAdapter(model, adapter);
  const name = `${folder.name} with its adapter`;
  return [...reports, await inNew(open, (backend) => reportOf(backend, name, 'llama', (one) => adapted(one, own)))];
}

/** Runs on a backend of its own, whose memory is freed afterwards. */
export async function inNew<T>(open: () => Promise<Backend>, run: (backend: Backend) => Promise<T>): Promise<T> {
  const backend = await open();
  try {
    return await run(backend);
  } finally {
    backend.dispose();
  }
}

function gradientOf(output: string, got: Float64Array, expected: Float32Array): CheckedOutput {
  const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { output, got, expected, atol: GRADIENT_SHARE * largest, rtol: 0 };
}

async function readExpected(folder: ModelFolder, tokens: number): Promise<v.InferOutput<typeof Expected>> {
  const read = v.safeParse(Expected, await readJson(folder, 'expected.json'));
  if (!read.success) throw invalid(`expected.json of ${folder.name} has no input_ids and weight`);
  const { input_ids: texts, weight } = read.output;
  const fits = texts.length === weight.length && texts.every(({ length }, b) => length === weight[b].length + 1);
  if (!fits) throw invalid(`expected.json of ${folder.name} has not one weight for each token but a text’s first`);
  if (texts.flat().some((token) => token >= tokens))
    throw invalid(`expected.json of ${folder.name} has a token beyond ${tokens}`);
  return read.output;
}
