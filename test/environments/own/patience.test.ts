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
  // The call’s own are 0.6 of 40.6 milliseconds.
  expect(endOf([...new Array<number>(60).fill(0.01), 40])).toBeGreaterThan(39_900);
});

test('a call whose jumps become slow later, or that began with a short gap, ends on time', () => {
  let now = 0;
  const call = new Patience(2000, () => now);
  for (now = 0.001; now < 0.01; now += 0.001) expect(call.isOver()).toBe(false);
  while (!call.isOver()) now += 250;
  expect(now).toBeLessThan(2_600);
});

test('a call whose slow jumps hide among quick ones ends in any case', () => {
  expect(endOf([0.01, 250])).toBeLessThan(40_300);
});

test('a call whose first gap is long is not ended for it', () => {
  let now = 0;
  const call = new Patience(2000, () => now);
  now = 5000;
  expect(call.isOver()).toBe(false);
  for (let i = 0; i < 1000; i++, now += 0.01) expect(call.isOver()).toBe(false);
});

test('a clock that tells whole milliseconds ends it too', () => {
  expect(endOf([...new Array<number>(99).fill(0), 1])).toBe(2001);
});
