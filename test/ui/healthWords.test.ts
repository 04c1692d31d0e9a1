/** Words of a light: its number and the bound that the code judges by stand beside its state. */
import { expect, test } from 'vitest';
import { FAILURES, judgeArm, type Light, type SeedLight } from '../../src/experiment/conclude/health';
import { boundWords, stateAndValue } from '../../src/ui/places/understand/why/health/lightWords';

const failure = (id: string) => FAILURES.find((one) => one.id === id) ?? expect.fail(id);
const light = (state: SeedLight['state'], ...values: number[]): Light => ({
  state,
  seeds: values.map((value) => ({ state, value })),
});

test('a light says its number, the mean of the seeds', () => {
  expect(stateAndValue(failure('no-variance'), light('fine', 0.1, 0.14))).toBe('fine 12%');
  expect(stateAndValue(failure('length'), light('warning', 1.3))).toBe('warning 1.30 ×');
  expect(stateAndValue(failure('loops'), light('unknown', Number.NaN))).toBe('unknown');
  expect(stateAndValue(failure('missing-tools'), light('failing', 0.9, 0.8))).toBe('failing 2/2 85%');
});

test('every bound is the one that is judged by: at it a light is fine, beyond it no more', () => {
  expect(boundWords(failure('no-variance'))).toBe('fine to 80%');
  expect(boundWords(failure('entropy-collapse'))).toBe('fine from 20%');
  expect(boundWords(failure('mask-leak'))).toBe('fine to 2 ×');
  const curves = (share: number) => [
    { count: 60, at: (_: number, metric: string) => (metric === 'warningShare' ? share : 0) },
  ];
  const facts = { words: 30, worthOfSuccess: 1 };
  expect(boundWords(failure('missing-tools'))).toBe('fine to 10%');
  expect(judgeArm(failure('missing-tools'), curves(0.0999), facts).state).toBe('fine');
  expect(judgeArm(failure('missing-tools'), curves(0.1001), facts).state).toBe('warning');
});

test('beyond its bound a light is fine by its exception alone, and says so', () => {
  expect(stateAndValue(failure('length'), light('fine', 1.4))).toBe('excused 1.40 ×');
  expect(stateAndValue(failure('entropy-collapse'), light('fine', 0.05))).toBe('excused 5%');
});
