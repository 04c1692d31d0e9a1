/** Worlds of the lab over OpenEnv's protocol: the same episodes as stepped directly. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { serveCommand } from '../../../src/cli/serve/serve';
import type { Environment, EnvironmentDefinition } from '../../../src/environments/environment';
import { openWorlds } from '../../../src/environments/own/here';
import { own } from '../../../src/environments/own/own';
import { defaultSettings, environments } from '../../../src/environments/registry';
import type { Served } from '../../../src/environments/served/contract';
import { drawTask, labWorld } from '../../../src/environments/served/labWorld';

await openWorlds();
const text = readFileSync('worlds/mastermind.js', 'utf8');
const mine: EnvironmentDefinition = { ...own, create: () => own.create({ world: text }) };
const worlds = Object.values({ ...environments, own: mine }).map(({ id, title, summary, settings, create }) => {
  const environment = create(Object.fromEntries(settings.map((setting) => [setting.key, setting.default])));
  return { id, title, summary, environment };
});
const served = (id: string) => labWorld(worlds.find((world) => world.id === id) as (typeof worlds)[0]);

/** Words that the world says, stepped directly: an emission that collects them. */
function listener({ words }: Environment) {
  const said: string[] = [];
  const emission = { emit: (token: number) => (token < 2 ? true : said.push(words[token] ?? '') > 0) };
  return { emission, take: () => said.splice(0).join(' ') };
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
        const text = action.map((token) => environment.words[token]).join(' ');
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
    expect(JSON.stringify(schema.action).includes('parted by spaces')).toBe(environment.maxActionTokens > 1);
    expect(String(metadata.readme_content)).toContain('Words of actions:');
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

test('a world of texts is not served yet', async () => {
  await expect(serveCommand('world-words', { json: false })).rejects.toThrow(
    /read and written as text, which is not served/,
  );
});
