/** Every case of masked_logprob.json on every backend. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Comparison, parseFixtures } from '../../src/check/format';
import { checkMaskedLogProb } from '../../src/check/maskedLogProb';
import type { Backend } from '../../src/tensor/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { BACKENDS } from '../tensor/backends';

const fixtures = parseFixtures(readFileSync(new URL('../fixtures/masked_logprob.json', import.meta.url), 'utf8'));

describe.each(BACKENDS)('$name', ({ create }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await create();
  });
  afterAll(() => {
    backend.dispose();
  });

  test.each(fixtures)('$name', async (fixture) => {
    const comparisons = await checkMaskedLogProb(backend, fixture);
    expect(comparisons.flatMap(disagreements).slice(0, 5)).toEqual([]);
    const compared = new Set(comparisons.map(({ output }) => output));
    expect([...compared].sort()).toEqual(Object.keys(fixture.expected).sort());
  });
});

function disagreements({ output, got, expected, atol, rtol, exactZeros }: Comparison): string[] {
  expect(got.length, output).toBe(expected.length);
  return Array.from(expected, (want, i) => [got[i] as number, want, i] as const)
    .filter(([value, want]) => {
      const allowed = exactZeros && want === 0 ? 0 : atol + rtol * Math.abs(want);
      return !(value === want || Math.abs(value - want) <= allowed);
    })
    .map(([value, want, i]) => `${output}[${i}] is ${value}, expected ${want}`);
}

test.each(fixtures)('$name would be refused with another token', async (fixture) => {
  const V = fixture.inputs.logits?.shape.at(-1) as number;
  const tokens = fixture.inputs.tokens as (typeof fixture.inputs)[string];
  const shifted = { ...tokens, data: tokens.data.map((token) => (Number(token) + 1) % V) };
  const other = { ...fixture, inputs: { ...fixture.inputs, tokens: shifted } };
  const comparisons = await checkMaskedLogProb(new ReferenceBackend(), other);
  // With a vocabulary of one, or with equal logits and masked gradients only, all tokens are alike.
  expect(comparisons.flatMap(disagreements).length > 0).toBe(V > 1);
});

test('there are as many cases as the other projects were asked', () => {
  expect(fixtures.length).toBe(20);
});
