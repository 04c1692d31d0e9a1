/** Results of other projects' advantage estimators, by the operation that training uses, on every backend. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkAdvantage } from '../../src/check/advantage';
import { parseFixtures } from '../../src/check/format';
import type { Backend } from '../../src/tensor/backend';
import { BACKENDS } from '../tensor/backends';

const all = parseFixtures(readFileSync(new URL('../fixtures/advantage.json', import.meta.url), 'utf8'));
const skipped = ['error', 'legacy'];
const cases = all.filter(({ tags = [] }) => !tags.some((tag) => skipped.includes(tag)));

test('The file has all cases, three of them not to be met', () => {
  expect([all.length, cases.length]).toEqual([88, 85]);
});

describe.each(BACKENDS.filter(({ name }) => name !== 'webgpu, tiled'))('$name', ({ create }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await create();
  });
  afterAll(() => {
    backend.dispose();
  });

  test.each(cases)('gives $name', async (fixture) => {
    const comparisons = await checkAdvantage(backend, fixture);
    expect(comparisons.length).toBe(Object.keys(fixture.expected).length);
    for (const { output, got, expected, atol, rtol, exactZeros } of comparisons) {
      const wrong = Array.from(expected, (want, i) => ({ want, value: got[i] as number, i })).filter(
        ({ want, value }) => {
          const tolerance = exactZeros && want === 0 ? 0 : atol + rtol * Math.abs(want);
          return !(Math.abs(value - want) <= tolerance);
        },
      );
      expect(expected.length, output).toBeGreaterThan(0);
      expect(
        wrong.map(({ want, value, i }) => `${output}[${i}] is ${value}, expected ${want}`),
        fixture.name,
      ).toEqual([]);
    }
  });
});
