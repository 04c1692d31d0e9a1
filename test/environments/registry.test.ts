import { describe, expect, it } from 'vitest';
import { defaultSettings, environments, findEnvironment } from '../../src/environments/registry';
import { composeVocabulary } from '../../src/environments/vocabulary';

describe.each(Object.entries(environments))('the environment %s', (id, definition) => {
  it('is listed under its own id, can be made from its defaults and explains its settings', () => {
    expect(definition.id).toBe(id);
    expect(findEnvironment(id)).toBe(definition);
    const environment = definition.create(defaultSettings(id));
    expect(environment.words.slice(0, 2)).toEqual(['<pad>', '<bos>']);
    for (const { key, help, type, default: initial, min, max } of definition.settings) {
      expect(key).toMatch(/^[a-z][A-Za-z0-9]*$/);
      expect(help).toMatch(/\.$/);
      if (type === 'integer' || type === 'number') {
        expect(initial).toBeGreaterThanOrEqual(Number(min));
        expect(initial).toBeLessThanOrEqual(Number(max));
      }
    }
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
