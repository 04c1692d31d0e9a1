/** Talk with a model: tokens are appended as they were drawn, replies end where they should, and draws have their probabilities. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { greedy } from '../../src/check/llama/pass';
import { modelFolder } from '../../src/cli/model/disk';
import { RandomStream } from '../../src/foundation/philox';
import { type ChatTemplate, readTemplate } from '../../src/llama/chatTemplate';
import { drawing, likeliest, TextDecoding } from '../../src/llama/decoding';
import { type Model, readModel } from '../../src/llama/model';
import { Talk, type TalkOptions } from '../../src/llama/talk';
import { readTokens, type TextTokens } from '../../src/llama/text';
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { sharedFolder } from '../support/folder';
import { isNightly } from '../support/nightly';
import { hasModules, pythonOn } from '../support/python';
import { folderOf } from './folders';

const STORIES = modelFolder('public/models/stories260k');
const known = JSON.parse(readFileSync('test/fixtures/stories260k-expected.json', 'utf8')).greedy;
const at = sharedFolder();
const PROMPT = 'Once upon a time,';

let backend: Backend;
let model: Model;
let tokens: TextTokens;
beforeAll(async () => {
  [backend, model, tokens] = [await createCpuBackend(), await readModel(STORIES), await readTokens(STORIES, 512)];
});
afterAll(() => backend.dispose());

const usual: TalkOptions = {
  template: null,
  choose: likeliest,
  ends: new Set([1, 2]),
  isOver: () => false,
  stops: [],
  most: 20,
};

function talkWith(options: Partial<TalkOptions>, room = 256) {
  const decoding = new TextDecoding(backend, model, room);
  return { decoding, talk: new Talk(decoding, tokens, { ...usual, ...options }) };
}

async function said(talk: Talk, line: string): Promise<readonly string[]> {
  const pieces: string[] = [];
  for await (const piece of talk.reply(line)) pieces.push(piece);
  expect(pieces.join('')).toBe(talk.last.text);
  return pieces;
}

/** Draws these tokens one after the other. */
function scripted(drawn: readonly number[]): TalkOptions['choose'] {
  const left = [...drawn];
  return () => left.shift() ?? 2;
}

test('the likeliest text is its author’s, token by token, however far it is fed at once', async () => {
  const { talk } = talkWith({ most: known.then.length });
  await said(talk, PROMPT);
  expect(talk.last.tokens).toEqual(known.then);
  expect(talk.last.text).toMatch(/^ there was a little girl named Lily\. She loved to play outside/);
  // More tokens than are fed together.
  const whole = [...known.prompt, ...known.then];
  expect(await greedy(backend, model, whole.slice(0, 80), 6)).toEqual(whole.slice(80, 86));
});

test('what is said next is appended to what was drawn, the last token too, and nothing is tokenised again', async () => {
  const { talk, decoding } = talkWith({ most: 7 });
  await said(talk, PROMPT);
  const before = [...tokens.first(PROMPT), ...talk.last.tokens];
  await said(talk, 'The dog ran.');
  const fed = [...before, ...tokens.next(' The dog ran.')];
  // The last token drawn waits for the next line.
  expect(decoding.fed).toEqual([...fed, ...talk.last.tokens.slice(0, -1)]);
  expect(talk.last.tokens).toEqual(await greedy(backend, model, fed, 7));
  // An empty line adds nothing.
  const third = [...fed, ...talk.last.tokens];
  await said(talk, '');
  expect(talk.last.tokens).toEqual(await greedy(backend, model, third, 7));
});

test('a reply that is left goes on from where it was', async () => {
  const { talk } = talkWith({ most: 50 });
  let pieces = 0;
  for await (const _ of talk.reply(PROMPT)) if (++pieces === 5) break;
  expect(talk.last).toMatchObject({ ended: 'interrupted', tokens: known.then.slice(0, 5) });
  await said(talk, '');
  expect(talk.last.tokens).toEqual(known.then.slice(5, 55));
});

describe('a reply ends', () => {
  const bird = () => tokens.next(' a red bird. It');
  test.each<[string, Partial<TalkOptions>, string, object]>([
    ['with a token that ends texts, which is no part of it', {}, ' a red bird. It', { ended: 'end' }],
    ['at a text; the token in which it ends stays whole', { stops: ['bi'] }, ' a red bir', { ended: 'stop' }],
    ['with a token that closes', { isOver: (drawn) => drawn.at(-1) === 426 }, ' a red bird.', { ended: 'stop' }],
    ['after the most tokens', { most: 2 }, ' a r', { ended: 'most' }],
  ])('%s', async (_, options, text, end) => {
    const { talk } = talkWith({ choose: scripted([...bird(), 2]), ...options });
    await said(talk, PROMPT);
    expect(talk.last).toMatchObject({ text, ...end });
  });

  test('where there is no more room, and nothing can be said after', async () => {
    const { talk, decoding } = talkWith({ most: 1000 }, 12);
    await said(talk, PROMPT);
    expect(talk.last).toMatchObject({ ended: 'full', tokens: known.then.slice(0, 7) });
    expect(decoding.fed).toHaveLength(12);
    await expect(said(talk, 'And')).rejects.toMatchObject({ code: 'limits' });
  });
});

test('after the end of a text another one begins', async () => {
  const { talk, decoding } = talkWith({ choose: scripted([2, 383, 2]) });
  await said(talk, PROMPT);
  await said(talk, 'The dog');
  expect(decoding.fed).toEqual([...tokens.first('The dog'), 383]);
});

test('letters of several bytes come whole, and those without an end when all is over', async () => {
  const text = ' 東京 café';
  const { talk } = talkWith({ choose: scripted([...tokens.next(text), 2]) });
  const pieces = await said(talk, PROMPT);
  expect(pieces).toEqual([' ', '東', '京', ' c', 'a', 'f', 'é']);
  expect(talk.last.text).toBe(text);
  const cut = talkWith({ choose: scripted(tokens.next(text).slice(0, 3)), most: 3 });
  await said(cut.talk, PROMPT);
  expect(cut.talk.last.text).toBe(' \ufffd');
});

test('nothing to go on from is refused', async () => {
  const first = () => [];
  const talk = new Talk(new TextDecoding(backend, model, 16), { ...tokens, first }, usual);
  await expect(said(talk, '')).rejects.toThrow(/no text that the model could go on with/);
});

describe('with a chat template', () => {
  const TEMPLATE =
    '{{ bos_token }}{% for m in messages %}{{ m.role }}: {{ m.content | trim }}{{ eos_token }}\n{% endfor %}' +
    '{% if add_generation_prompt %}assistant:{% endif %}';
  const config = { bos_token: '<s>', eos_token: { content: '</s>' } };
  const templateOf = async (files: Record<string, string | object>): Promise<ChatTemplate> =>
    (await readTemplate(folderOf(files))) as ChatTemplate;

  test('each line is a message, and what the template writes between replies is appended', async () => {
    const template = await templateOf({ 'tokenizer_config.json': { ...config, chat_template: TEMPLATE } });
    const reply = tokens.next(' Hello. ');
    const { talk, decoding } = talkWith({ template, choose: scripted([...reply, 2, 410, 2]) });
    await said(talk, 'Hi');
    const before = [...tokens.marked('<s>user: Hi</s>\nassistant:'), ...reply];
    expect(decoding.fed).toEqual(before);
    expect(before.slice(0, 3)).toEqual([1, ...tokens.next('user').slice(0, 2)]);
    // A text that begins otherwise has a space before it, and none behind a special token.
    expect(tokens.marked('user</s>user')).toEqual([...tokens.first('user').slice(1), 2, ...tokens.next('user')]);
    await said(talk, 'And?');
    // The reply stays as it was drawn, though the template would trim it.
    expect(decoding.fed).toEqual([...before, ...tokens.next('</s>\nuser: And?</s>\nassistant:'), 410]);
    expect(tokens.next('</s>\nuser')[0]).toBe(2);
  });

  test.runIf(isNightly)('a first message has the tokens that it has with transformers', async ({ skip }) => {
    if (!hasModules('torch, transformers')) skip('python3 has no torch or transformers here');
    const folder = at('talking');
    cpSync('public/models/stories260k', folder, { recursive: true });
    writeFileSync(`${folder}/chat_template.jinja`, TEMPLATE);
    const template = (await readTemplate(modelFolder(folder))) as ChatTemplate;
    const messages = [{ role: 'user', content: 'Tell me about the dog!' } as const];
    const asked = { folder, adapter: null, texts: [messages] };
    const [answer] = pythonOn<{ ids: number[] }[]>('test/llama/read_model.py', asked);
    expect(answer?.ids).toEqual(tokens.marked(template(messages)));
  });

  test('it is in a file of its own, or one of several, or there is none', async () => {
    const messages = [{ role: 'user', content: 'Hi' } as const];
    const files = { 'chat_template.jinja': 'own', 'tokenizer_config.json': { chat_template: 'other' } };
    expect((await templateOf(files))(messages)).toBe('own');
    const several = [
      { name: 'tool_use', template: 'tools' },
      { name: 'default', template: '{{ messages[0].content }}' },
    ];
    expect((await templateOf({ 'tokenizer_config.json': { chat_template: several } }))(messages)).toBe('Hi');
    expect(await readTemplate(folderOf({}))).toBeNull();
    expect(await readTemplate(STORIES)).toBeNull();
  });

  test('the date that it tells is always the same', async () => {
    const dates = "{% if strftime_now is defined %}{{ strftime_now('%d %b %Y, %A %-d %B, %H:%M %% %Q') }}{% endif %}";
    const template = await templateOf({ 'chat_template.jinja': dates });
    expect(template([])).toBe('26 Jul 2024, Friday 26 July, 00:00 % %Q');
  });

  test('one that cannot be read, refuses or leaves out what was said is told', async () => {
    await expect(readTemplate(folderOf({ 'chat_template.jinja': '{% if %}' }))).rejects.toThrow(
      /chat template of model/,
    );
    const refusing = await templateOf({ 'chat_template.jinja': "{{ raise_exception('no system') }}" });
    expect(() => refusing([])).toThrow(/no system/);
    const forgetful = await templateOf({ 'chat_template.jinja': '{{ messages[-1].content }}' });
    const { talk } = talkWith({ template: forgetful, most: 2 });
    await said(talk, 'Hi');
    await expect(said(talk, 'Hi')).rejects.toThrow(/leaves out what the model says/);
  });
});

describe('draws', () => {
  const logits = [Math.log(0.1), Math.log(0.5), Math.log(0.25), Math.log(0.15)];
  const shares = (temperature: number, topP: number, of = logits): number[] => {
    const choose = drawing(temperature, topP, new RandomStream(7, 0, 0, 0, 0));
    const counts = of.map(() => 0);
    for (let i = 0; i < 20_000; i++) {
      const token = choose(of);
      counts[token] = (counts[token] ?? 0) + 1 / 20_000;
    }
    return counts;
  };
  const near = (expected: readonly number[]) => expected.map((share) => expect.closeTo(share, 1.7));

  test.each<[number, number, readonly number[]]>([
    [1, 1, [0.1, 0.5, 0.25, 0.15]],
    [0.5, 1, [0.01, 0.25, 0.0625, 0.0225].map((one) => one / 0.345)],
    // The likeliest with 0.8 together: 0.5, 0.25 and 0.15.
    [1, 0.8, [0, 0.5 / 0.9, 0.25 / 0.9, 0.15 / 0.9]],
    [1, 0.75, [0, 2 / 3, 1 / 3, 0]],
    [1, 1e-9, [0, 1, 0, 0]],
    [0, 1, [0, 1, 0, 0]],
  ])('at temperature %d from the likeliest %d have their probabilities', (temperature, topP, expected) => {
    const found = shares(temperature, topP);
    expect(found).toEqual(near(expected));
    expected.forEach((share, token) => {
      if (share === 0) expect(found[token]).toBe(0);
    });
  });

  test('are the same with the same seed, and the first of equal ones is the likeliest', () => {
    expect(shares(1, 1)).toEqual(shares(1, 1));
    expect(likeliest([1, 3, 3, 2])).toBe(1);
    // A token that cannot be drawn is not.
    expect(shares(1, 1, [0, Number.NEGATIVE_INFINITY, 0])[1]).toBe(0);
  });
});
