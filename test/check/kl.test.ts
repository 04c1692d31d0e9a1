/** Every case of kl.json on every backend. */
import { describe, expect, test } from 'vitest';
import { checkKl } from '../../src/check/kl';
import { backendFor, UNTILED } from '../tensor/backends';
import { casesOf, reasonsOf } from './cases';

const fixtures = casesOf('kl');

test('The file has all cases', () => {
  expect(fixtures.length).toBe(39);
});

describe.each(UNTILED)('$name', (one) => {
  const backend = backendFor(one);

  test.each(fixtures)('$name', async (fixture) => {
    const comparisons = await checkKl(backend(), fixture);
    expect(comparisons.map(({ output }) => output).sort()).toEqual(Object.keys(fixture.expected).sort());
    expect(reasonsOf(fixture, comparisons)).toEqual([]);
  });

  test('a project whose clamps are not known is refused', async () => {
    const [first] = fixtures;
    if (first === undefined) throw new Error('No case.');
    const foreign = { ...first, source: { ...first.source, repo: 'nobody/knows' } };
    await expect(checkKl(backend(), foreign)).rejects.toThrow(/nobody\/knows clamps is not known/);
    const other = { ...first, params: { kl: 'k9' } };
    await expect(checkKl(backend(), other)).rejects.toThrow(/“k9”, which is not known/);
  });
});
