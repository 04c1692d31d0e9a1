/** Worlds in one file as a chat, and with thoughts: a template's marks around what is said, replies that the policy ends. */
import { beforeAll, describe, expect, it, test } from 'vitest';
import { openWorlds } from '../../../src/environments/own/here';
import { worldOfPrompts } from '../../../src/environments/own/text/prompts';
import { TextForm } from '../../../src/environments/own/text/textForm';
import { ownWorld } from '../../../src/environments/own/world';
import { turnsOf } from '../../../src/environments/replay';
import { ROLE } from '../../../src/foundation/roles';
import { openFolder } from '../../../src/train/policies/models';
import { chatting, folderOf } from '../../llama/folders';
import { checkContract, play } from '../../support/episodes';

const END = 2;
let model = '';

beforeAll(async () => {
  await openWorlds();
  ({ id: model } = (await openFolder(folderOf(chatting(), 'chatty'))).model);
});

const form = () => new TextForm('stories260k', [], 400);
const worldText = (fields: string): string => `export default {
  text: true,
  title: 'Say it',
  summary: 'Say a number.',
  create: () => ({
    ${fields}
    maxTurns: 3,
    maxTokens: 60,
    heldOut: 0,
    longest: { prompt: 12, answer: 60 },
    task: (random) => random.below(5),
    start: (n) => ({ state: { n }, say: 'Say ' + n + '.' }),
    step: ({ n }, said) =>
      said.trim() === String(n)
        ? { state: { n }, say: 'Right.', success: true }
        : { state: { n }, warn: 'Not “' + said.slice(0, 8) + '”.', say: 'Again.' },
    expert: ({ n }) => '<think>\\n1?\\n</think>' + n,
  }),
};`;

const textIn = (tokens: readonly number[]): string => form().textOf(tokens);

describe('a world in one file, as a chat with thoughts', () => {
  const world = () => ownWorld(worldText('chat: true, thinking: true,'), { model });

  it('stands in the template’s marks; its own are the world’s, the end of a reply is whose drew it', () => {
    const task = Int32Array.of(3, 0);
    const replies = [[...form().next('<think>\n9\n</think>Eleven.'), END], form().next('Seven.')];
    const { recorder, world: slots } = play(world(), task, (one) => replies.shift() ?? one.expert?.(1) ?? []);
    const { tokens, roles } = recorder;
    const turns = turnsOf(roles);
    expect(tokens[0]).toBe(1);
    expect(textIn(tokens.slice(0, turns[0]?.begin))).toMatch(/^\[user\] Say \d\.\n\[assistant\] $/);
    const answers = turns.map(({ answer, end }) => tokens.slice(answer, end));
    // The world is told the reply without its thoughts, and complains with a warning in the same message.
    expect(textIn(answers[0] ?? [])).toBe('\n[user] Not “Eleven.”.Again.\n[assistant] ');
    expect(answers[0]?.[0]).not.toBe(END);
    expect(answers[1]?.[0]).toBe(END);
    const first = turns[0]?.answer ?? 0;
    expect([roles[first], roles[(turns[1]?.begin ?? 0) - 1]]).toEqual([ROLE.warning, ROLE.observation]);
    // The expert's reply ends as the model ends a text, and nobody replies to the last message.
    expect(tokens[(turns[2]?.answer ?? 0) - 1]).toBe(END);
    expect(textIn(answers[2] ?? [])).toBe('\n[user] Right.');
    expect(slots.isSuccess(1)).toBe(true);
  });

  it('has answers as messages of a tool where it says so', () => {
    const tool = ownWorld(worldText("chat: 'tool', thinking: true,"), { model });
    const replies = [[...form().next('Eleven.'), END], form().next('Seven.')];
    const { recorder } = play(tool, Int32Array.of(3, 0), (one) => replies.shift() ?? one.expert?.(1) ?? []);
    const turns = turnsOf(recorder.roles);
    expect(textIn(recorder.tokens.slice(0, turns[0]?.begin))).toMatch(/^\[user\] Say \d\.\n\[assistant\] $/);
    expect(turns.map(({ answer, end }) => textIn(recorder.tokens.slice(answer, end)))).toEqual([
      '\n[tool] Not “Eleven.”.Again.\n[assistant] ',
      '\n[tool] Not “Seven.”.Again.\n[assistant] ',
      '\n[tool] Right.',
    ]);
    for (let seed = 0; seed < 5; seed++) checkContract(tool, seed, [0, 1]);
  });

  it('is refused where the template has no such messages', async () => {
    const strict = `{% for m in messages %}{% if m.role == 'tool' %}{{ raise_exception('no tools') }}{% endif %}${'{{ m.content }}</s>'}{% endfor %}`;
    for (const template of [strict, strict.replace(/\{\{ raise.*?\}\}/, '{% continue %}')]) {
      const { model: other } = await openFolder(folderOf(chatting(template), `strict ${template.length}`));
      expect(() => ownWorld(worldText("chat: 'tool',"), { model: other.id })).toThrow(
        /no messages of a tool. Set chat/,
      );
      expect(ownWorld(worldText('chat: true,'), { model: other.id }).maxTurns).toBe(3);
    }
  });

  it('keeps to its bounds, with every slot for itself', () => {
    for (let seed = 0; seed < 5; seed++) checkContract(world(), seed, [0, 1]);
  });

  it('without a chat has thoughts alone', () => {
    const plain = ownWorld(worldText("thinking: true, stop: 'line',"), {});
    const { world: slots } = play(plain, Int32Array.of(3, 0), (one) => one.expert?.(1) ?? []);
    expect(slots.isSuccess(1)).toBe(true);
  });
});

test.each([
  ['chat: true,', {}, /no chat template, so that nothing can be said to it as a chat\. Leave chat out/],
  ['chat: 1,', {}, /chat must be true, false or 'tool'/],
  ["thinking: 'yes',", {}, /thinking must be true or false/],
  ['thoughts: { words: [], most: 1 },', {}, /thoughts, which a world of texts does not have yet/],
])('%s is refused in words', (fields, settings, words) => {
  expect(() => ownWorld(worldText(fields), settings)).toThrow(words);
});

test('a world of words has no chat, and a tool’s answer is a text', () => {
  const words = `export default { title: 'A', summary: 'B', create: () => ({ actions: ['a'], chat: true, maxTurns: 1,
    longest: { prompt: 1, answer: 1 }, task: () => 0, start: () => ({ state: 0 }), step: () => ({ state: 0 }) }) };`;
  expect(() => ownWorld(words, {})).toThrow(/create\(\) returns chat, which only a world of texts has/);
  const tool = worldText('chat: true,').replace("say: 'Again.'", "say: { role: 'tool', content: '4' }");
  const world = ownWorld(tool, { model });
  const said = () => play(world, Int32Array.of(3, 0), () => form().next('Seven.'));
  expect(said).toThrow(/no text: a tool’s answer is a text too, in a world with chat: 'tool'/);
});

test('prompts with a checker are a chat where their first line says so', () => {
  const text = worldOfPrompts(
    '{"chat": true, "thinking": true, "maxTokens": 60}\n{"prompt": "Two and three?", "check": {"number": 5}}\n',
    'sums.jsonl',
  );
  const world = ownWorld(text, { model });
  const reply = [...form().next('<think>\n4?\n</think>5'), END];
  const { recorder, world: slots } = play(world, Int32Array.of(1, 0), () => reply);
  expect(slots.isSuccess(1)).toBe(true);
  expect(textIn(recorder.tokens)).toBe('[user] Two and three?\n[assistant] <think>\n4?\n</think>5\n[user] Right.');
  expect(() => ownWorld(text, {})).toThrow(/no chat template/);
  expect(() => ownWorld(text.replace('"chat":true', '"chat":3'), { model })).toThrow(
    /chat must be true, false or 'tool'/,
  );
});
