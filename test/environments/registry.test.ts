import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  Environment,
  EnvironmentDefinition,
  EnvironmentSetting,
  EnvironmentSettings,
} from '../../src/environments/environment';
import { defaultSettings, environments, findEnvironment } from '../../src/environments/registry';
import { composeVocabulary } from '../../src/environments/vocabulary';
import { play, randomly, stream } from '../support/episodes';

/** Values near the default, so most combinations are possible. */
function anyValue({ type, min = 0, max = 0, choices = [], default: initial }: EnvironmentSetting) {
  if (type === 'boolean') return fc.boolean();
  if (type === 'choice') return fc.constantFrom(...choices);
  const usual = Number(initial);
  if (type === 'integer') return fc.integer({ min: Math.max(min, usual - 1), max: Math.min(max, usual + 1) });
  return fc.constantFrom(usual, min, (min + max) / 4);
}

const anySettings = ({ settings }: EnvironmentDefinition): fc.Arbitrary<Record<string, number | boolean | string>> =>
  fc.record(Object.fromEntries(settings.map((setting) => [setting.key, anyValue(setting)])));

/** Everything that random episodes show of an environment; null if the settings allow no such environment. */
function portrait(definition: EnvironmentDefinition, settings: EnvironmentSettings, seed: number): unknown {
  let environment: Environment;
  try {
    environment = definition.create(settings);
  } catch {
    return null;
  }
  const { words, context, maxTurns, maxActionTokens, stopToken, maxObservationTokens, legalSets } = environment;
  const random = stream(seed);
  const episodes = Array.from({ length: 4 }, () => {
    const task = environment.drawTask(random);
    const { recorder, world } = play(environment, task, randomly(environment, random));
    return [task, recorder.tokens, recorder.roles, world.reward(1), world.isSuccess(1)];
  });
  const shape = { words, context, maxTurns, maxActionTokens, stopToken, maxObservationTokens, legalSets };
  return { ...shape, hasHeldOut: environment.hasHeldOut, episodes };
}

describe.each(Object.entries(environments))('the environment %s', (id, definition) => {
  it('is listed under its own id, can be made from its defaults and explains its settings', () => {
    expect(definition.id).toBe(id);
    expect(findEnvironment(id)).toBe(definition);
    const environment = definition.create(defaultSettings(id));
    expect(environment.words.slice(0, 2)).toEqual(['<pad>', '<bos>']);
    if (environment.parts === undefined) expect(environment.kinds).toHaveLength(environment.words.length);
    for (const { key, help, type, default: initial, min, max } of definition.settings) {
      expect(key).toMatch(/^[a-z][A-Za-z0-9]*(-[a-z][A-Za-z0-9]*)?$/);
      expect(help).toMatch(/\.$/);
      if (type === 'integer' || type === 'number') {
        expect(initial).toBeGreaterThanOrEqual(Number(min));
        expect(initial).toBeLessThanOrEqual(Number(max));
      }
    }
  });

  it('calls only those settings irrelevant that change nothing', () => {
    const property = fc.property(
      anySettings(definition),
      anySettings(definition),
      fc.nat(),
      (settings, other, seed) => {
        const idle = definition.settings.filter(({ isRelevant }) => isRelevant?.(settings) === false);
        const changed = Object.fromEntries(idle.map(({ key }) => [key, other[key] as number]));
        expect(portrait(definition, { ...settings, ...changed }, seed)).toEqual(portrait(definition, settings, seed));
      },
    );
    fc.assert(property, { numRuns: 40 });
  });
});

describe('the registry', () => {
  it('knows nothing it was not given', () => {
    for (const id of ['__proto__', 'toString', 'chess']) {
      expect(findEnvironment(id)).toBeUndefined();
      expect(defaultSettings(id)).toEqual({});
    }
  });
});

describe('the vocabulary', () => {
  it('keeps one environment’s numbering and is padded to a multiple of 16', () => {
    const { words } = findEnvironment('gridworld')?.create(defaultSettings('gridworld')) ?? { words: [] };
    const vocabulary = composeVocabulary([words]);
    expect(vocabulary.size).toBe(48);
    expect(vocabulary.words.slice(0, words.length)).toEqual(words);
    expect(vocabulary.words).toHaveLength(48);
    expect(vocabulary.indexOf('right')).toBe(5);
    expect(vocabulary.indexOf('nowhere')).toBe(-1);
  });

  it('has words that environments share only once', () => {
    const vocabulary = composeVocabulary([
      ['<pad>', '<bos>', 'up', 'a'],
      ['<pad>', '<bos>', 'b', 'up'],
    ]);
    expect(vocabulary.words.slice(0, 5)).toEqual(['<pad>', '<bos>', 'up', 'a', 'b']);
    expect(vocabulary.size).toBe(16);
  });

  it('refuses words that do not begin as they must, or repeat', () => {
    expect(() => composeVocabulary([['up']])).toThrow(/begin with/);
    expect(() => composeVocabulary([['<pad>', '<bos>', 'up', 'up']])).toThrow(/distinct/);
  });
});
