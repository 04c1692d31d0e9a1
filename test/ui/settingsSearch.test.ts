/** The search among all settings: by name, help, choice and key. */
import { expect, test } from 'vitest';
import { findPreset } from '../../src/experiment/presets/presets';
import { foundBy, settingsOf, settingsOfRun } from '../../src/ui/model/settings/search';

const all = settingsOf(findPreset('gridworld')?.experiment ?? expect.fail());
const found = (text: string): string[] => all.filter(foundBy(text) ?? (() => true)).map(({ path }) => path);

test('a setting is found by each word of its name, by its key and by a choice, in any case', () => {
  expect(found('CLIP below')).toContain('clipLow');
  expect(found('clipLow')).toContain('clipLow');
  expect(found('gspo')).toContain('ratioLevel');
  expect(found('batch.groupSize')).toEqual(['batch.groupSize']);
  expect(found('clip nowhere')).toEqual([]);
});

test('all are among them, each once; nothing but spaces looks for nothing', () => {
  const paths = all.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  for (const path of ['learningRate', 'seeds', 'policy.width', 'warmStart.updates']) expect(paths).toContain(path);
  expect(paths.some((path) => path.startsWith('environment.'))).toBe(true);
  expect(foundBy('  ')).toBeNull();
});

test('a language model brings its shape, and alone has adapters', () => {
  const { policy } = findPreset('listener')?.experiment ?? expect.fail();
  const keys = (given: Partial<typeof policy>): string[] =>
    settingsOfRun({ ...policy, ...given })
      .map(({ path }) => path)
      .filter((path) => path.startsWith('policy.'));
  expect(keys({ model: 'noise' })).toContain('policy.width');
  expect(keys({ model: 'noise' })).not.toContain('policy.adapterRank');
  expect(keys({})).toEqual(['policy.model', 'policy.adapterRank']);
  expect(keys({ adapterRank: 8 })).toEqual(
    ['model', 'adapterRank', 'adapterAlpha', 'adapterMaps', 'adapterReference'].map((key) => `policy.${key}`),
  );
});
