/** Patience with worlds: an even call ends on time, also a slow one; one that other programs hold up goes on. */
import { expect, test } from 'vitest';
import { Patience } from '../../../src/environments/own/patience';

/** Milliseconds after which a call ends whose questions come after these gaps, again and again. */
function endOf(gaps: readonly number[], patience = 2000): number {
  let now = 5;
  const call = new Patience(patience, () => now);
  for (let at = 0; ; at++) {
    now += gaps[at % gaps.length] as number;
    if (call.isOver()) return now - 5;
  }
}

test('a call that never ends is ended when its patience is over, however rarely it asks', () => {
  expect(endOf([1])).toBe(2001);
  expect(endOf([250])).toBe(2250);
});

test('time in which other programs have the processor hardly counts', () => {
  // Three of the 203 milliseconds are the call's own.
  expect(endOf([1, 1, 1, 200])).toBeGreaterThan(25_000);
});

test('a call that was hardly asked is not ended for long gaps, but in the end', () => {
  let now = 0;
  const call = new Patience(2000, () => now);
  for (now = 5000; now < 20_000; now += 5000) expect(call.isOver()).toBe(false);
  expect(endOf([15_000])).toBe(45_000);
});

test('a call whose jumps become slow later, or that began with a short gap, ends in any case', () => {
  let now = 0;
  const call = new Patience(2000, () => now);
  for (now = 0.001; now < 0.01; now += 0.001) expect(call.isOver()).toBe(false);
  while (!call.isOver()) now += 250;
  expect(now).toBeGreaterThan(40_000);
  expect(now).toBeLessThan(40_300);
});
