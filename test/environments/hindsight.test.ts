// Hindsight: the task that a failed episode did solve. Whatever is played, it is a task of training, never a held-out one,
// and the episode's own actions solve it.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Environment, EnvironmentSettings } from '../../src/environments/environment';
import { defaultSettings, environments, findEnvironment } from '../../src/environments/registry';
import { drawnSet } from '../../src/environments/replay';
import { Shelves } from '../../src/environments/shop/catalogue';
import { isHeldOut, meets } from '../../src/environments/shop/instruction';
import { ROLE } from '../../src/foundation/roles';
import { expertly, type Played, play, randomly, recklessly, stream } from '../support/episodes';

function environmentOf(id: string, settings: EnvironmentSettings): Environment {
  const definition = findEnvironment(id);
  if (definition === undefined) throw new Error(`no environment ${id}`);
  return definition.create({ ...defaultSettings(id), ...settings });
}

interface Retold {
  readonly task: Int32Array;
  readonly other: Int32Array;
  readonly played: Played;
  readonly again: Played;
}

/** A random episode and the same actions in the task that hindsight finds; null if it succeeded or no task is found. */
function retell(environment: Environment, seed: number): Retold | null {
  const random = stream(seed);
  const task = environment.drawTask(random);
  const isFree = drawnSet(environment.createWorld(1), 0) === 0;
  const played = play(environment, task, (isFree ? recklessly : randomly)(environment, random));
  const { tokens, roles } = played.recorder;
  if (played.world.isSuccess(1)) return null;
  const before = task.slice();
  const other = environment.hindsight?.(task, tokens, roles) ?? null;
  expect(task).toEqual(before);
  if (other === null) return null;
  const again = play(environment, other, (_world, _slot, turn) => played.actions[turn] ?? []);
  return { task, other, played, again };
}

/** All tasks of a split, if there are few enough to find all by drawing. */
function allTasks(environment: Environment, split: 'train' | 'held-out', draws: number): Set<string> {
  const random = stream(split === 'train' ? 21 : 22);
  return new Set(Array.from({ length: draws }, () => environment.drawTask(random, split).join()));
}

const LISTED = {
  'a map': ['gridworld', { size: 4, horizon: 8, heldOut: 0.4 }],
  'a map with walls and holes': ['gridworld', { size: 5, horizon: 10, walls: 0.2, holes: 0.1, heldOut: 0.3 }],
  'a view from the agent': ['gridworld', { size: 4, horizon: 8, observation: 'egocentric', heldOut: 0.3 }],
  'free decoding': ['gridworld', { size: 4, horizon: 24, minimumDistance: 2, decoding: 'free' }],
  'a shop': ['shop', { holdOut: true }],
  'a shop that pays shares': ['shop', { reward: 'shares', products: 12 }],
  'a mixture': [
    'mixture',
    { shop: 1, 'gridworld-size': 4, 'gridworld-horizon': 8, 'gridworld-heldOut': 0.4, 'shop-products': 12 },
  ],
  'a shop with pages': ['shop', { mode: 'pages', horizon: 10, holdOut: true }],
  'pages, two features, no size': ['shop', { mode: 'pages', horizon: 8, features: 2, size: false }],
} as const satisfies Record<string, readonly [string, EnvironmentSettings]>;

describe.each(Object.entries(LISTED))('Hindsight in %s', (_, [id, settings]) => {
  const environment = environmentOf(id, settings);

  it('finds tasks of training that the same actions solve, and never a held-out one', () => {
    const training = allTasks(environment, 'train', 20_000);
    const heldOut = environment.hasHeldOut ? allTasks(environment, 'held-out', 5000) : new Set();
    let found = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const retold = retell(environment, seed);
        if (retold === null) return;
        const { other, played, again } = retold;
        found += 1;
        expect(again.world.isSuccess(1)).toBe(true);
        expect(again.actions.length).toBeLessThanOrEqual(played.actions.length);
        expect(again.actions).toEqual(played.actions.slice(0, again.actions.length));
        expect(training.has(other.join())).toBe(true);
        expect(heldOut.has(other.join())).toBe(false);
      }),
      { numRuns: 400 },
    );
    expect(found).toBeGreaterThan(5);
  });
});

/** Environments with too many tasks to list: invariant parts are compared, others are measured. */
const DRAWN = {
  'maps that are told': { size: 5, walls: 0.3, map: 'told' },
  'slippery ground': { size: 5, slip: 0.5 },
  'a noisy television': { noiseTokens: 2, noiseShare: 0.2, minimumDistance: 2 },
  'hidden controls': { size: 5, controls: 'permuted', observation: 'coordinates' },
} as const;

describe.each(Object.entries(DRAWN))('Hindsight with %s', (_, settings) => {
  const environment = environmentOf('gridworld', settings);
  const least = 'minimumDistance' in settings ? settings.minimumDistance : 3;

  it('changes the goal alone, to one far enough and not held out, and leaves chance as it was', () => {
    let found = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const retold = retell(environment, seed);
        if (retold === null) return;
        const { task, other, played, again } = retold;
        found += 1;
        expect([...other]).toEqual([...task].map((field, at) => (at === 1 ? other[1] : field)));
        expect(again.world.isSuccess(1)).toBe(true);
        // No observation depends on the goal here, so they are the same up to the first visit of the goal.
        const prompt = again.recorder.roles.indexOf(ROLE.action);
        expect(again.recorder.tokens.slice(prompt)).toEqual(
          played.recorder.tokens.slice(prompt, again.recorder.tokens.length),
        );
        if (!('slip' in settings))
          expect(play(environment, other, expertly).actions.length).toBeGreaterThanOrEqual(least);
      }),
      { numRuns: 200 },
    );
    expect(found).toBeGreaterThan(20);
  });
});

test('Hindsight keeps to the training pairs of start and goal, whatever lies between them', () => {
  const split = { size: 5, heldOut: 0.3 };
  const pairs = allTasks(environmentOf('gridworld', { ...split, minimumDistance: 1 }), 'train', 20_000);
  for (const further of [{ walls: 0.3, map: 'told' }, { slip: 0.5 }]) {
    const environment = environmentOf('gridworld', { ...split, ...further });
    let found = 0;
    for (let seed = 0; seed < 300; seed++) {
      const other = retell(environment, seed)?.other;
      if (other === undefined) continue;
      found += 1;
      expect(pairs.has(other.subarray(0, 2).join())).toBe(true);
    }
    expect(found).toBeGreaterThan(20);
  }
});

test('In a fresh catalogue hindsight asks for what was bought, at its price or one more', () => {
  const environment = environmentOf('shop', { catalogue: 'fresh', products: 12, holdOut: true });
  const shelves = new Shelves(1, 12);
  let found = 0;
  for (let seed = 0; seed < 300; seed++) {
    const retold = retell(environment, seed);
    if (retold === null) continue;
    found += 1;
    const { task, other, again } = retold;
    expect(other[0]).toBe(task[0]);
    expect(isHeldOut(other[1] as number)).toBe(false);
    shelves.stock(0, other[0] as number);
    const bought = Array.from(shelves.words.keys()).filter((product) => meets(shelves, product, 0, other, 0));
    expect(bought.some((product) => (other[3] as number) - (shelves.price[product] as number) <= 1)).toBe(true);
    expect(again.world.isSuccess(1)).toBe(true);
  }
  expect(found).toBeGreaterThan(5);
});

describe('There is no hindsight', () => {
  const map = environmentOf('gridworld', { size: 4, minimumDistance: 2 });
  const [up, down, left, right] = ['up', 'down', 'left', 'right'].map((word) => map.words.indexOf(word));
  const walk = (moves: readonly (number | undefined)[]) => {
    const { recorder } = play(map, Int32Array.of(0, 15), (_world, _slot, turn) => [moves[turn] ?? left ?? 0]);
    return map.hindsight?.(Int32Array.of(0, 15), recorder.tokens, recorder.roles);
  };

  it('in a walk that ended where it began, or too near', () => {
    expect(walk([right, left])).toBeNull();
    expect(walk([down])).toBeNull();
    // Two rows down, then bumps into the left edge to the end.
    expect(walk([down, down])).toEqual(Int32Array.of(0, 8));
    expect(walk([down, down, up, up])).toBeNull();
  });

  it('where nothing was bought', () => {
    for (const mode of ['simple', 'pages']) {
      const shop = environmentOf('shop', { mode });
      const task = shop.drawTask(stream(1));
      const { recorder } = play(shop, task, () => [shop.words.indexOf('red')]);
      expect(shop.hindsight?.(task, recorder.tokens, recorder.roles)).toBeNull();
    }
    const shop = environmentOf('shop', {});
    const { recorder } = play(shop, shop.drawTask(stream(1)), () => [shop.words.indexOf('buy')]);
    expect(shop.hindsight?.(shop.drawTask(stream(1)), recorder.tokens, recorder.roles)).toBeNull();
  });

  it('where what was reached is no task', () => {
    for (const puzzle of ['key-door', 'boxes']) {
      expect(environmentOf('gridworld', { puzzle, horizon: 24 }).hindsight).toBeUndefined();
    }
    const without = Object.keys(environments).filter((id) => environmentOf(id, {}).hindsight === undefined);
    expect(without).toEqual(['calculator', 'terminal', 'listener']);
  });
});
