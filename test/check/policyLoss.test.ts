/** The policy losses of other projects, on every backend. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Comparison, parseFixtures } from '../../src/check/format';
import { checkPolicyLoss } from '../../src/check/policyLoss';
import type { Backend } from '../../src/tensor/backend';
import { BACKENDS } from '../tensor/backends';

const cases = parseFixtures(readFileSync(new URL('../fixtures/policy_loss.json', import.meta.url), 'utf8'));
const SKIPPED = ['error', 'legacy'];
const run = cases.filter(({ tags = [] }) => !tags.some((tag) => SKIPPED.includes(tag)));

/** Differences beyond the tolerance, in words. */
function differences({ output, got, expected, atol, rtol, exactZeros }: Comparison): string[] {
  if (got.length !== expected.length) return [`${output} has ${got.length} numbers of ${expected.length}`];
  return Array.from(expected).flatMap((want, i) => {
    const value = got[i] as number;
    const tolerance = exactZeros && want === 0 ? 0 : atol + rtol * Math.abs(want);
    const close = value === want || Math.abs(value - want) <= tolerance;
    return close ? [] : [`${output}[${i}] is ${value}, expected ${want}`];
  });
}

// No matrix kernels run here, so one variant of WebGPU is enough.
describe.each(BACKENDS.filter(({ name }) => name !== 'webgpu, tiled'))('$name', ({ create }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await create();
  });
  afterAll(() => {
    backend.dispose();
  });

  test.each(run)('gives $name', async (fixture) => {
    const comparisons = await checkPolicyLoss(backend, fixture);
    expect(comparisons.length).toBeGreaterThan(0);
    const found = comparisons.flatMap(differences);
    expect(found, found.slice(0, 5).join('\n')).toEqual([]);
  });
});

test('all cases are there, and only legacy ones are left out', () => {
  expect(cases.length).toBe(143);
  expect(cases.filter((one) => !run.includes(one)).map(({ name }) => name)).toEqual([
    'verl_legacy_ppo_clip_seq-mean-token-sum-norm',
  ]);
});
