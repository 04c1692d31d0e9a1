/** A watch gives a thread up that is silent for longer than its speed explains, and never one that only works, waits or slept. */
import { expect, test } from 'vitest';
import { ThreadWatch } from '../../src/foundation/watch';
import { ManualClock } from '../support/manualClock';

function watching() {
  const clock = new ManualClock();
  const told: string[] = [];
  const watch = new ThreadWatch(
    { ask: () => told.push('asked'), silent: (seconds) => told.push(`silent for ${seconds}`) },
    clock,
  );
  watch.expect();
  return { clock, told, watch };
}

test('a silent thread is asked once and given up when it does not answer for as long again', () => {
  const { clock, told } = watching();
  clock.pass(20);
  expect(told).toEqual([]);
  clock.pass(2);
  expect(told).toEqual(['asked']);
  clock.pass(19);
  expect(told).toEqual(['asked']);
  clock.pass(3);
  expect(told).toEqual(['asked', 'silent for 42']);
  clock.pass(1000);
  expect(told).toHaveLength(2);
  expect(clock.running).toBe(0);
});

test('a thread that says something now and then, or answers whenever it is asked, is never given up', () => {
  const { clock, told, watch } = watching();
  for (let i = 0; i < 50; i++) {
    clock.pass(15);
    watch.heard();
  }
  expect(told).toEqual([]);
  // It waits for a device that compiles for twenty minutes.
  for (let i = 0; i < 1200; i++) {
    clock.pass(1);
    if (told.length > 0 && told.pop() === 'asked') watch.answered();
  }
  expect(told).toEqual([]);
});

test('a thread that took long before is given four times as long, and one that only answered is not', () => {
  const { clock, told, watch } = watching();
  clock.pass(30);
  expect(told).toEqual(['asked']);
  watch.heard();
  clock.pass(115);
  expect(told).toEqual(['asked']);
  clock.pass(10);
  expect(told).toEqual(['asked', 'asked']);
  const other = watching();
  other.clock.pass(30);
  other.watch.answered();
  other.clock.pass(22);
  expect(other.told).toEqual(['asked', 'asked']);
});

test('a watcher that slept, or whose timers are slowed down, waits from then on', () => {
  const { clock, told, watch } = watching();
  clock.pass(19);
  clock.sleep(8 * 3600);
  clock.pass(20);
  expect(told).toEqual([]);
  clock.pass(2);
  expect(told).toEqual(['asked']);
  clock.sleep(60);
  clock.pass(19);
  expect(told).toEqual(['asked']);
  // A hidden tab: one tick a minute.
  for (let i = 0; i < 100; i++) clock.sleep(60);
  expect(told).toEqual(['asked']);
  watch.rest();
  clock.pass(100);
  expect(told).toEqual(['asked']);
});

test('nothing is watched that owes no word', () => {
  const { clock, told, watch } = watching();
  watch.rest();
  clock.pass(1000);
  watch.expect();
  clock.pass(15);
  watch.expect();
  clock.pass(8);
  expect(told).toEqual(['asked']);
});
