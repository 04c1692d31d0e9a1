/** Instances of worlds: one for all seeds by default, one for each where the settings say so, the same as that world alone. */
import { describe, expect, test } from 'vitest';
import { openWorlds } from '../../src/environments/own/here';
import { findEnvironment } from '../../src/environments/registry';
import { simulateRandomSuccess } from '../../src/environments/replay';
import type { Experiment } from '../../src/experiment/experiment';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRICS } from '../../src/rl/measure/metrics';
import { membersOf } from '../../src/rl/population';
import { buildResult } from '../../src/train/result/result';
import { play, stream } from '../support/episodes';
import { walkText } from '../support/ownWorlds';

await openWorlds();

const make = (id: string, settings: Record<string, number | boolean | string>) => {
  const definition = findEnvironment(id);
  if (definition === undefined) throw new Error(id);
  return definition.create(settings);
};

/** A walk whose instance says on which side the goal is. */
const sided = walkText({
  settings:
    '{ length: { default: 5, min: 3, max: 9 }, side: { default: 0, min: 0, max: 9999, instance: true }, slip: false }',
  step: `({ at }, action) => {
        const next = Math.min(length - 1, Math.max(0, at + (action === 'right' ? 1 : -1)));
        return { state: { at: next }, say: ['c' + next], success: next === (side % 2 === 0 ? length - 1 : 0) };
      }`,
}).replace('{ length, slip }', '{ length, side }');

describe.each([
  ['gridworld', 'mapSeed', { walls: 0.2, size: 5 }],
  ['gridworld', 'mapSeed', { walls: 0.2, size: 5, puzzle: 'key-door', slip: 0.1 }],
  ['shop', 'catalogueNumber', { holdOut: true }],
  ['shop', 'catalogueNumber', { mode: 'pages', products: 12 }],
  ['own', 'side', { world: sided }],
] as const)('%s by %s, %o', (id, key, settings) => {
  const shared = make(id, settings);
  const each = make(id, { ...settings, instances: 'per-seed', [key]: 40 });

  test('all seeds have one, unless the settings say otherwise', () => {
    expect(make(id, { ...settings, instances: 'one', [key]: 0 }).drawTask(stream(1), 'train', 3)).toEqual(
      shared.drawTask(stream(1)),
    );
  });

  test('a seed plays in its own as in that one alone', () => {
    for (const seed of [0, 3]) {
      const alone = make(id, { ...settings, [key]: 40 + seed });
      const task = alone.drawTask(stream(2));
      expect(each.drawTask(stream(2), 'train', seed)).toEqual(Int32Array.of(seed, ...task));
      const act = () => {
        const random = stream(9);
        return (one: { legalSet(slot: number): number }, slot: number) => {
          const set = alone.legalSets[one.legalSet(slot) - 1] as readonly number[];
          return [set[random.below(set.length)] as number];
        };
      };
      const here = play(each, Int32Array.of(seed, ...task), act());
      const there = play(alone, task, act());
      expect(here.recorder.tokens).toEqual(there.recorder.tokens);
      expect(here.world.reward(1)).toBe(there.world.reward(1));
      expect(each.scenes?.(Int32Array.of(seed, ...task), here.recorder.tokens, here.recorder.roles)).toEqual(
        alone.scenes?.(task, there.recorder.tokens, there.recorder.roles),
      );
    }
    expect(each.randomSuccess).toBe(make(id, { ...settings, [key]: 40 }).randomSuccess);
    expect(simulateRandomSuccess(each, 50)).toBe(simulateRandomSuccess(make(id, { ...settings, [key]: 40 }), 50));
  });
});

test('a world of texts stays one: each seed’s texts are written and read in its own instance', () => {
  const world = `export default {
  text: true, title: 'Echo', summary: 'Say the number.',
  settings: { number: { default: 0, min: 0, max: 9999, instance: true } },
  create({ number }) {
    return {
      maxTurns: 1, maxTokens: 16, longest: { prompt: 24, answer: 24 },
      task: () => null,
      start: () => ({ state: null, say: 'Say ' + number + '.' }),
      step: (state, text) => ({ state, say: ' Yes.', reward: 1, success: text.includes(String(number)), done: true }),
    };
  },
};
`;
  const each = make('own', { world, instances: 'per-seed', number: 40 });
  const alone = make('own', { world, number: 43 });
  const task = each.drawTask(stream(2), 'train', 3);
  const said = (text: string) => each.writing?.typed(text) ?? [];
  expect(each.writing?.textOf(said('It is 43'))).toBe(alone.writing?.textOf(alone.writing.typed('It is 43')));
  const played = play(each, task, () => said('It is 43'));
  expect(played.world.isSuccess(1)).toBe(true);
  expect(each.texts?.read(task, 0, said('a dog and a dog'))).toEqual(
    alone.texts?.read(task.subarray(1), 0, said('a dog and a dog')),
  );
  expect(each.texts).toBeDefined();
});

test('a result names the instance of each seed, where they differ', () => {
  const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
  const named = (settings: Record<string, number | string>) => {
    const { id, settings: usual } = tiny.environment;
    const experiment = parseExperiment({ ...tiny, environment: { id, settings: { ...usual, ...settings } } });
    const members = membersOf(experiment.arms.slice(0, 1), [0, 2]);
    const curves = new Float32Array(members.length * METRICS.length);
    const about = { experiment, backend: 'cpu', adapter: '', machines: [], wallSeconds: 0, tokens: 0 };
    return buildResult(about, members, curves).arms[0]?.seeds.map(({ instance }) => instance);
  };
  expect(named({ walls: 0.1, instances: 'per-seed', mapSeed: 9999 })).toEqual([9999, 1]);
  expect(named({ walls: 0.1, mapSeed: 9999 })).toEqual([undefined, undefined]);
  // Without walls all maps are the same.
  expect(named({ instances: 'per-seed', mapSeed: 9999 })).toEqual([undefined, undefined]);
});
