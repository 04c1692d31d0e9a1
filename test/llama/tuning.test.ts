/** Supervised fine-tuning: which tokens are learned, and that they are. */
import { describe, expect, test } from 'vitest';
import { pass } from '../../src/check/llama/pass';
import { modelFolder } from '../../src/cli/model/disk';
import { adapterTensors } from '../../src/llama/adapter';
import type { ChatTemplate } from '../../src/llama/chatTemplate';
import {
  type Example,
  type ExampleReading,
  examplesOfLines,
  examplesOfText,
  heldApart,
} from '../../src/llama/examples';
import { readModel, trainable, withNewAdapters } from '../../src/llama/model';
import { readTokens } from '../../src/llama/text';
import { Tuning, tuningMemory } from '../../src/llama/tuning';
import { createCpuBackend } from '../../src/tensor/cpu/backend';

const folder = modelFolder('public/models/stories260k');
const tokens = await readTokens(folder, 512);
const template: ChatTemplate = (messages, { speaks } = { speaks: true }) =>
  messages.map(({ role, content }) => `[${role}]${content};`).join('') + (speaks ? '[assistant]' : '');
const reading: ExampleReading = { tokens, template, length: 64 };
const learnedText = ({ tokens: all, learned }: Example): string => tokens.textOf(all.filter((_, i) => learned[i]));

describe('examples', () => {
  test('of a text are its documents, cut into pieces that overlap by the token that is read first', () => {
    const examples = examplesOfText('Tom ran.\n<|endoftext|>\nLily saw a cat. The cat ran away.\n', {
      ...reading,
      length: 8,
    });
    const whole = [...tokens.first('Lily saw a cat. The cat ran away.'), 2];
    const pieces = examples.slice(examples.findIndex(({ tokens: [, second] }) => second === whole[1]));
    expect(pieces.flatMap((piece, i) => (i === 0 ? piece.tokens : piece.tokens.slice(1)))).toEqual(whole);
    expect(pieces.map(({ isGoneOn }) => isGoneOn)).toEqual(pieces.map((_, i) => i > 0));
    for (const { tokens: own, learned } of examples) {
      expect(own.length).toBeLessThanOrEqual(8);
      expect(learned).toEqual(own.map((_, i) => i > 0));
    }
  });

  test('of a prompt teach its completion, of messages the assistant’s with their end', () => {
    const lines = [
      '{"prompt": "Who ran?", "completion": " Tom ran."}',
      '',
      '{"messages": [{"role": "user", "content": "Who"}, {"role": "assistant", "content": "Tom"}, {"role": "user", "content": "And"}, {"role": "assistant", "content": "Lily"}]}',
    ].join('\n');
    const [completion, conversation] = examplesOfLines(lines, reading) as [Example, Example];
    expect(learnedText(completion).trim()).toBe('Tom ran.</s>');
    expect(tokens.textOf(conversation.tokens)).toBe('[user]Who;[assistant]Tom;[user]And;[assistant]Lily;');
    expect(learnedText(conversation)).toBe('Tom;Lily;');
  });

  test('of lists of messages teach the completion alone, as TRL does', () => {
    const said = (content: string, role = 'user') => ({ role, content });
    const prompt = [said('Who'), said('Tom', 'assistant'), said('And')];
    const line = JSON.stringify({ prompt, completion: [said('Lily', 'assistant')] });
    const [example] = examplesOfLines(line, reading) as [Example];
    expect(tokens.textOf(example.tokens)).toBe('[user]Who;[assistant]Tom;[user]And;[assistant]Lily;');
    expect(learnedText(example)).toBe('Lily;');
    expect(() => examplesOfLines('{"prompt": [], "completion": "Lily"}', reading)).toThrow(/two texts or two lists/);
  });

  test('that are held out are whole documents, and one is always learned', () => {
    const texts = ['Lily saw a cat. The cat ran away from her.', 'Tom ran.', 'A dog saw the red kite in the sky.'];
    const all = examplesOfText(texts.join('\n<|endoftext|>\n'), { ...reading, length: 8 });
    const mixed = all.toSorted((a, b) => a.tokens.length - b.tokens.length);
    const { learned, examined } = heldApart(mixed, 0.3);
    const documents = (examples: readonly Example[]) => new Set(examples.map(({ document }) => document));
    expect([...documents(learned)].filter((one) => documents(examined).has(one))).toEqual([]);
    expect([...learned, ...examined]).toHaveLength(all.length);
    expect(examined.length).toBeGreaterThanOrEqual(Math.floor(0.3 * all.length));
    expect(documents(heldApart(all, 0.9).learned).size).toBe(1);
    expect(heldApart(examplesOfText(texts[0] as string, { ...reading, length: 8 }), 0.5).examined).toEqual([]);
  });

  test.each([
    ['{"text": 3}', /^Line 2 has no text/],
    ['{"messages": [{"role": "tools", "content": "x"}]}', /^Line 2 has a message without a role/],
    ['{"text"', /^Line 2 is no JSON/],
    ['[]', /^Line 2 is no object/],
  ])('%s is refused by its line', (line, says) => {
    expect(() => examplesOfLines(`{"text": "Tom."}\n${line}`, reading)).toThrow(says);
  });

  test('a completion without a prompt begins as a text does, also behind a mark of the byte order', () => {
    const [completion] = examplesOfLines('\ufeff{"prompt": "", "completion": "Tom ran."}', reading) as [Example];
    expect(completion.tokens).toEqual([...tokens.first('Tom ran.'), 2]);
  });

  test.each([[[5, 2]], [[]]])('end with the first of %j', (ends) => {
    const [text] = examplesOfText('Tom ran.', { ...reading, tokens: { ...tokens, ends } }) as [Example];
    expect(text.tokens).toEqual([...tokens.first('Tom ran.'), ...ends.slice(0, 1)]);
  });

  test.each(['{"text": "Tom ran.</s>"}', '{"prompt": "Who?", "completion": " Tom ran.</s>"}'])(
    '%s ends once',
    (line) => {
      const [example] = examplesOfLines(line, reading) as [Example];
      expect(example.tokens.filter((token) => token === 2)).toHaveLength(1);
    },
  );

  test('of messages need a chat template, which keeps what it wrote', () => {
    const line = '{"messages": [{"role": "user", "content": "A"}, {"role": "assistant", "content": "B"}]}';
    expect(() => examplesOfLines(line, { ...reading, template: null })).toThrow(/no chat template/);
    const forgetful: ChatTemplate = (messages) =>
      messages
        .map(({ content }) => content)
        .slice(-1)
        .join('');
    expect(() => examplesOfLines(line, { ...reading, template: forgetful })).toThrow(
      /writes earlier messages otherwise/,
    );
  });
});

const model = trainable(await readModel(folder));
const options = { batch: 3, length: 32, learningRate: 1e-3 };
const STORY = 'Lily saw a cat. The cat ran away.';
const examples = examplesOfText(`${STORY}\n<|endoftext|>\nTom had a red kite.`, { ...reading, length: 32 });

test('a step’s loss is the mean of −log p of what is learned, and steps make it smaller', async () => {
  const tuning = new Tuning(await createCpuBackend(), model, options);
  const weights = examples.flatMap(({ learned }) => learned.slice(1).map(Number));
  const texts = examples.map((example) => example.tokens);
  const { logProbs } = await pass(await createCpuBackend(), model, texts, weights);
  const expected =
    -logProbs.reduce((sum, value, i) => sum + value * (weights[i] as number), 0) / weights.filter(Boolean).length;
  expect(await tuning.loss(examples)).toBeCloseTo(expected, 5);
  const losses: number[] = [];
  for (let i = 0; i < 12; i++) losses.push(await tuning.step(examples));
  expect(losses[0]).toBeCloseTo(expected, 5);
  expect(losses.at(-1)).toBeLessThan(0.5 * expected);
});

test.each([0, 8])('what it takes is told before: rank %i', async (rank) => {
  const maps = ['self_attn.q_proj', 'self_attn.v_proj'];
  const own = rank === 0 ? model : withNewAdapters(model, { rank, factor: 2, maps }, 0);
  const { uses } = tuningMemory(own, options);
  const backend = await createCpuBackend();
  new Tuning(backend, own, options);
  const told = Object.values(uses).reduce((sum, bytes) => sum + bytes, 0);
  expect(backend.allocatedBytes / told).toBeGreaterThan(0.95);
  expect(backend.allocatedBytes / told).toBeLessThan(1.01);
});

test('adapters begin as the model, and learn alone', async () => {
  const maps = ['self_attn.q_proj', 'self_attn.v_proj'];
  const own = withNewAdapters(model, { rank: 8, factor: 2, maps }, 0);
  const [all, adapter] = [
    new Tuning(await createCpuBackend(), model, options),
    new Tuning(await createCpuBackend(), own, { ...options, learningRate: 1e-2 }),
  ];
  expect(await adapter.loss(examples)).toBe(await all.loss(examples));
  for (let i = 0; i < 12; i++) await adapter.step(examples);
  expect(await adapter.loss(examples)).toBeLessThan(0.8 * (await all.loss(examples)));
  const parameters = await adapter.parameters();
  expect(parameters).toHaveLength(own.parameters.length);
  expect(parameters).not.toEqual(own.parameters);
});

test.each([1, 6])('adapters of rank %i train no more than the ranks that leave the lab', async (rank) => {
  const maps = ['self_attn.q_proj', 'mlp.down_proj'];
  const thin = withNewAdapters(model, { rank, factor: 2, maps }, 1);
  const tuning = new Tuning(await createCpuBackend(), thin, options);
  for (let step = 0; step < 3; step++) await tuning.step(examples);
  const parameters = await tuning.parameters();
  const left = adapterTensors(parameters, thin.configuration).flatMap(({ values }) => [...values]);
  const count = (values: Iterable<number>): number => [...values].filter((value) => value !== 0).length;
  expect(count(left)).toBe(left.length);
  expect(count(parameters)).toBe(left.length);
});
