/**
 * Models of the Llama family against PyTorch in float64: the same log-probs and gradients, with and without adapters, on every
 * backend.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkFolder } from '../../src/check/llama/folder';
import { pass } from '../../src/check/llama/pass';
import { storiesCheck } from '../../src/check/llama/stories';
import { modelFolder } from '../../src/cli/model/disk';
import { adapted } from '../../src/llama/adapter';
import type { Model } from '../../src/llama/model';
import { readModel, trainable } from '../../src/llama/model';
import { layoutParameters, parameterSize } from '../../src/policy/parameters';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { FIXTURES } from '../llama/folders';
import { BACKENDS } from '../tensor/backends';

const FOLDER = fileURLToPath(new URL('../fixtures/', import.meta.url));
const STORIES = modelFolder(fileURLToPath(new URL('../../public/models/stories260k', import.meta.url)));
/** Models for the tiled matrix kernels, which differ in those alone. */
const FOR_TILES = ['grouped-tied', 'untied-theta'];

const passed = { outcome: 'passed', reasons: [] };

describe.each(BACKENDS)('$name', ({ name, create }) => {
  const models = name === 'webgpu, tiled' ? FOR_TILES : FIXTURES;
  test.each(models)('computes %s as PyTorch does, alone and with its adapter', async (model) => {
    const path = `${FOLDER}llama/${model}`;
    const reports = await checkFolder(create, modelFolder(path), modelFolder(`${path}/adapter`));
    expect(reports).toEqual([expect.objectContaining(passed), expect.objectContaining(passed)]);
    // Logits, log-probs and the gradient by each weight; log-probs, A and B.
    expect(Math.min(...reports.map(({ compared }) => compared))).toBeGreaterThan(500);
  });

  test.skipIf(name === 'webgpu, tiled')('computes stories260K as PyTorch does, and writes the same text', async () => {
    expect(await storiesReports('expected', create)).toEqual(new Array(5).fill(expect.objectContaining(passed)));
  });
});

async function storiesReports(which: string, create: (typeof BACKENDS)[number]['create']) {
  const text = readFileSync(`${FOLDER}stories260k-${which}.json`, 'utf8');
  const check = storiesCheck(which, JSON.parse(text));
  return check?.(create, STORIES);
}

test.each([
  ['tokens', 'those of its author’s program'],
  ['segments', 'appended without a mark before them'],
])('stories260K: %s are %s', async (which) => {
  const reports = await storiesReports(which, async () => new ReferenceBackend());
  expect(reports).toEqual([expect.objectContaining(passed)]);
});

test('a wrong weight, a wrong theta and a wrong head are seen', async () => {
  const model = await readModel(STORIES);
  const text = [[1, 403, 407, 261, 378, 432]];
  const logProbs = async (one: Model): Promise<readonly number[]> => {
    const backend = new ReferenceBackend();
    return [...(await pass(backend, one, text, [1, 1, 1, 1, 1])).logProbs];
  };
  const right = await logProbs(model);
  const { llama } = model.configuration;
  if (llama === undefined) throw new Error('The model is no Llama.');
  const wrong = [
    {
      ...trainable(model),
      parameters: trainable(model).parameters.map((value, i) => (i === 5000 ? value + 0.5 : value)),
    },
    { ...model, configuration: { ...model.configuration, llama: { ...llama, theta: 500_000 } } },
    { ...model, configuration: { ...model.configuration, llama: { ...llama, epsilon: 0.5 } } },
  ];
  for (const one of wrong) {
    const found = await logProbs(one);
    expect(Math.max(...found.map((value, i) => Math.abs(value - (right[i] ?? 0))))).toBeGreaterThan(1e-4);
  }
});

test('an adapter whose B is 0 changes nothing', async () => {
  const path = `${FOLDER}llama/grouped-tied`;
  const model = await readModel(modelFolder(path));
  const configuration = await adapted(modelFolder(`${path}/adapter`), model.configuration);
  const { specs, size } = layoutParameters(configuration);
  const parameters = new Float32Array(size);
  for (const spec of specs.filter(({ name }) => name.endsWith('.A'))) {
    parameters.fill(0.3, spec.offset, spec.offset + parameterSize(spec));
  }
  const of = async (one: Model) => pass(new ReferenceBackend(), one, [[1, 5, 9, 2]], [1, 1, 1]);
  const [alone, withAdapter] = [await of(model), await of({ ...model, configuration, parameters })];
  expect(withAdapter.logProbs).toEqual(alone.logProbs);
  expect(withAdapter.gradient).toHaveLength(size);
  expect(withAdapter.gradient.some((value) => value !== 0)).toBe(true);
});
