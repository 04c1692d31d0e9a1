/** Ends of a run's threads: it goes on, rests for its world, or is over. */
import { expect, test } from 'vitest';
import { Endings } from '../../src/foundation/endings';
import { onPulse, pulse } from '../../src/foundation/pulse';

test('a run goes on after an end, and however many where it comes further between them', () => {
  const endings = new Endings();
  for (let update = 0; update < 20; update++) expect(endings.add({ update, call: 'step' })).toBe('again');
});

test('the same function of a world after the same update rests the run, another one does not', () => {
  const endings = new Endings();
  expect(endings.add({ update: 7, call: 'step' })).toBe('again');
  expect(endings.add({ update: 7, call: 'begin' })).toBe('again');
  expect(endings.add({ update: 7, call: 'begin' })).toBe('rest');
  endings.clear();
  expect(endings.add({ update: 7, call: 'begin' })).toBe('again');
});

test('outside of a world it is tried four times without an update between', () => {
  const endings = new Endings();
  const ends = Array.from({ length: 4 }, () => endings.add({ update: 3, call: null }));
  expect(ends).toEqual(['again', 'again', 'again', 'over']);
});

test('signs of life tell a function of a world before it runs, and are few otherwise', () => {
  const told: (string | null)[] = [];
  onPulse((call) => told.push(call));
  for (let i = 0; i < 1000; i++) pulse('step');
  for (let i = 0; i < 1000; i++) pulse();
  pulse('begin');
  onPulse(null);
  pulse('step');
  expect(told.filter((call, i) => call !== told[i - 1])).toEqual(['step', null, 'begin']);
  expect(told.length).toBeLessThan(20);
});
