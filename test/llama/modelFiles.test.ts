/** Members that began from a language model leave as folders: read back to the bit, here and by Hugging Face's programs. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { pass } from '../../src/check/llama/pass';
import { modelFolder } from '../../src/cli/model/disk';
import { adapted, readAdapter } from '../../src/llama/adapter';
import { readConfig } from '../../src/llama/config';
import type { ModelFolder } from '../../src/llama/folder';
import type { Model } from '../../src/llama/model';
import { readModel, trainable } from '../../src/llama/model';
import { openTensors } from '../../src/llama/safetensors';
import { readTokens } from '../../src/llama/text';
import { fileTensors, readWeights } from '../../src/llama/weights';
import { inOne } from '../../src/policy/frozen';
import { layoutParameters } from '../../src/policy/parameters';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import type { MemberPolicy } from '../../src/train/policies/member';
import { mergedPolicy, modelFiles } from '../../src/train/policies/modelFiles';
import { sharedFolder } from '../support/folder';
import { isNightly } from '../support/nightly';
import { hasModules, pythonOn } from '../support/python';
import { FIXTURES, type Files, filesOf, folderOf, jsonOf } from './folders';

const STORIES = modelFolder(fileURLToPath(new URL('../../public/models/stories260k', import.meta.url)));
const at = sharedFolder();

const bits = (values: Float32Array): Uint32Array =>
  new Uint32Array(values.buffer, values.byteOffset, values.byteLength / 4);

/** A member as training might leave it: every weight another than the model's. */
async function memberOf(base: ModelFolder): Promise<MemberPolicy> {
  const { configuration, parameters } = trainable(await readModel(base));
  const trained = parameters.map((value, i) => value * (1 + 0.01 * Math.sin(i)));
  trained.set([-0, 1e-42, -1.1754942e-38]);
  return {
    parameters: trained,
    configuration,
    vocabulary: [],
    environment: { id: 'listener', settings: {} },
    experiment: 'preset=listener',
    member: { arm: 'action-mask', seed: 3 },
    update: 7,
    temperature: 1,
    results: {},
    licence: 'CC0-1.0',
    base: null,
  };
}

describe.each(FIXTURES)('%s', (name) => {
  test('its tensors are written as they were read, and a trained member comes back to the bit', async () => {
    const files = filesOf(name);
    const base = folderOf({ 'tokenizer.json': {}, ...files }, name);
    const { configuration, tokens, parameters } = trainable(await readModel(base));
    const before = await openTensors(base, 'model');
    for (const { name: tensor, shape, values } of fileTensors(parameters, configuration, tokens)) {
      expect(shape).toEqual(before.get(tensor)?.shape);
      expect(bits(values)).toEqual(bits((await before.get(tensor)?.read()) as Float32Array));
    }
    const member = await memberOf(base);
    const written = Object.fromEntries(await modelFiles(member, base));
    const shape = readConfig(jsonOf(written['config.json'] as Uint8Array));
    expect(shape.policy(shape.longest)).toEqual(configuration);
    const again = await readWeights(folderOf(written), configuration, tokens);
    expect(bits(inOne(configuration, again))).toEqual(bits(member.parameters));
  });
});

test('what lies beside the weights is taken over, and the types are said as they are', async () => {
  const base: Files = { ...filesOf('head-dim-bf16'), 'tokenizer.json': { a: 1 }, 'generation_config.json': { b: 2 } };
  expect(jsonOf(base['config.json'] as Uint8Array)).toMatchObject({ torch_dtype: 'bfloat16' });
  const folder = folderOf({ ...base, 'README.md': new TextEncoder().encode('# Theirs') }, 'theirs');
  const written = await modelFiles(await memberOf(folder), folder);
  expect([...written.keys()]).toEqual([
    'model.safetensors',
    'README.md',
    'tokenizer.json',
    'generation_config.json',
    'config.json',
  ]);
  const config = jsonOf(base['config.json'] as Uint8Array);
  expect(jsonOf(written.get('config.json') as Uint8Array)).toEqual({ ...config, torch_dtype: 'float32' });
  expect(jsonOf(written.get('tokenizer.json') as Uint8Array)).toEqual({ a: 1 });
  const card = new TextDecoder().decode(written.get('README.md'));
  expect(card).toMatch(/action-mask, seed 3, after 7 updates[\s\S]*from theirs[\s\S]*CC0-1\.0[\s\S]*# Theirs/);
  const { 'tokenizer.json': _, ...without } = base;
  await expect(modelFiles(await memberOf(folder), folderOf(without))).rejects.toThrow(/no tokenizer\.json/);
  const broken = await memberOf(folder);
  broken.parameters[5] = Number.NaN;
  await expect(modelFiles(broken, folder)).rejects.toMatchObject({ code: 'non-finite' });
});

/** A member that trained an adapter of a model. */
async function adaptedMember(base: ModelFolder, adapter: ModelFolder): Promise<MemberPolicy> {
  const member = await memberOf(base);
  const configuration = await adapted(adapter, member.configuration);
  return { ...member, configuration, parameters: await readAdapter(adapter, configuration) };
}

test.each(FIXTURES)('an adapter of %s is written as it was read', async (name) => {
  const base = modelFolder(`test/fixtures/llama/${name}`);
  const adapter = modelFolder(`test/fixtures/llama/${name}/adapter`);
  const member = await adaptedMember(base, adapter);
  const written = await modelFiles(member, base);
  expect([...written.keys()]).toEqual(['adapter_model.safetensors', 'README.md', 'adapter_config.json']);
  const folder = folderOf(Object.fromEntries(written));
  const { adapters: _, ...whole } = member.configuration;
  const configuration = await adapted(folder, whole);
  expect(configuration).toEqual(member.configuration);
  expect(bits(await readAdapter(folder, configuration))).toEqual(bits(member.parameters));
  const [before, after] = [await openTensors(adapter, 'adapter_model'), await openTensors(folder, 'adapter_model')];
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  for (const [tensor, { shape, read }] of after) {
    expect(shape).toEqual(before.get(tensor)?.shape);
    expect(bits(await read())).toEqual(bits((await before.get(tensor)?.read()) as Float32Array));
  }
  const { r, lora_alpha: alpha } = jsonOf(
    new Uint8Array(readFileSync(`test/fixtures/llama/${name}/adapter/adapter_config.json`)),
  );
  expect(jsonOf(written.get('adapter_config.json') as Uint8Array)).toMatchObject({ r, lora_alpha: alpha });
});

test.each(['stories260k', ...FIXTURES])(
  'an adapter of %s merged computes the same, without it another thing',
  async (name) => {
    const isStories = name === 'stories260k';
    const base = isStories ? STORIES : folderOf({ 'tokenizer.json': {}, ...filesOf(name) }, name);
    const member = isStories
      ? await storiesAdapter()
      : await adaptedMember(base, modelFolder(`test/fixtures/llama/${name}/adapter`));
    const model = await readModel(base);
    const { tokens, frozen } = model;
    const written = folderOf(Object.fromEntries(await modelFiles(await mergedPolicy(member, base), base)));
    const ids = words[0] as number[];
    const logProbs = async (model: Model) =>
      (await pass(new ReferenceBackend(), model, [ids], new Array<number>(ids.length - 1).fill(1))).logProbs;
    const answer = { ids, log_probs: [...(await logProbs({ ...member, tokens, frozen }))] };
    expect(await worstOf([answer], await readModel(written))).toBeLessThan(3e-5);
    expect(await worstOf([answer], model)).toBeGreaterThan(1e-3);
  },
);

const words = [[1, 5, 9, 2, 30, 7, 7, 1, 36, 0]];

describe.runIf(isNightly)('transformers', () => {
  const texts = JSON.parse(readFileSync('test/fixtures/stories260k-tokens.json', 'utf8'))
    .map(({ text }: { text: string }) => text)
    // Its own tokenizer reads spaces at a text's beginning otherwise than the model's author does.
    .filter((text: string) => text.length > 3 && !text.startsWith(' '));

  test.for(['stories260k', ...FIXTURES])('reads %s with the same log-probs and tokens', async (name, { skip }) => {
    if (!hasModules('torch, transformers')) skip('python3 has no torch or transformers here');
    const isStories = name === 'stories260k';
    const base = isStories ? STORIES : folderOf({ 'tokenizer.json': {}, ...filesOf(name) }, name);
    const member = await memberOf(base);
    const folder = at(name);
    mkdirSync(folder);
    for (const [file, bytes] of await modelFiles(member, base)) writeFileSync(`${folder}/${file}`, bytes);
    const answers = pythonOn<Answer[]>('test/llama/read_model.py', {
      folder,
      adapter: null,
      texts: isStories ? texts : words,
    });
    const { tokens } = await readModel(base);
    expect(await worstOf(answers, { ...member, tokens })).toBeLessThan(3e-5);
    if (!isStories) return;
    const { first } = await readTokens(base, 512);
    expect(answers.map(({ ids }) => ids)).toEqual(texts.map(first));
  });

  test.for(['stories260k', ...FIXTURES])('and PEFT an adapter of %s', async (name, { skip }) => {
    if (!hasModules('torch, transformers, peft')) skip('python3 has no torch, transformers or peft here');
    const isStories = name === 'stories260k';
    const path = isStories ? 'public/models/stories260k' : `test/fixtures/llama/${name}`;
    const adapter = modelFolder(`test/fixtures/llama/${name}/adapter`);
    const member = isStories ? await storiesAdapter() : await adaptedMember(modelFolder(path), adapter);
    const folder = at(`${name}-adapter`);
    mkdirSync(folder);
    for (const [file, bytes] of await modelFiles(member, modelFolder(path))) writeFileSync(`${folder}/${file}`, bytes);
    const model = await readModel(modelFolder(path));
    const { tokens, frozen } = model;
    const answers = pythonOn<Answer[]>('test/llama/read_model.py', { folder: path, adapter: folder, texts: words });
    expect(await worstOf(answers, { ...member, tokens, frozen })).toBeLessThan(3e-5);
    const whole = at(`${name}-merged`);
    mkdirSync(whole);
    const base = isStories ? STORIES : folderOf({ 'tokenizer.json': {}, ...filesOf(name) }, name);
    const merged = await modelFiles(await mergedPolicy(member, base), base);
    for (const [file, bytes] of merged) writeFileSync(`${whole}/${file}`, bytes);
    const again = pythonOn<Answer[]>('test/llama/read_model.py', { folder: whole, adapter: null, texts: words });
    expect(await worstOf(again, { ...member, tokens, frozen })).toBeLessThan(3e-5);
    expect(await worstOf(answers, model)).toBeGreaterThan(1e-3);
  });
});

/** An adapter of stories260K as training might leave it. */
async function storiesAdapter(): Promise<MemberPolicy> {
  const member = await memberOf(STORIES);
  const maps = ['self_attn.q_proj', 'self_attn.k_proj', 'mlp.down_proj'];
  const configuration = { ...member.configuration, adapters: { rank: 12, factor: 16 / 12, maps } };
  const { size } = layoutParameters(configuration);
  return { ...member, configuration, parameters: Float32Array.from({ length: size }, (_, i) => 0.1 * Math.sin(7 * i)) };
}

interface Answer {
  readonly ids: readonly number[];
  readonly log_probs: readonly number[];
}

/** Largest difference of log-probs between Python's answers and the lab's. */
async function worstOf(answers: readonly Answer[], model: Model): Promise<number> {
  expect(answers.length).toBeGreaterThan(0);
  let worst = 0;
  for (const { ids, log_probs: theirs } of answers) {
    const ones = new Array<number>(theirs.length).fill(1);
    const { logProbs } = await pass(new ReferenceBackend(), model, [ids], ones);
    expect(logProbs).toHaveLength(theirs.length);
    worst = Math.max(worst, ...logProbs.map((value, at) => Math.abs(value - (theirs[at] as number))));
  }
  return worst;
}
