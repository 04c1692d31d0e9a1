/** Every case of other projects' numbers, by the operations of training, on every backend. */
import { describe, expect, test } from 'vitest';
import { checkAdvantage } from '../../src/check/advantage/advantage';
import { checkEcho } from '../../src/check/echo/echo';
import type { Fixture } from '../../src/check/format';
import { checkFormula } from '../../src/check/formula';
import { checkKl } from '../../src/check/kl';
import { checkMaskedLogProb } from '../../src/check/maskedLogProb';
import { checkPolicyLoss } from '../../src/check/policyLoss/policyLoss';
import { settingsOf } from '../../src/check/policyLoss/projects';
import { CHOICES } from '../../src/hyperparameters/columns';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { BACKENDS, backendFor, UNTILED } from '../tensor/backends';
import { casesOf, reasonsOf } from './cases';

/** Cases of each file, those of them that are not to be met, and the outputs that a case must compare. */
const FILES = [
  { file: 'advantage', check: checkAdvantage, count: 88, left: 3 },
  { file: 'echo', check: checkEcho, count: 48, within: 'metrics', prefix: '' },
  { file: 'formula', check: checkFormula, count: 72, within: 'shows', prefix: 'shows.' },
  { file: 'kl', check: checkKl, count: 39 },
  { file: 'masked_logprob', check: checkMaskedLogProb, count: 20, backends: BACKENDS },
  // Metrics of a loss are compared only as far as the lab has them.
  { file: 'policy_loss', check: checkPolicyLoss, count: 143, left: 1, outputs: expect.anything() },
].map((one) => ({ left: 0, within: '', prefix: '', backends: UNTILED, outputs: undefined, ...one }));

const isMet = ({ tags = [] }: Fixture): boolean => !tags.includes('error') && !tags.includes('legacy');

describe.each(FILES)('$file', ({ file, check, count, left, within, prefix, backends, outputs }) => {
  const all = casesOf(file);
  const cases = all.filter(isMet);

  test('the file has all cases', () => {
    expect([all.length, all.length - cases.length]).toEqual([count, left]);
  });

  describe.each(backends)('$name', (one) => {
    const backend = backendFor(one);

    test.each(cases)('$name', async (fixture) => {
      const comparisons = await check(backend(), fixture);
      const { [within]: inner = {}, ...outer } = fixture.expected;
      const expected = [...Object.keys(outer), ...Object.keys(inner).map((name) => `${prefix}${name}`)];
      const compared = [...new Set(comparisons.map(({ output }) => output))].sort();
      expect(compared.length).toBeGreaterThan(0);
      expect(compared).toEqual(outputs ?? expected.sort());
      expect(reasonsOf(fixture, comparisons)).toEqual([]);
    });
  });
});

/** Surrogates that no other project's code here has: their values are by hand in test/tensor/policyObjective.test.ts. */
const BY_HAND = ['importance'];

test('every surrogate gives numbers of somebody else’s code, or values by hand', () => {
  const compared = casesOf('policy_loss')
    .filter(isMet)
    .map((fixture) => settingsOf(fixture).surrogate ?? 'ppo');
  const advice = 'Add a case to test/fixtures/policy_loss.json (docs/fixtures.md), or values by hand';
  expect(
    CHOICES.surrogate.filter((name) => !compared.includes(name)),
    advice,
  ).toEqual(BY_HAND);
});

describe('masked log-probs', () => {
  test.each(casesOf('masked_logprob'))('$name would be refused with another token', async (fixture) => {
    const V = fixture.inputs.logits?.shape.at(-1) as number;
    const tokens = fixture.inputs.tokens as (typeof fixture.inputs)[string];
    const shifted = { ...tokens, data: tokens.data.map((token) => (Number(token) + 1) % V) };
    const other = { ...fixture, inputs: { ...fixture.inputs, tokens: shifted } };
    const comparisons = await checkMaskedLogProb(new ReferenceBackend(), other);
    // With a vocabulary of one, or with equal logits and masked gradients only, all tokens are alike.
    expect(reasonsOf(fixture, comparisons).length > 0).toBe(V > 1);
  });
});

/** Cases changed so that they cannot be checked, and what is said. */
test.each<[string, typeof checkKl, (fixture: Fixture) => Partial<Fixture>, RegExp]>([
  ['formula', checkFormula, () => ({ params: { formula: 'loss = logprob' } }), /Line 1, column 8.*logprob/],
  [
    'kl',
    checkKl,
    ({ source }) => ({ source: { ...source, repo: 'nobody/knows' } }),
    /nobody\/knows clamps is not known/,
  ],
  ['kl', checkKl, () => ({ params: { kl: 'k9' } }), /“k9”, which is not known/],
])('a case of %s that cannot be understood is refused', async (file, check, change, words) => {
  const [first] = casesOf(file) as [Fixture];
  await expect(check(new ReferenceBackend(), { ...first, ...change(first) })).rejects.toThrow(words);
});
