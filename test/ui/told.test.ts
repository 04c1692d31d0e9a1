/** The light that is explained: a press holds it in place, whatever the pointer passes over meanwhile. */
import { expect, test } from 'vitest';
import { type LightExplanation, toldAfter } from '../../src/ui/places/understand/why/health/told';

const none: LightExplanation = { light: null, telling: 'none' };

test('pointing tells in passing, one light at a time', () => {
  const first = toldAfter(none, 'a', 'passing');
  expect(toldAfter(first, 'b', 'passing')).toEqual({ light: 'b', telling: 'passing' });
  expect(toldAfter(first, 'a', 'none')).toEqual(none);
  expect(toldAfter(first, 'b', 'none')).toBe(first);
});

test('what is held stays, until it is closed or another is pressed', () => {
  const held = toldAfter(toldAfter(none, 'a', 'passing'), 'a', 'held');
  expect(held).toEqual({ light: 'a', telling: 'held' });
  expect(toldAfter(held, 'b', 'passing')).toBe(held);
  expect(toldAfter(held, 'a', 'passing')).toBe(held);
  expect(toldAfter(held, 'b', 'held')).toEqual({ light: 'b', telling: 'held' });
  expect(toldAfter(held, 'a', 'none')).toEqual(none);
});
