import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnvironmentSettings } from '../../src/environments/environment';
import { defaultSettings } from '../../src/environments/registry';
import { drawnSet } from '../../src/environments/replay';
import type { ShopScene } from '../../src/environments/scene';
import { Shelves } from '../../src/environments/shop/catalogue';
import { isHeldOut } from '../../src/environments/shop/instruction';
import { shop } from '../../src/environments/shop/shop';
import { ROLE } from '../../src/foundation/roles';
import { checkContract, expertly, play, randomly, stream, successRate } from '../support/episodes';

const measured = shop.create({});
const VARIANTS = {
  'the measured shop': {},
  'a fresh catalogue': { catalogue: 'fresh', products: 24 },
  'partial rewards': { reward: 'shares', holdOut: true },
  'the shop with pages': { mode: 'pages', horizon: 8 },
  'fresh pages, many wishes': { mode: 'pages', catalogue: 'fresh', horizon: 10, features: 2, reward: 'webshop' },
  'few products, no wishes': { mode: 'pages', products: 4, features: 0, size: false, horizon: 6, reward: 'shares' },
} as const;

describe.each(Object.entries(VARIANTS))('the web shop: %s', (_, settings) => {
  const environment = shop.create(settings);

  it('keeps to the contract of environments, whatever is clicked', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => checkContract(environment, seed, [0, 1])),
      { numRuns: 60 },
    );
  });

  it('is shopped by the expert, in practised and in held-out instructions', () => {
    expect(successRate(environment, expertly, 300)).toBeGreaterThanOrEqual(0.99);
    if (environment.hasHeldOut) expect(successRate(environment, expertly, 100, 'held-out')).toBe(1);
  });

  it('knows how often a random buyer succeeds', () => {
    const episodes = 4000;
    const rate = successRate(environment, randomly(environment, stream(5)), episodes);
    const known = environment.randomSuccess ?? 0;
    // Four standard errors of both; known rates may be simulated too.
    expect(Math.abs(rate - known)).toBeLessThan(4 * Math.sqrt((2 * known) / episodes));
  });
});

describe('the measured shop', () => {
  it('has 50 actions of one token, 21 tokens at most, and fits a vocabulary of 64', () => {
    expect(defaultSettings('shop')).toMatchObject({
      mode: 'simple',
      catalogue: 'fixed',
      products: 40,
      reward: 'strict',
    });
    expect(measured.legalSets.map((set) => set.length)).toEqual([50]);
    expect([measured.context, measured.maxTurns, measured.maxActionTokens]).toEqual([21, 4, 1]);
    expect(measured.words.length).toBeLessThanOrEqual(64);
    expect(measured.randomSuccess).toBeGreaterThan(0);
  });

  const token = (word: string): number => measured.words.indexOf(word);
  const say = (words: readonly string[], task: Int32Array) =>
    play(measured, task, (_world, _slot, turn) => [token(words[turn] ?? 'buy')]);

  it('asks `<bos> type colour cap none`, for something that a product meets and only such products', () => {
    const random = stream(3);
    for (let draw = 0; draw < 20; draw++) {
      const task = measured.drawTask(random);
      let met = 0;
      for (let product = 1; product <= 40; product++) {
        const { recorder, world } = say([`p${String(product).padStart(2, '0')}`], task);
        const [bos, type, colour, cap, none, , itsType, itsColour, price] = recorder.words();
        expect([bos, none]).toEqual(['<bos>', 'none']);
        const isMet = type === itsType && colour === itsColour && Number(price?.slice(1)) <= Number(cap?.slice(1));
        expect([world.isSuccess(1), world.reward(1)]).toEqual([isMet, isMet ? 1 : 0]);
        if (isMet) met += 1;
      }
      expect(met).toBeGreaterThan(0);
    }
  });

  it('shows the three cheapest products that match, the first of equals first', () => {
    const random = stream(4);
    for (const word of ['lamp', 'chair', 'mug', 'tent', 'clock', 'red', 'blue', 'green', 'white']) {
      const task = measured.drawTask(random);
      const all = Array.from({ length: 40 }, (_, product) => {
        const id = `p${String(product + 1).padStart(2, '0')}`;
        const [type, colour, price] = say([id], task).recorder.words(6);
        return { id, words: [type, colour], price: Number(price?.slice(1)) };
      });
      const cheapest = all.filter(({ words }) => words.includes(word)).sort((a, b) => a.price - b.price);
      const ids = [...cheapest.map(({ id }) => id), 'none', 'none', 'none'].slice(0, 3);
      expect(say([word], task).recorder.words(6).slice(0, 3)).toEqual(ids);
    }
  });

  it('is the same in all runs, and another one for every number when fresh', () => {
    const once = shop.create({}).createWorld(1);
    const fresh = shop.create({ catalogue: 'fresh' });
    const tasks = [fresh.drawTask(stream(1)), fresh.drawTask(stream(2))];
    expect(tasks[0]?.[0]).not.toBe(tasks[1]?.[0]);
    const stock = (number: number): number[] => {
      const shelves = new Shelves(1, 40);
      shelves.stock(0, number);
      return [...shelves.words, ...shelves.price];
    };
    expect(stock(tasks[0]?.[0] ?? 0)).not.toEqual(stock(tasks[1]?.[0] ?? 0));
    expect(stock(7)).toEqual(stock(7));
    expect(once.entropyFloor?.(0)).toBe(0);
  });

  it('ends without reward at the horizon and when nothing was opened', () => {
    const task = measured.drawTask(stream(8));
    const nothing = say(['buy'], task).world;
    expect([nothing.isDone(1), nothing.reward(1), nothing.isSuccess(1)]).toEqual([true, 0, false]);
    const wandering = say(['lamp', 'red', 'lamp', 'red'], task).world;
    expect([wandering.isDone(1), wandering.reward(1)]).toEqual([true, 0]);
  });
});

describe('rewards of the shop', () => {
  /** Purchases of all products, one after another: [type right, colour right, price right, reward]. */
  const purchases = (reward: string): [boolean, boolean, boolean, number][] => {
    const environment = shop.create({ reward });
    const task = environment.drawTask(stream(21));
    return Array.from({ length: 40 }, (_, product) => {
      const id = environment.words.indexOf(`p${String(product + 1).padStart(2, '0')}`);
      const { recorder, world } = play(environment, task, (_world, _slot, turn) => [
        turn === 0 ? id : environment.words.indexOf('buy'),
      ]);
      const [, type, colour, cap, , , itsType, itsColour, price] = recorder.words();
      return [
        type === itsType,
        colour === itsColour,
        Number(price?.slice(1)) <= Number(cap?.slice(1)),
        world.reward(1),
      ];
    });
  };

  it('strict: all or nothing', () => {
    for (const [type, colour, price, reward] of purchases('strict'))
      expect(reward).toBe(type && colour && price ? 1 : 0);
  });

  it('shares: half for each attribute, nothing above the cap', () => {
    for (const [type, colour, price, reward] of purchases('shares')) {
      expect(reward).toBe(price ? (Number(type) + Number(colour)) / 2 : 0);
    }
  });

  it('webshop: nothing for a wrong type, else the share of colour and price', () => {
    for (const [type, colour, price, reward] of purchases('webshop')) {
      expect(reward).toBe(type ? (Number(colour) + Number(price)) / 2 : 0);
    }
  });
});

describe('held-out instructions', () => {
  it('are a fifth of the pairs of type and colour, and never drawn for training', () => {
    for (const settings of [{}, { catalogue: 'fresh' }, { mode: 'pages' }, { mode: 'pages', catalogue: 'fresh' }]) {
      const environment = shop.create({ ...settings, holdOut: true });
      expect(environment.hasHeldOut).toBe(true);
      const random = stream(9);
      for (let draw = 0; draw < 300; draw++) {
        expect(isHeldOut(environment.drawTask(random, 'train')[1] ?? 0)).toBe(false);
        expect(isHeldOut(environment.drawTask(random, 'held-out')[1] ?? 0)).toBe(true);
      }
    }
    expect(shop.create({}).hasHeldOut).toBe(false);
  });
});

describe('the entropy floor of a fresh catalogue', () => {
  const environment = shop.create({ catalogue: 'fresh', products: 4, horizon: 4 });
  const token = (word: string): number => environment.words.indexOf(word);

  it('is what counting says: the mean surprise of products opened in many catalogues', () => {
    // The mean of −ln p over draws from p is the entropy. By symmetry p is estimated from the same draws: an unopened
    // product is the target, with type and colour as asked and price cap or cap − 1, or it is not.
    const random = stream(31);
    const counts = new Map<string, number>();
    const draws = 40_000;
    const world = environment.createWorld(2);
    let floor = 0;
    let kept = 0;
    for (let draw = 0; draw < draws; draw++) {
      const task = environment.drawTask(random);
      if (task[3] !== 3) continue;
      const { recorder, floors } = play(
        environment,
        task,
        (_world, _slot, turn) => [token(turn === 0 ? 'p02' : 'buy')],
        world,
      );
      floor = floors[0] ?? Number.NaN;
      const [, type, colour, , , , itsType, itsColour, price] = recorder.words();
      const cell = [type === itsType, colour === itsColour, price].join();
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
      kept += 1;
    }
    // Cells of equal probability: 4 other types, 3 other colours.
    let entropy = 0;
    for (const [cell, count] of counts) {
      const [isType, isColour] = cell.split(',');
      const cells = (isType === 'true' ? 1 : 4) * (isColour === 'true' ? 1 : 3);
      entropy += (count / kept) * Math.log((cells * kept) / count);
    }
    expect(kept).toBeGreaterThan(5000);
    expect(Math.abs(entropy - floor)).toBeLessThan(0.03);
  });

  it('is 0 for what was seen before, and unknown for a new search and behind it', () => {
    const task = environment.drawTask(stream(6));
    const floors = (words: string[]) => play(environment, task, (_w, _s, turn) => [token(words[turn] ?? 'buy')]).floors;
    expect(floors(['p01', 'p01'])[1]).toBe(0);
    expect(floors(['p01', 'red', 'p01', 'p02'])).toEqual([expect.any(Number), Number.NaN, 0, Number.NaN]);
    expect(floors(['red', 'red'])).toEqual([Number.NaN, 0, 0]);
  });
});

describe('the shop with pages', () => {
  const environment = shop.create({ mode: 'pages', horizon: 12 });
  const task = environment.drawTask(stream(14));
  const say = (...words: string[]) => {
    const { recorder } = play(environment, task, (_world, _slot, turn) => [
      environment.words.indexOf(words[turn] ?? 'buy'),
    ]);
    return environment.scenes?.(task, recorder.tokens, recorder.roles) as readonly ShopScene[];
  };

  it('pages through all results of a query, none twice, by words that match and then by price', () => {
    const scenes = say('red', 'next', 'next', 'next', 'next', 'next', 'next').filter(({ page }) => page === 'results');
    const shown = scenes.flatMap(({ results }) => results);
    const reds = scenes.slice(0, 1 + scenes.findIndex(({ buttons }) => !buttons.includes('next')));
    const ids = reds.flatMap(({ results }) => results.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(3);
    const prices = shown.slice(0, ids.length).map(({ price }) => Number(price.slice(1)));
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
  });

  it('takes three words, offers sizes that a product has, and charges for large', () => {
    const [, , , third, refused] = say('red', 'lamp', 'quiet', 'blue');
    expect(third?.query?.split(' ').sort()).toEqual(['lamp', 'quiet', 'red']);
    expect(refused?.complaint).toMatch(/nothing of this name/);
    const item = say('red', 'first')[2]?.item;
    expect(item?.options).toHaveLength(2);
    for (const size of ['small', 'medium', 'large']) {
      const chosen = say('red', 'first', size)[3];
      const isOffered = item?.options.some(({ text }) => text === size) ?? false;
      expect(chosen?.complaint === null).toBe(isOffered);
      const dollars = (price: string | undefined): number => Number(price?.slice(1));
      if (isOffered) expect(dollars(chosen?.item?.price)).toBe(dollars(item?.price) + (size === 'large' ? 1 : 0));
    }
  });

  it('goes back to the results, and from there to an empty search', () => {
    const scenes = say('red', 'second', 'back', 'back');
    expect(scenes.map(({ page }) => page).slice(0, 5)).toEqual(['search', 'results', 'item', 'results', 'search']);
    expect(scenes[3]?.results).toEqual(scenes[1]?.results);
    expect(scenes[2]?.action).toBe(scenes[1]?.results[1]?.id);
    expect(scenes[4]?.query).toBeNull();
  });

  it('lets a legal click always be possible, and answers a size that is not to be had', () => {
    const random = stream(77);
    const said = new Set<string>();
    for (let episode = 0; episode < 300; episode++) {
      const { recorder } = play(environment, environment.drawTask(random), randomly(environment, random));
      expect(recorder.roles).not.toContain(ROLE.warning);
      for (const word of recorder.words()) said.add(word);
    }
    expect(said).toContain('unavailable');
  });
});

describe('free decoding in the shop', () => {
  const environmentOf = (settings: EnvironmentSettings) =>
    shop.create({ ...settings, decoding: 'free', malformed: 'penalty', penalty: 0.25 });

  it.each([{}, { mode: 'pages', horizon: 8 }])('lets any word be said, warns and takes reward off: %j', (settings) => {
    const environment = environmentOf(settings);
    fc.assert(
      fc.property(fc.nat(), (seed) => checkContract(environment, seed, [-0.25 * environment.maxTurns, 1])),
      { numRuns: 30 },
    );
    const { world, recorder } = play(environment, environment.drawTask(stream(1)), () => [0]);
    expect(drawnSet(world, 1)).toBe(0);
    expect(recorder.roles.filter((role) => role === ROLE.warning)).toHaveLength(environment.maxTurns);
    expect(world.reward(1)).toBe(-0.25 * environment.maxTurns);
  });

  it('can end an episode at the first word that is no action', () => {
    const environment = shop.create({ decoding: 'free', malformed: 'end' });
    const { world, actions } = play(environment, environment.drawTask(stream(1)), () => [0]);
    expect(actions).toHaveLength(1);
    expect([world.reward(1), world.isSuccess(1)]).toEqual([0, false]);
  });
});
