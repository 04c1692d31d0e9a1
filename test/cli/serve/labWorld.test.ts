/** Worlds of the lab over OpenEnv's protocol: the same episodes as stepped directly. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { serveCommand } from '../../../src/cli/serve/serve';
import type { Environment, EnvironmentDefinition } from '../../../src/environments/environment';
import { openWorlds } from '../../../src/environments/own/here';
import { own } from '../../../src/environments/own/own';
import { ownWorld } from '../../../src/environments/own/world';
import { defaultSettings, environments } from '../../../src/environments/registry';
import type { Served } from '../../../src/environments/served/contract';
import { drawTask, labWorld } from '../../../src/environments/served/labWorld';
import { askText } from '../../support/ownWorlds';

await openWorlds();
const text = readFileSync('worlds/mastermind.js', 'utf8');
const mine: EnvironmentDefinition = { ...own, create: () => own.create({ world: text }) };
const worlds = Object.values({ ...environments, own: mine }).map(({ id, title, summary, settings, create }) => {
  const environment = create(Object.fromEntries(settings.map((setting) => [setting.key, setting.default])));
  return { id, title, summary, environment };
});
const served = (id: string) => labWorld(worlds.find((world) => world.id === id) as (typeof worlds)[0]);

/** What the world says, stepped directly: an emission that collects it. */
function listener({ words, writing }: Environment) {
  const said: number[] = [];
  let isFirst = true;
  const emission = { emit: (token: number) => said.push(token) > 0 };
  const take = (): string => {
    const tokens = said.splice(0);
    const written = isFirst ? writing?.begun(tokens) : writing?.textOf(tokens);
    isFirst = false;
    return written ?? tokens.flatMap((token) => (token < 2 ? [] : [words[token]])).join(' ');
  };
  return { emission, take };
}

describe.each(worlds)('$id', ({ environment, ...world }) => {
  const { create, schema, metadata, tasks } = labWorld({ environment, ...world });

  test('its expert is told and paid what it is without a server', () => {
    for (let seed = 0; seed < 5; seed++) {
      const direct = environment.createWorld(1);
      const { emission, take } = listener(environment);
      direct.reset(0, drawTask(environment, seed, 'train'), emission);
      const episode = create();
      let answer = episode.reset(seed, null, { plain: true }) as {
        observation: { text?: string };
        reward: number | null;
        done: boolean;
      };
      expect(answer).toEqual({ observation: { text: take() }, reward: null, done: false });
      let paid = 0;
      for (let turn = 0; turn < environment.maxTurns && !answer.done; turn++) {
        const action = direct.expert?.(0) ?? [];
        const text = environment.writing?.textOf(action) ?? action.map((token) => environment.words[token]).join(' ');
        direct.step(0, action, emission);
        answer = episode.step({ text }, {}) as typeof answer;
        paid += answer.reward ?? 0;
        expect(answer.observation).toEqual({ text: take() });
        expect(answer.done).toBe(direct.isDone(0) || turn + 1 === environment.maxTurns);
      }
      expect(paid).toBeCloseTo(direct.reward(0), 12);
      expect(episode.state()).toMatchObject({ success: direct.isSuccess(0), done: true, seed });
    }
  });

  test('any text ends within its turns', () => {
    const episode = create();
    for (const text of [
      '',
      'no such word',
      ` ${environment.words[2]} \n`,
      'x '.repeat(5000),
      environment.words.join(' '),
    ]) {
      episode.reset(1, 'e', {});
      let turns = 0;
      while (!(episode.step({ text }, {}) as { done: boolean }).done) turns++;
      expect(turns).toBeLessThan(environment.maxTurns);
    }
  });

  test('tells its words and its splits', () => {
    const isWritten = environment.writing !== undefined;
    const isParted = environment.maxActionTokens > 1 && !isWritten;
    expect(JSON.stringify(schema.action).includes('parted by spaces')).toBe(isParted);
    expect(String(metadata.readme_content)).toContain(isWritten ? 'It ends behind' : 'Words of actions:');
    expect(tasks?.splits.map(({ name }) => name)).toContain('train');
    expect(tasks?.task('train', 3)).toEqual({ id: 'train-3', seed: 3, split: 'train' });
  });
});

/** Observation of a reset. */
async function told({ create }: Served, seed: number, more: object): Promise<Record<string, unknown>> {
  return (await create().reset(seed, null, { ...more })).observation;
}

test('segments and legal actions come by request only', async () => {
  const world = served('gridworld');
  const plain = await told(world, 3, {});
  expect(Object.keys(plain)).toEqual(['text']);
  const { text } = await told(world, 3, { plain: true });
  expect(plain.text).toMatch(/^Go to the goal\. .*\nAnswer with one action .*Legal now: up down left right\.\n\n/);
  expect(String(plain.text).split('\n\n')[1]).toBe(text);
  expect(await told(world, 3, { segments: true, legal_actions: true })).toEqual({
    ...plain,
    segments: [{ role: 'context', text: plain.text }],
    legal_actions: ['up', 'down', 'left', 'right'],
  });
});

test('held-out tasks are others than those of training', async () => {
  const definition = environments.gridworld;
  const settings = { ...defaultSettings('gridworld'), heldOut: 0.3 };
  if (definition === undefined) throw new Error('There is no gridworld.');
  const world = labWorld({ ...definition, environment: definition.create(settings) });
  expect(world.tasks?.splits).toEqual([
    { name: 'train', type: 'train' },
    { name: 'held-out', type: 'test' },
  ]);
  const texts = (split: string) =>
    Promise.all(Array.from({ length: 60 }, async (_, seed) => (await told(world, seed, { split })).text));
  const train = new Set(await texts('train'));
  expect((await texts('held-out')).filter((text) => train.has(text))).toEqual([]);
  await expect(told(world, 0, { split: 'nowhere' })).rejects.toThrow(/no split "nowhere"/);
});

test.each([
  ['nowhere', {}, /neither a preset, nor a file/],
  ['gridworld', { port: '70000' }, /--port cannot be 70000/],
  ['gridworld', { set: ['size=1'] }, /size/],
  ['gridworld', { sessions: '0' }, /--sessions cannot be 0/],
  ['gridworld', { world: 'worlds/mastermind.js' }, /is served alone/],
])('serving %s with %o is refused', async (subject, given, words) => {
  await expect(serveCommand(subject, { ...given, json: false })).rejects.toThrow(words);
});

describe('a world of texts', () => {
  test('is said and heard as text, without an instruction', async () => {
    const world = served('listener');
    expect((await told(world, 3, { legal_actions: true })).text).toBe(
      'Once upon a time, there was a little girl named Lily. She told Tom a story. "Tell me about the ball!" said Tom.',
    );
    const episode = world.create();
    episode.reset(3, null, { segments: true });
    const first = await episode.step({ text: ' The ball was happy. I like the cat.' }, {});
    expect(first.reward).toBeCloseTo(1 / 3);
    const { segments, text } = first.observation;
    expect(segments).toEqual([{ role: 'env_output', text }]);
    const [, asked = ''] = /^ "Tell me about the (\w+)!" said Tom\.$/.exec(String(text)) ?? [];
    expect(asked).not.toBe('');
    // What stands behind the longest sentence is not heard, nor what stands behind its end.
    expect((await episode.step({ text: `${'a '.repeat(200)}${asked}` }, {})).reward).toBe(0);
    expect(await episode.step({ text: 'No. dog ball cat tree bird car cake sun book' }, {})).toMatchObject({
      reward: 0,
      done: true,
    });
    expect(world.schema.action).toMatchObject({ properties: { text: { 'x-end': '[.!?\\n]', 'x-longest': 24 } } });
    expect(JSON.stringify(world.schema)).not.toContain('x-words');
  });

  test.each([
    [{}, 'It was late. Then', 'It was late.'],
    [{ fields: "stop: 'line', maxTokens: 24, heldOut: 0" }, 'It was late.\nThen', 'It was late.\n'],
    [{ fields: "stop: ['END', '(.)'], maxTokens: 24, heldOut: 0" }, 'It was (.) END', 'It was (.)'],
    [{ fields: 'maxTokens: 24, heldOut: 0' }, 'It was late.', undefined],
  ])('in one file tells where an action ends: %o', async (fields, said, heard) => {
    const environment = ownWorld(askText(fields), {});
    const world = labWorld({ id: 'own', title: '', summary: '', environment });
    expect((await told(world, 1, {})).text).toMatch(/^Lily told Tom a story\. "Tell me about the (dog|cat|hat)!"$/);
    const end = new RegExp(environment.writing?.end ?? '').exec(said);
    expect(end === null ? undefined : said.slice(0, end.index + end[0].length)).toBe(heard);
  });
});
