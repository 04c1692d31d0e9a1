/** Results of other projects' advantage estimators, by the operation that training uses, on every backend. */
import { describe, expect, test } from 'vitest';
import { checkAdvantage } from '../../src/check/advantage/advantage';
import { backendFor, UNTILED } from '../tensor/backends';
import { casesOf, reasonsOf } from './cases';

const all = casesOf('advantage');
const skipped = ['error', 'legacy'];
const cases = all.filter(({ tags = [] }) => !tags.some((tag) => skipped.includes(tag)));

test('The file has all cases, three of them not to be met', () => {
  expect([all.length, cases.length]).toEqual([88, 85]);
});

describe.each(UNTILED)('$name', (one) => {
  const backend = backendFor(one);

  test.each(cases)('gives $name', async (fixture) => {
    const comparisons = await checkAdvantage(backend(), fixture);
    expect(comparisons.length).toBe(Object.keys(fixture.expected).length);
    expect(reasonsOf(fixture, comparisons)).toEqual([]);
  });
});
