/** A mixture: each episode is the same as in its world alone, and tasks are drawn by weight. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Environment, EnvironmentSettings } from '../../src/environments/environment';
import { mixture } from '../../src/environments/mixture/mixture';
import { WORLD_IDS, WORLDS, type WorldId } from '../../src/environments/mixture/settings';
import { openWorlds } from '../../src/environments/own/here';
import { defaultSettings } from '../../src/environments/registry';
import { longestAction, playedIn } from '../../src/environments/replay';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { checkExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { checkContract, expertly, play, randomly, recklessly, stream, successRate } from '../support/episodes';

const EVERYTHING = { gridworld: 1, calculator: 1, shop: 1, terminal: 1 };
const VARIANTS: Readonly<Record<string, EnvironmentSettings>> = {
  'the default': {},
  'all four worlds': EVERYTHING,
  'shops and sums of unlike length': {
    gridworld: 0,
    shop: 3,
    'shop-mode': 'pages',
    'shop-horizon': 10,
    'calculator-operands': 3,
    'calculator-turns': 1,
  },
  'free decoding': {
    ...EVERYTHING,
    ...Object.fromEntries(WORLD_IDS.map((id) => [`${id}-decoding`, 'free'])),
    'calculator-malformed': 'penalty',
  },
  'some free, some held out': { shop: 0.5, 'shop-decoding': 'free', 'shop-holdOut': true, 'gridworld-heldOut': 0.3 },
};

/** Number of draws that are tasks of each world. */
function drawn(environment: Environment, draws: number, split?: 'train' | 'held-out'): Record<string, number> {
  const random = stream(7);
  const counts: Record<string, number> = {};
  for (let draw = 0; draw < draws; draw++) {
    const id = environment.parts?.[environment.environmentOf?.(environment.drawTask(random, split)) ?? -1]?.id ?? '?';
    counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

describe.each(Object.entries(VARIANTS))('a mixture: %s', (_, settings) => {
  const environment = mixture.create(settings);

  it('keeps to the contract of environments, whatever is done in it', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => checkContract(environment, seed, [-1.2, 1])),
      { numRuns: 60 },
    );
  });

  it('is mastered by its worlds’ experts', () => {
    expect(successRate(environment, expertly, 300)).toBeGreaterThan(0.99);
  });

  it('plays every episode as its world alone does: words, legal actions, rewards, floors, progress', () => {
    const anyEpisode = fc.property(fc.nat(), fc.boolean(), (seed, isLegal) => {
      const random = stream(seed);
      const task = environment.drawTask(random);
      const own = playedIn(environment, environment.environmentOf?.(task) ?? -1);
      const alone = own.createWorld(2);
      expect(environment.difficulty?.(task)).toBe(own.difficulty?.(task.subarray(1)) ?? 0);
      const choose = isLegal ? randomly(environment, random) : recklessly(environment, random);
      const known = (token: number): number => Math.max(0, own.words.indexOf(environment.words[token] as string));
      const legalWords = (of: Environment, set: number) => of.legalSets[set - 1]?.map((token) => of.words[token]);
      let turn = 0;
      const mixed = play(environment, task, (world, slot, at) => {
        if (at === 0) alone.reset(1, task.subarray(1), { emit: () => true });
        const legal = legalWords(environment, world.legalSet(slot));
        expect(legal).toEqual(legalWords(own, alone.legalSet(slot)));
        expect(longestAction(environment, world, slot)).toBe(own.maxActionTokens);
        expect(world.progress?.(slot)).toBe(alone.progress?.(slot));
        expect(world.expert?.(slot).map(known)).toEqual(alone.expert?.(slot));
        const action = choose(world, slot, at);
        alone.step(1, action.map(known), { emit: () => true });
        turn = at + 1;
        return action;
      });
      expect(turn).toBe(mixed.actions.length);
      const again = play(own, task.subarray(1), (_world, _slot, at) => mixed.actions[at]?.map(known) ?? []);
      expect(again.recorder.roles).toEqual(mixed.recorder.roles);
      expect(again.recorder.tokens).toEqual(mixed.recorder.tokens.map(known));
      expect(again.floors).toEqual(mixed.floors);
      expect([mixed.world.reward(1), mixed.world.isSuccess(1)]).toEqual([
        again.world.reward(1),
        again.world.isSuccess(1),
      ]);
      const { tokens, roles } = again.recorder;
      expect(environment.scenes?.(task, mixed.recorder.tokens, roles)).toEqual(
        own.scenes?.(task.subarray(1), tokens, roles),
      );
    });
    fc.assert(anyEpisode, { numRuns: 60 });
  });

  it('never draws a held-out task for training, in a world that holds some out', () => {
    const of = (split: 'train' | 'held-out'): Set<string> => {
      const random = stream(3);
      const tasks = Array.from({ length: 600 }, () => environment.drawTask(random, split));
      const splitting = tasks.filter((task) => playedIn(environment, task[0] as number).hasHeldOut);
      return new Set(splitting.map((task) => task.join()));
    };
    const [trained, heldOut] = [of('train'), of('held-out')];
    expect(heldOut.size).toBeGreaterThan(0);
    expect([...trained].filter((task) => heldOut.has(task))).toEqual([]);
  });

  it('knows how often a random policy succeeds', () => {
    const episodes = 4000;
    const rate = successRate(environment, randomly(environment, stream(5)), episodes);
    const known = environment.randomSuccess ?? Number.NaN;
    // Four standard errors; some of the known rates are simulated too.
    expect(Math.abs(rate - known)).toBeLessThan(4 * Math.sqrt((2 * known) / episodes));
  });
});

describe('a mixture', () => {
  it('draws tasks by weight, and leaves out a world without', () => {
    const weights = { gridworld: 1, calculator: 0.5, shop: 2.5, terminal: 0 };
    const environment = mixture.create(weights);
    const draws = 4000;
    for (const split of ['train', 'held-out'] as const) {
      const counts = drawn(environment, draws, split);
      expect(Object.keys(counts).sort()).toEqual(['calculator', 'gridworld', 'shop']);
      for (const [id, count] of Object.entries(counts)) {
        const share = weights[id as WorldId] / 4;
        const error = Math.sqrt((share * (1 - share)) / draws);
        expect(Math.abs(count / draws - share), id).toBeLessThan(4 * error);
      }
    }
    expect(environment.words).not.toContain('rm');
  });

  it('has every word of its worlds once, and the legal sets of all', () => {
    const environment = mixture.create(EVERYTHING);
    const alone = WORLD_IDS.map((id) => WORLDS[id].create(defaultSettings(id)));
    expect(new Set(environment.words).size).toBe(environment.words.length);
    expect(new Set(environment.words)).toEqual(new Set(alone.flatMap(({ words }) => words)));
    expect(environment.words.slice(0, 2)).toEqual(['<pad>', '<bos>']);
    expect(environment.legalSets).toHaveLength(alone.reduce((sum, { legalSets }) => sum + legalSets.length, 0));
    expect(environment.words[environment.stopToken]).toBe('<enter>');
    expect(environment.maxActionTokens).toBe(4);
  });

  it('of one world says and draws what that world does', () => {
    const environment = mixture.create({ gridworld: 0, calculator: 2 });
    const alone = WORLDS.calculator.create({});
    expect(environment.words).toEqual(alone.words);
    expect(environment.legalSets).toEqual(alone.legalSets);
    expect([environment.context, environment.stopToken]).toEqual([alone.context, -1]);
    expect(environment.randomSuccess).toBeCloseTo(alone.randomSuccess ?? Number.NaN, 12);
  });

  it('passes on its worlds’ words of what they pay, each with its world', async () => {
    const similar = {
      terminal: 1,
      'terminal-tasks': 'edit',
      'terminal-lineWords': 2,
      'terminal-grading': 'similarity',
    };
    const words = 'similarity of the answer to the right one, −1 for none or for a broken form';
    const alone = { ...similar, gridworld: 0, calculator: 0 };
    expect(mixture.create(alone).outcomeWords).toBe(words);
    expect(mixture.create(similar).outcomeWords).toBe(`${words} (terminal), outcome elsewhere`);
    expect(mixture.create({}).outcomeWords).toBeUndefined();
    await openWorlds();
    const program = { 'own-world': '@program', own: 1 };
    const milestones = (settings: EnvironmentSettings) => mixture.create({ ...program, ...settings }).milestoneWords;
    expect(milestones({ gridworld: 0, calculator: 0 })).toBe('tests passed');
    expect(milestones({})).toMatch(/^tests passed \(.+\), milestones elsewhere$/);
  });

  it('of nothing is refused, and so is what a world refuses, unless its weight is 0', () => {
    expect(() => mixture.create({ gridworld: 0, calculator: 0 })).toThrow(/of nothing/);
    const contradiction = { 'gridworld-puzzle': 'boxes', 'gridworld-slip': 0.5 };
    expect(() => mixture.create(contradiction)).toThrow(/slippery/);
    expect(mixture.create({ ...contradiction, gridworld: 0 }).parts).toHaveLength(1);
  });

  it('without its tool asks only those who have one', () => {
    const environment = mixture.create({ ...EVERYTHING, 'calculator-turns': 3, 'calculator-tool': 'works' });
    const without = environment.withTool?.('down') as Environment;
    expect(without.words).toEqual(environment.words);
    expect(without.legalSets).toEqual(environment.legalSets);
    expect(drawn(without, 50)).toEqual({ calculator: 50 });
    const call = environment.words.indexOf('CALC');
    const { recorder } = play(without, without.drawTask(stream(1)), () => [call]);
    expect(recorder.words(5)).toEqual(['CALC', 'ERR', 'CALC', 'ERR', 'CALC', 'ERR']);
    expect(mixture.create({ calculator: 0, shop: 1 }).withTool?.('down')).toBeNull();
    expect(mixture.create({ 'calculator-tool': 'none' }).withTool?.('down')).toBeNull();
  });

  it('shows the settings of the worlds in it, and of these what has an effect', () => {
    const shown = (settings: EnvironmentSettings): string[] => {
      const all = { ...defaultSettings('mixture'), ...settings };
      return mixture.settings.filter(({ isRelevant }) => isRelevant?.(all) ?? true).map(({ key }) => key);
    };
    expect(shown({})).toEqual(expect.arrayContaining([...WORLD_IDS, 'gridworld-size', 'calculator-turns']));
    expect(shown({}).filter((key) => /^(shop|terminal)-/.test(key))).toEqual([]);
    expect(shown({})).not.toContain('gridworld-boxes');
    expect(shown({ 'gridworld-puzzle': 'boxes' })).toContain('gridworld-boxes');
    expect(shown({ shop: 1 })).toContain('shop-products');
    expect(shown({ shop: 1, gridworld: 0 }).some((key) => key.startsWith('gridworld-'))).toBe(false);
  });

  it('travels in links, setting by setting', () => {
    const base = findPreset('gridworld')?.experiment;
    if (base === undefined) throw new Error('the preset is gone');
    const link = 'preset=gridworld&environment=mixture&environment.shop=0.5&environment.shop-products=12';
    const settings = { ...defaultSettings('mixture'), shop: 0.5, 'shop-products': 12 };
    expect(decodeLink(link)).toEqual({ ...base, environment: { id: 'mixture', settings } });
    expect(encodeLink(decodeLink(link))).toBe(link);
    expect(() => decodeLink('preset=gridworld&environment=mixture&environment.size=4')).toThrow(/environment\.size/);

    const anyWeight = fc.constantFrom(0, 0.25, 1, 10);
    const anyMixture = fc.record({
      gridworld: anyWeight,
      calculator: anyWeight,
      shop: anyWeight,
      terminal: anyWeight,
      'gridworld-size': fc.integer({ min: 3, max: 8 }),
      'calculator-tool': fc.constantFrom('down', 'works', 'flaky', 'none'),
      'shop-holdOut': fc.boolean(),
      'terminal-tasks': fc.constantFrom('delete', 'count'),
    });
    const roundTrip = fc.property(anyMixture, (mixed) => {
      const environment = { id: 'mixture', settings: { ...defaultSettings('mixture'), ...mixed } };
      const { experiment } = checkExperiment({ ...base, environment });
      fc.pre(experiment !== null);
      expect(decodeLink(encodeLink(experiment))).toEqual(experiment);
    });
    fc.assert(roundTrip, { numRuns: 50 });
  });
});
