/**
 * Language models of the reader's own: a folder that was opened, its tokenizer, and policies that begin from it in a world of
 * texts.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { modelFolder } from '../../src/cli/model/disk';
import { openWorlds } from '../../src/environments/own/here';
import { TextForm } from '../../src/environments/own/text/textForm';
import type { Experiment } from '../../src/experiment/experiment';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { findModel } from '../../src/experiment/models';
import { checkExperiment, parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { readModel, withNewAdapters } from '../../src/llama/model';
import { layoutParameters } from '../../src/policy/parameters';
import { legalSetTable } from '../../src/rl/play/legalSets';
import { readPolicies } from '../../src/train/policies/files';
import { weightsFolder } from '../../src/train/policies/modelFiles';
import { openFolder } from '../../src/train/policies/models';
import { weightsOf } from '../../src/train/population/training';
import { type Files, filesOf, folderOf, jsonOf } from '../llama/folders';
import { askText } from '../support/ownWorlds';
import { cpuTrainer, metricsOf } from '../support/trained';

beforeAll(openWorlds);

const { experiment: words } = findPreset('world-words') as { experiment: Experiment };
const small: Experiment = {
  ...words,
  batch: { groups: 2, groupSize: 4 },
  evaluation: { ...words.evaluation, every: 0 },
  diagnosticsEvery: 0,
  arms: words.arms.slice(1, 2),
};

/** Letters, a few marks and the space, one piece each. */
const PIECES = ['<unk>', '<s>', '</s>', '▁', ...'abcdefghijklmnopqrstuvwxyz"!.,?:'];
const special = (id: number) => ({ id, content: PIECES[id], special: true, normalized: false });
const tokenizer = {
  added_tokens: [0, 1, 2].map(special),
  normalizer: {
    type: 'Sequence',
    normalizers: [
      { type: 'Lowercase' },
      { type: 'Prepend', prepend: '▁' },
      { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
    ],
  },
  pre_tokenizer: null,
  post_processor: null,
  decoder: { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
  model: {
    type: 'BPE',
    unk_token: '<unk>',
    vocab: Object.fromEntries(PIECES.map((piece, token) => [piece, token])),
    merges: [],
  },
};
const config = { tokenizer_class: 'LlamaTokenizer', bos_token: '<s>', eos_token: '</s>', unk_token: '<unk>' };
const beside: Files = { 'tokenizer.json': tokenizer, 'tokenizer_config.json': config };

/** A world of short texts, for models of 64 tokens. */
const short = askText({
  fields: "stop: 'line', maxTokens: 6, heldOut: 0",
  start: "(things) => ({ state: { things, told: 0, held: 0 }, say: 'say ' + things[0] })",
  step: '({ things }, said) => ({ state: { things }, say: " no.", reward: said.includes("o") ? 1 : 0, done: true })',
  expert: '({ things }) => " " + things[0]',
}).replace('maxTurns: 3, longest: { prompt: 40, answer: 24 }', 'maxTurns: 1, longest: { prompt: 10, answer: 8 }');

const within = (model: string, text = short): Experiment =>
  parseExperiment({
    ...small,
    policy: { ...small.policy, model },
    environment: { id: 'own', settings: { world: text } },
  });

test('an index beside a whole file names no other weights than those that are read', async () => {
  const { open } = modelFolder('public/models/stories260k');
  const index = await folderOf({ 'model.safetensors.index.json': { weight_map: { a: 'config.json' } } }).open(
    'model.safetensors.index.json',
  );
  const both = (file: string) => (file === 'model.safetensors.index.json' ? Promise.resolve(index) : open(file));
  const { model } = await openFolder({ name: 'both', open: both });
  expect(model.id).toBe((await openFolder(modelFolder('public/models/stories260k'))).model.id);
});

test('the same weights with another configuration or tokenizer are another model', async () => {
  const files = filesOf('grouped-tied');
  const idOf = async (given: object) => (await openFolder(folderOf({ ...files, ...beside, ...given }))).model.id;
  const config = jsonOf(files['config.json'] as Uint8Array);
  const tokenizer = beside['tokenizer.json'] as object;
  const ids = [
    await idOf({}),
    await idOf({ 'config.json': { ...config, rope_theta: 500 } }),
    await idOf({ 'tokenizer.json': { ...tokenizer, version: '1.1' } }),
  ];
  expect(new Set(ids).size).toBe(3);
  expect(await idOf({ 'README.md': 'Of no weight.' })).toBe(ids[0]);
});

test('the lab’s own model in a folder of another name computes the same, bit for bit', async () => {
  const { model } = await openFolder({ ...modelFolder('public/models/stories260k'), name: 'mine' });
  const shipped = findModel('stories260k');
  expect(model).toMatchObject({ title: 'mine', tokens: 512, longest: 512, llama: shipped?.llama });
  const own = parseExperiment({ ...small, policy: { ...small.policy, model: model.id } });
  expect(own.environment.settings).toMatchObject({ world: '@words', model: model.id });
  const weights = weightsOf(await readPolicies([], own));
  const file = new Blob([readFileSync('public/models/stories260k/model.safetensors')]);
  const theirs = weightsOf(await readPolicies([file], small));
  const [mine, usual] = [await cpuTrainer(own, { weights }), await cpuTrainer(small, { weights: theirs })];
  expect(await metricsOf(mine, 2)).toEqual(await metricsOf(usual, 2));
  mine.dispose();
  usual.dispose();
});

test('an adapter beside a model is begun from, and a KL penalty holds to it, or to the model', async () => {
  const base = modelFolder('public/models/stories260k');
  const maps = ['self_attn.v_proj', 'self_attn.q_proj'];
  const { configuration, parameters } = withNewAdapters(await readModel(base), { rank: 8, factor: 2, maps }, 5);
  const about = { metadata: {}, card: '', below: 'stories260k' };
  const trained = parameters.map((value, i) => value + 0.01 * Math.sin(i));
  const written = await weightsFolder({ parameters: trained, configuration }, base, about);
  const adapter = folderOf(Object.fromEntries(written));
  await expect(openFolder(adapter)).rejects.toThrow(/holds an adapter, and not the model below it/);
  const open: typeof base.open = async (file) => (await adapter.open(file)) ?? base.open(file);
  const { model } = await openFolder({ name: 'both', open });
  expect(model.id).not.toBe((await openFolder(base)).model.id);
  expect(model.adapter).toEqual({ adapterRank: 8, adapterAlpha: 16, adapterMaps: 'q, v' });
  const begun = (more: object) =>
    parseExperiment({ ...small, policy: { ...small.policy, model: model.id, ...model.adapter, ...more } });
  expect(() => begun({ adapterRank: 4 })).toThrow(/both comes with an adapter.*choose adapterRank 8/);
  expect(() => begun({ adapterRank: 0 })).toThrow(/choose adapterRank 8/);
  const weights = weightsOf(await readPolicies([], begun({})));
  const tensorsOf = async (more: object) => (await (await cpuTrainer(begun(more), { weights })).snapshot()).tensors;
  const [usual, below] = [await tensorsOf({}), await tensorsOf({ adapterReference: 'model' })];
  const { specs } = layoutParameters(configuration);
  const parts = (values: ArrayLike<number>) =>
    specs.map(({ name, offset, shape }) => [
      name,
      Array.from(values).slice(offset, offset + shape[0]! * (shape[1] ?? 1)),
    ]);
  const expected = parts(trained).map(([name, values]) => {
    return [name, String(name).startsWith('value.') ? (values as number[]).map(() => 0) : values];
  });
  for (const tensor of [usual.parameters, usual.reference, below.parameters]) expect(parts(tensor)).toEqual(expected);
  expect(parts(below.reference)).toEqual(
    expected.map(([name, values]) => [name, /\.B$/.test(String(name)) ? (values as number[]).map(() => 0) : values]),
  );
});

test.each(['grouped-tied', 'qwen-bias', 'untied-theta', 'all-attention-biases', 'head-dim-bf16', 'new-names-long'])(
  '%s plays with a tokenizer of its own, and is trained',
  async (name) => {
    const files = filesOf(name);
    const { model } = await openFolder(folderOf({ ...files, ...beside }, name));
    expect(model.tokens).toBe(jsonOf(files['config.json'] as Uint8Array).vocab_size);
    const experiment = within(model.id);
    const trainer = await cpuTrainer(experiment, { weights: weightsOf(await readPolicies([], experiment)) });
    expect(trainer.environment.words).toHaveLength(model.tokens);
    expect(trainer.environment.words.slice(3, 6)).toEqual(['▁', 'a', 'b']);
    const before = (await trainer.snapshot()).tensors.parameters.slice();
    const episodes = await (await trainer.runUpdate({ seed: 0, group: 0 })).episodes;
    expect([...(episodes?.[0]?.tokens.slice(0, 4) ?? [])]).toEqual([...'▁say'].map((piece) => PIECES.indexOf(piece)));
    expect((await trainer.snapshot()).tensors.parameters).not.toEqual(before);
    // Words that fill up its vocabulary take no part in what it expects to be told.
    const [whole = 0, rest] = legalSetTable(trainer.environment, 64).slice(0, 2);
    expect([whole >>> 0, rest]).toEqual([0xffffffff, 2 ** (model.tokens - 32) - 1]);
    trainer.dispose();
  },
);

/** A tokenizer whose pieces begin with text, as those by bytes do. */
const fromText = (): Files => {
  const pieces = ['!', '"', '<s>', '</s>', ...PIECES.filter((piece) => !/^(<.*|["!])$/.test(piece))];
  const vocab = Object.fromEntries(pieces.map((piece, token) => [piece, token]));
  const model = { ...tokenizer.model, unk_token: null, vocab };
  const added = [2, 3].map((id) => ({ ...special(0), id, content: pieces[id] }));
  return { ...beside, 'tokenizer.json': { ...tokenizer, added_tokens: added, model } };
};

test('tokens 0 and 1 that are text can be said, end a sentence, and keep their names', async () => {
  const { model } = await openFolder(folderOf({ ...filesOf('grouped-tied'), ...fromText() }));
  const form = new TextForm(model.id, 'sentence', 6);
  expect(form.words.slice(0, 4)).toEqual(['!', '"', '<s>', '</s>']);
  expect(form.legal.slice(0, 4)).toEqual([0, 1, 3, 4]);
  expect(form.stops).toContain(0);
  expect(form.kinds.slice(0, 3)).toEqual(['pieces of text', 'pieces of text', 'marks']);
  const experiment = within(model.id);
  const trainer = await cpuTrainer(experiment, { weights: weightsOf(await readPolicies([], experiment)) });
  expect(legalSetTable(trainer.environment, 64)[0]! & 3).toBe(3);
  await trainer.runUpdate({ seed: 0, group: 0 });
  trainer.dispose();
});

test('what a template writes behind a reply ends it in a chat, and so do the ends of config.json', async () => {
  const said = '{% for m in messages %}<s>{{ m.content }}</s>{% endfor %}';
  const own = { 'tokenizer_config.json': { ...config, eos_token: '<unk>' }, 'chat_template.jinja': said };
  const files = { ...filesOf('grouped-tied'), ...beside, ...own };
  const { 'config.json': shape } = filesOf('grouped-tied');
  const endsOf = async (eos: unknown, chats: boolean) => {
    const edited = { ...jsonOf(shape as Uint8Array), eos_token_id: eos };
    const { model } = await openFolder(folderOf({ ...files, 'config.json': edited }));
    const form = new TextForm(model.id, [], 6, { chats });
    return [form.ending, form.legal.slice(0, 3), form.stops];
  };
  expect(await endsOf(0, true)).toEqual([2, [0, 2, 3], [0, 2]]);
  expect(await endsOf(0, false)).toEqual([0, [0, 3, 4], [0]]);
  expect(await endsOf([0, 1], false)).toEqual([0, [0, 1, 3], [0, 1]]);
});

test('a chat template that cannot be used closes worlds that are chats alone', async () => {
  for (const template of ["{{ raise_exception('never') }}", '{% if %}']) {
    const files = { ...filesOf('grouped-tied'), ...beside, 'chat_template.jinja': template };
    const { model } = await openFolder(folderOf(files, `mine ${template.length}`));
    expect(new TextForm(model.id, 'line', 6).chats).toBe(false);
    const chat = () => new TextForm(model.id, 'line', 6, { chats: true });
    expect(chat).toThrow(/chat template of mine .* cannot be used: .*Leave chat out.* correct the template/);
  }
});

test('its link says the hash of its weights alone, and waits for the folder where it is not open', async () => {
  const { model } = await openFolder(folderOf({ ...filesOf('grouped-tied'), ...beside }));
  const link = encodeLink(within(model.id));
  expect(link).toContain(`policy.model=${model.id}`);
  expect(link).not.toContain('environment.model');
  expect(decodeLink(link)).toEqual(within(model.id));
  const elsewhere = within('0'.repeat(64));
  expect(elsewhere.policy.model).toBe('0'.repeat(64));
  await expect(cpuTrainer(elsewhere)).rejects.toThrow(
    /language model 0{12}…, which reads this world, is not open here/,
  );
});

describe('what does not work is said', () => {
  const files = filesOf('grouped-tied');
  const edited = (change: object) => ({ ...jsonOf(files['config.json'] as Uint8Array), ...change });

  test.each([
    [{ 'tokenizer.json': undefined }, /mine has no tokenizer\.json/],
    [{ 'config.json': edited({ architectures: ['GPT2LMHeadModel'] }) }, /GPT2LMHeadModel; the lab computes/],
    [{ 'config.json': edited({ vocab_size: 20 }) }, /tokenizer of mine has 36 pieces, config\.json 20/],
    [{ 'config.json': edited({ intermediate_size: 28 }) }, /has the shape/],
    [{ 'model.safetensors': undefined }, /mine has neither model\.safetensors nor/],
    [{ 'tokenizer.json': { model: 3 } }, /tokenizer\.json of mine cannot be used/],
  ])('%j', async (change, said) => {
    const folder = folderOf({ ...files, ...beside, ...change } as Files, 'mine');
    await expect(openFolder(folder)).rejects.toThrow(said);
  });

  test('in worlds that have words of their own, in the listener, and in texts that are too long for it', async () => {
    const { model } = await openFolder(folderOf({ ...files, ...beside }, 'mine'));
    const problem = (change: Partial<Experiment>) =>
      checkExperiment({ ...small, policy: { ...small.policy, model: model.id }, ...change }).problems[0]?.message;
    const own = (world: string) => ({ environment: { id: 'own', settings: { world } } });
    expect(problem(own('@bandit'))).toMatch(/mine reads and writes text: choose a world of texts/);
    expect(problem({ environment: { id: 'listener', settings: {} } })).toMatch(/in the pieces of stories260K/);
    const long = within(model.id, short.replace('prompt: 10', 'prompt: 60'));
    await expect(cpuTrainer(long)).rejects.toThrow(/Episodes may have 75 tokens, and mine was made for texts of 64/);
  });
});
