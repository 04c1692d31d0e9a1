/** Right answers: where a world knows one, an agent that says it at once succeeds, whoever passes the question on. */
import { expect, test } from 'vitest';
import type { EnvironmentSettings } from '../../src/environments/environment';
import { openWorlds } from '../../src/environments/own/here';
import { textFor } from '../../src/environments/own/shipped';
import { findEnvironment } from '../../src/environments/registry';

import { play, stream } from '../support/episodes';
import { walkText } from '../support/ownWorlds';

await openWorlds();

const create = (id: string, settings: EnvironmentSettings) => {
  const definition = findEnvironment(id);
  if (definition === undefined) throw new Error(id);
  return definition.create(settings);
};
/** A walk to whichever end its instance says; one step from the middle is enough. */
const sided = walkText({
  settings:
    '{ length: { default: 3, min: 3, max: 9 }, side: { default: 0, min: 0, max: 9999, instance: true }, slip: false }',
  task: '() => ({ from: 1 })',
  fields: "heldOut: 0, answer: () => (side % 2 === 0 ? 'left' : 'right')",
  step: `({ at }, action) => ({ state: { at }, say: ['c1'], done: true, success: (action === 'left') === (side % 2 === 0) })`,
}).replace('{ length, slip }', '{ length, side }');

const WORLDS: readonly (readonly [name: string, id: string, settings: EnvironmentSettings])[] = [
  ['calculator', 'calculator', { operations: 'all', operands: 3, largest: 4 }],
  ...['@calculator', '@search', '@sum', '@mastermind', '@wordle'].map(
    (name) => [name, 'own', { world: textFor(name) }] as const,
  ),
  ['words of letters', 'own', { world: textFor('@wordle'), guess: 'letters' }],
  ['instances', 'own', { world: sided, instances: 'per-seed' }],
  ['a mixture', 'mixture', { gridworld: 0, calculator: 1, shop: 0, own: 1, 'own-world': textFor('@mastermind') }],
];

test.each(WORLDS)('%s is solved by its right answer', (_, id, settings) => {
  const environment = create(id, settings);
  const random = stream(11);
  for (let draw = 0; draw < 40; draw++) {
    const task = environment.drawTask(random, draw % 2 === 0 ? 'train' : 'held-out', draw % 3);
    const answer = environment.answer?.(task) ?? [];
    const played = play(environment, task, () => answer);
    expect(played.actions).toEqual([answer]);
    expect(played.world.isSuccess(1)).toBe(true);
  }
});

test('a mixture knows none in its worlds that have none, and no answer at all without one that has', () => {
  const environment = create('mixture', { gridworld: 1, calculator: 1 });
  const random = stream(3);
  const tasks = Array.from({ length: 30 }, () => environment.drawTask(random));
  const known = tasks.map((task) => [environment.environmentOf?.(task), environment.answer?.(task) === null]);
  expect(new Set(known.map(String))).toEqual(new Set(['0,true', '1,false']));
  expect(create('mixture', { gridworld: 1, calculator: 0, shop: 1 }).answer).toBeUndefined();
});
