/** Every case of formula.json on every backend. */
import { describe, expect, test } from 'vitest';
import { checkFormula } from '../../src/check/formula';
import { backendFor, UNTILED } from '../tensor/backends';
import { casesOf, reasonsOf } from './cases';

const fixtures = casesOf('formula');

test('The file has all cases', () => {
  expect(fixtures.length).toBe(72);
});

describe.each(UNTILED)('$name', (one) => {
  const backend = backendFor(one);

  test.each(fixtures)('$name', async (fixture) => {
    const comparisons = await checkFormula(backend(), fixture);
    const { shows = {}, ...expected } = fixture.expected;
    const outputs = [...Object.keys(expected), ...Object.keys(shows).map((name) => `shows.${name}`)];
    expect(comparisons.map(({ output }) => output).sort()).toEqual(outputs.sort());
    expect(reasonsOf(fixture, comparisons)).toEqual([]);
  });

  test('a text that does not compile is told with its place', async () => {
    const [first] = fixtures;
    if (first === undefined) throw new Error('No case.');
    const wrong = { ...first, params: { formula: 'loss = logprob' } };
    await expect(checkFormula(backend(), wrong)).rejects.toThrow(/Line 1, column 8.*logprob/);
  });
});
