/** The policy losses of other projects, on every backend. */
import { describe, expect, test } from 'vitest';
import { checkPolicyLoss } from '../../src/check/policyLoss/policyLoss';
import { backendFor, UNTILED } from '../tensor/backends';
import { casesOf, reasonsOf } from './cases';

const cases = casesOf('policy_loss');
const SKIPPED = ['error', 'legacy'];
const run = cases.filter(({ tags = [] }) => !tags.some((tag) => SKIPPED.includes(tag)));

describe.each(UNTILED)('$name', (one) => {
  const backend = backendFor(one);

  test.each(run)('gives $name', async (fixture) => {
    const comparisons = await checkPolicyLoss(backend(), fixture);
    expect(comparisons.length).toBeGreaterThan(0);
    expect(reasonsOf(fixture, comparisons)).toEqual([]);
  });
});

test('all cases are there, and only legacy ones are left out', () => {
  expect(cases.length).toBe(143);
  expect(cases.filter((one) => !run.includes(one)).map(({ name }) => name)).toEqual([
    'verl_legacy_ppo_clip_seq-mean-token-sum-norm',
  ]);
});
