/** Worlds that are read and written as text: tokens are appended and keep their roles, actions end at their stop. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { checkWorld } from '../../../src/environments/own/examine/check';
import { openWorlds } from '../../../src/environments/own/here';
import { TextForm } from '../../../src/environments/own/text/textForm';
import { playEpisode } from '../../../src/environments/own/workshop/play';
import { ownWorld } from '../../../src/environments/own/world';
import { drawAction, SILENT } from '../../../src/environments/replay';
import type { StoryScene } from '../../../src/environments/scene';
import { checkExperiment } from '../../../src/experiment/parse';
import { findPreset } from '../../../src/experiment/presets/presets';
import { ROLE } from '../../../src/foundation/roles';
import { readTokens, type TextTokens } from '../../../src/llama/text';
import { folderOf } from '../../llama/folders';
import { checkContract, play, randomly, stream } from '../../support/episodes';
import { askText } from '../../support/ownWorlds';

let tokens: TextTokens;

beforeAll(async () => {
  await openWorlds();
  const files = ['tokenizer.json', 'tokenizer_config.json'].map((name) => [
    name,
    readFileSync(`public/models/stories260k/${name}`, 'utf8'),
  ]);
  tokens = await readTokens(folderOf(Object.fromEntries(files)));
});

describe('a world of texts', () => {
  it('has the pieces of its model as words, and tells their bounds', () => {
    const world = ownWorld(askText(), {});
    expect(world.words).toHaveLength(512);
    expect(world.words.slice(0, 4)).toEqual(['<pad>', '<bos>', '</s>', '<0x00>']);
    expect(world).toMatchObject({ model: 'stories260k', maxTurns: 3, maxActionTokens: 24, stopToken: -1 });
    expect(world.context).toBe(1 + 40 + 3 * (24 + 24));
    expect(world.legalSets[0]).toEqual(Array.from({ length: 510 }, (_, i) => i + 2));
    expect(world.settings).toEqual({ model: 'stories260k' });
  });

  it('appends what is said and what is drawn, each with its role, and never tokenises again', () => {
    const world = ownWorld(askText(), {});
    // Letters one by one, as no tokenizer would write them: they stay so.
    const spelled = [...' a dog.'].map((letter) => tokens.next(letter)[0] as number);
    const { recorder } = play(world, world.drawTask(stream(3)), () => spelled);
    const parts = [ROLE.prompt, ROLE.action, ROLE.observation].map((role) =>
      recorder.tokens.filter((_, at) => recorder.roles[at] === role),
    );
    const [prompt = [], actions = [], answers = []] = parts;
    expect(prompt[0]).toBe(1);
    expect(prompt).toEqual(tokens.first(tokens.textAfter(prompt).trim()));
    expect(tokens.textAfter(prompt)).toMatch(/^ Lily told Tom a story\. "Tell me about the (dog|cat|hat)!"$/);
    expect(actions).toEqual([...spelled, ...spelled, ...spelled]);
    expect(actions).not.toEqual(tokens.next(' a dog. a dog. a dog.'));
    expect(tokens.textAfter(answers)).toMatch(/^( "Tell me about the (dog|cat|hat)!"){2}$/);
  });

  it('is paid by the strings that the policy wrote, plays the same again, and its expert is right', () => {
    const world = ownWorld(askText(), {});
    const random = stream(1);
    const expert = play(world, world.drawTask(random), (one) => one.expert?.(1) ?? []);
    expect(expert.world.reward(1)).toBeCloseTo(1);
    const task = world.drawTask(random);
    const [first, second] = [0, 0].map(() => play(world, task, randomly(world, stream(7))));
    expect(second?.recorder.tokens).toEqual(first?.recorder.tokens);
    for (let seed = 0; seed < 20; seed++) checkContract(world, seed, [0, 1]);
  });

  it('is a book where it draws nothing: how it begins, what is asked and what is written, paid or not', () => {
    const world = ownWorld(askText(), {});
    const task = world.drawTask(stream(1));
    const { recorder } = play(world, task, (one) => one.expert?.(1) ?? []);
    const scenes = world.scenes(task, recorder.tokens, recorder.roles);
    expect(scenes).toHaveLength(4);
    const { kind, begins, lines } = scenes[1] as StoryScene;
    expect(kind).toBe('story');
    expect(begins.pieces.join('')).toMatch(/^ Lily told/);
    expect(lines.map(({ pieces }) => pieces.join(''))).toEqual([
      expect.stringMatching(/^ The (dog|cat|hat) was happy\.$/),
      expect.stringMatching(/^ "Tell me about the /),
    ]);
    expect(lines.map(({ who, counts }) => [who, counts])).toEqual([
      ['agent', true],
      ['listener', false],
    ]);
  });

  it('has each token of the episode once in its book, at its place, with the letters that several make', () => {
    const world = ownWorld(askText(), {});
    const said = [' é…', ' The dog ran.', ' A hat'].map((text) => tokens.next(text));
    const task = world.drawTask(stream(1));
    const { recorder } = play(world, task, () => said.shift() ?? []);
    const { begins, lines } = world.scenes(task, recorder.tokens, recorder.roles).at(-1) as StoryScene;
    const places = [begins, ...lines].flatMap(({ from, pieces }) => pieces.map((_, i) => from + i));
    expect(places).toEqual(Array.from(recorder.tokens.keys()));
    for (const { from, pieces } of [begins, ...lines]) {
      const of = Array.from(recorder.tokens).slice(from, from + pieces.length);
      expect(pieces.join('')).toBe(tokens.textAfter(of));
    }
    expect(lines[0]?.pieces.filter((piece) => piece !== '').join('|')).toContain('é');
  });
});

describe('an action', () => {
  const form = (stop: 'sentence' | 'line' | readonly string[]) => new TextForm('stories260k', stop, 24);
  /** Tokens of a text until the first that ends an action. */
  const drawn = (of: TextForm, text: string): number[] => {
    const all = tokens.next(text);
    const stop = all.findIndex((token) => of.stops.includes(token));
    const until = stop < 0 ? all : all.slice(0, stop + 1);
    return until.slice(0, of.actionLength?.(until));
  };

  test.each([
    ['sentence', ' The dog ran. It sat.', ' The dog ran.'],
    ['sentence', ' "Go!" he said', ' "Go!'],
    ['sentence', ' a\nb', ' a\n'],
    ['line', ' a. b\nc', ' a. b\n'],
    [['the end', '###'], ' once the end of all', ' once the end'],
    [['the end', '###'], ' a ###b', ' a ###'],
    [[], ' a. b\nc', ' a. b\nc'],
  ] as const)('ends at %j: %j says %j', (stop, text, said) => {
    const of = form(stop);
    expect(of.said(drawn(of, text))).toBe(said);
    expect(of.said(of.typed(text))).toBe(said);
  });

  it('ends inside a token, which stays as drawn and of which no more is told', () => {
    const of = form(['th']);
    const [the = 0] = tokens.next(' the');
    expect(tokens.textAfter([the])).toBe(' the');
    expect(of.stops).toContain(the);
    expect(of.said([the])).toBe(' th');
    const world = ownWorld(
      askText({
        fields: "stop: ['th'], maxTokens: 9, heldOut: 0",
        step: '(state, said) => ({ state, say: said + "|" })',
      }),
      {},
    );
    const { recorder } = play(world, world.drawTask(stream(1)), () => [the]);
    const at = recorder.roles.indexOf(ROLE.action);
    expect(recorder.tokens[at]).toBe(the);
    expect(recorder.tokens.slice(at + 1, at + 1 + tokens.next(' th|').length)).toEqual(tokens.next(' th|'));
  });

  it('ends with the end of a text, and at its longest', () => {
    const of = form('sentence');
    expect(of.stops).toContain(2);
    expect(of.said([...tokens.next(' a'), 2])).toBe(' a');
    const world = ownWorld(askText({ fields: 'maxTokens: 5, heldOut: 0' }), {});
    const random = stream(2);
    for (let i = 0; i < 50; i++) {
      const slots = world.createWorld(1);
      slots.reset(0, world.drawTask(random), SILENT);
      const action = drawAction(world, slots, 0, random);
      expect(action.length === 5 || action.at(-1) === 2).toBe(true);
    }
  });
});

describe('what is wrong with a world of texts is said', () => {
  const wrong = (text: string): string[] => {
    const checking = checkWorld(text, {}, 20);
    let step = checking.next();
    while (!step.done) step = checking.next();
    return step.value.checks.filter(({ ok }) => ok === false).map(({ text: said, line }) => `${line}: ${said}`);
  };

  test.each([
    [{ fields: "words: ['a'], maxTokens: 8" }, /words, which a world of texts does not have yet/],
    [{ fields: "thoughts: { words: ['a'], most: 2, end: 'a' }, maxTokens: 8" }, /thoughts, which a world of texts/],
    [{ fields: "answer: () => 'a', maxTokens: 8" }, /answer, which a world of texts does not have yet/],
    [{ fields: "stop: 'paragraph', maxTokens: 8" }, /^7: stop must be 'sentence', 'line' or a list/],
    [{ fields: 'stop: [""], maxTokens: 8' }, /stop must be/],
    [{ fields: "stop: 'line'" }, /maxTokens must be a whole number from 1 to 512/],
    [{ start: "() => ({ state: 0, say: ['a', 'b'] })" }, /start\(\) says something that is no text/],
    [{ start: "() => ({ state: 0, say: 'x'.repeat(200) })" }, /start\(\) says \d+ tokens, and longest\.prompt is 40/],
    [{ step: "() => ({ state: 0, say: 'x'.repeat(99) })" }, /step\(\) said \d+ tokens, and longest\.answer is 24/],
    [{ step: '() => ({ state: 0 })' }, /step\(\) said nothing/],
    [{ expert: '() => 7' }, /expert\(\) says what is no text/],
    [{ expert: "() => ' One. Two.'" }, /expert\(\) goes on behind its stop/],
    [{ expert: "() => ' a'.repeat(40)" }, /expert\(\) says 40 tokens, and maxTokens is 24/],
    [{ settings: '{ model: { default: 1, min: 0, max: 2 } }' }, /A setting cannot be called “model”/],
  ])('%j', (parts, said) => {
    expect(wrong(askText(parts)).join(' ')).toMatch(said);
  });

  it('and nothing of one that is well made', () => {
    expect(wrong(askText())).toEqual([]);
    expect(wrong(askText().replace('text: true', 'text: 1'))[0]).toMatch(/text must be true or false/);
    expect(wrong(askText().replace('  text: true,\n', ''))[0]).toMatch(/stop, which only a world of texts has/);
  });

  it('in an experiment: its policies begin from the model, and those of other worlds do not', () => {
    const [words, listener] = ['gridworld-small', 'listener'].map((id) => findPreset(id)?.experiment);
    const within = (base: typeof words, text: string) =>
      checkExperiment({ ...base, environment: { id: 'own', settings: { world: text } } }).problems;
    expect(within(listener, askText())).toEqual([]);
    expect(within(words, askText())).toEqual([
      { path: 'policy.model', message: expect.stringContaining('let the policies begin from stories260K') },
    ]);
    expect(within(listener, '@bandit')).toEqual([
      { path: 'policy.model', message: expect.stringContaining('choose a world of texts') },
    ]);
    const mixed = {
      ...words,
      environment: { id: 'mixture', settings: { gridworld: 1, own: 1, 'own-world': askText() } },
    };
    expect(checkExperiment(mixed).problems[0]?.message).toMatch(/no part of a mixture can be yet/);
  });
});

describe('by hand', () => {
  const hand = (actions: readonly (readonly string[])[], text = askText()) =>
    playEpisode({ text, settings: {} }, { task: 1, split: 'train', player: 'hand', actions });

  it('one types a sentence, which is read up to its stop', () => {
    const begun = hand([]);
    expect(begun).toMatchObject({ isText: true, legal: [], most: 24, isDone: false });
    expect(begun.expert?.[0]).toMatch(/^ The (dog|cat|hat) was happy\.$/);
    const { turns, isDone } = hand([[' The dog ran. It sat.'], [' The cat.'], [' The hat.']]);
    expect(turns.map(({ action }) => action?.[0])).toEqual([undefined, ' The dog ran.', ' The cat.', ' The hat.']);
    expect(isDone).toBe(true);
    expect(turns[1]?.said.map(({ role }) => role)).toContain('observation');
    expect(hand([[''], [' The cat.']]).turns).toHaveLength(1);
  });
});
