/** The speed of a run is that of its newest updates on this machine; the first one tells nothing. */
import { expect, test } from 'vitest';
import { paceOf } from '../../src/ui/model/run/pace';

const historyOf = (seconds: readonly number[]) => ({
  count: seconds.length,
  secondsOf: (update: number) => seconds[update] ?? Number.NaN,
});

test('none is told before two updates', () => {
  expect(paceOf(null)).toBeNull();
  expect(paceOf(historyOf([]))).toBeNull();
  expect(paceOf(historyOf([7]))).toBeNull();
});

test('the first update, which prepares and examines, is left out, and so are old ones', () => {
  expect(paceOf(historyOf([7, 1]))).toBe(1);
  expect(paceOf(historyOf([7, 1, 3]))).toBe(2);
  expect(paceOf(historyOf([7, ...Array(30).fill(9), ...Array(20).fill(2)]))).toBe(2);
});

test('of a run whose times are not known there is none', () => {
  expect(paceOf(historyOf([Number.NaN, Number.NaN, Number.NaN]))).toBeNull();
});
