/** Every case of kl.json on every backend. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare } from '../../src/check/compare';
import { parseFixtures } from '../../src/check/format';
import { checkKl } from '../../src/check/kl';
import type { Backend } from '../../src/tensor/backend';
import { BACKENDS } from '../tensor/backends';

const fixtures = parseFixtures(readFileSync(new URL('../fixtures/kl.json', import.meta.url), 'utf8'));

test('The file has all cases', () => {
  expect(fixtures.length).toBe(39);
});

describe.each(BACKENDS.filter(({ name }) => name !== 'webgpu, tiled'))('$name', ({ create }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await create();
  });
  afterAll(() => {
    backend.dispose();
  });

  test.each(fixtures)('$name', async (fixture) => {
    const comparisons = await checkKl(backend, fixture);
    expect(comparisons.map(({ output }) => output).sort()).toEqual(Object.keys(fixture.expected).sort());
    expect(comparisons.flatMap((comparison) => compare(fixture.name, comparison).reasons)).toEqual([]);
  });

  test('a project whose clamps are not known is refused', async () => {
    const [first] = fixtures;
    if (first === undefined) throw new Error('No case.');
    const foreign = { ...first, source: { ...first.source, repo: 'nobody/knows' } };
    await expect(checkKl(backend, foreign)).rejects.toThrow(/nobody\/knows clamps is not known/);
    const other = { ...first, params: { kl: 'k9' } };
    await expect(checkKl(backend, other)).rejects.toThrow(/“k9”, which is not known/);
  });
});
