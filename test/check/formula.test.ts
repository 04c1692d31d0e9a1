/** Every case of formula.json on every backend. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare } from '../../src/check/compare';
import { parseFixtures } from '../../src/check/format';
import { checkFormula } from '../../src/check/formula';
import type { Backend } from '../../src/tensor/backend';
import { BACKENDS } from '../tensor/backends';

const fixtures = parseFixtures(readFileSync(new URL('../fixtures/formula.json', import.meta.url), 'utf8'));

test('The file has all cases', () => {
  expect(fixtures.length).toBe(72);
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
    const comparisons = await checkFormula(backend, fixture);
    const { shows = {}, ...expected } = fixture.expected;
    const outputs = [...Object.keys(expected), ...Object.keys(shows).map((name) => `shows.${name}`)];
    expect(comparisons.map(({ output }) => output).sort()).toEqual(outputs.sort());
    expect(comparisons.flatMap((comparison) => compare(fixture.name, comparison).reasons)).toEqual([]);
  });

  test('a text that does not compile is told with its place', async () => {
    const [first] = fixtures;
    if (first === undefined) throw new Error('No case.');
    const wrong = { ...first, params: { formula: 'loss = logprob' } };
    await expect(checkFormula(backend, wrong)).rejects.toThrow(/Line 1, column 8.*logprob/);
  });
});
