/** Every case of masked_logprob.json on every backend. */
import { describe, expect, test } from 'vitest';
import { checkMaskedLogProb } from '../../src/check/maskedLogProb';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { BACKENDS, backendFor } from '../tensor/backends';
import { casesOf, reasonsOf } from './cases';

const fixtures = casesOf('masked_logprob');

describe.each(BACKENDS)('$name', (one) => {
  const backend = backendFor(one);

  test.each(fixtures)('$name', async (fixture) => {
    const comparisons = await checkMaskedLogProb(backend(), fixture);
    expect(reasonsOf(fixture, comparisons)).toEqual([]);
    const compared = new Set(comparisons.map(({ output }) => output));
    expect([...compared].sort()).toEqual(Object.keys(fixture.expected).sort());
  });
});

test.each(fixtures)('$name would be refused with another token', async (fixture) => {
  const V = fixture.inputs.logits?.shape.at(-1) as number;
  const tokens = fixture.inputs.tokens as (typeof fixture.inputs)[string];
  const shifted = { ...tokens, data: tokens.data.map((token) => (Number(token) + 1) % V) };
  const other = { ...fixture, inputs: { ...fixture.inputs, tokens: shifted } };
  const comparisons = await checkMaskedLogProb(new ReferenceBackend(), other);
  // With a vocabulary of one, or with equal logits and masked gradients only, all tokens are alike.
  expect(reasonsOf(fixture, comparisons).length > 0).toBe(V > 1);
});

test('there are as many cases as the other projects were asked', () => {
  expect(fixtures.length).toBe(20);
});
