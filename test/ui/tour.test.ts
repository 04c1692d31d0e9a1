// The tour's card: inside the window, and not over the element that it explains if any side has room.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canStandBeside, placeBeside, placeInCorner } from '../../src/ui/frame/tour/placeCard';
import { STEPS } from '../../src/ui/frame/tour/steps';

const CARD = { width: 336, height: 234 };
const ROOM = fc.record({ width: fc.integer({ min: 320, max: 2560 }), height: fc.integer({ min: 480, max: 1600 }) });
const TARGET = fc.record({
  left: fc.integer({ min: -100, max: 2500 }),
  top: fc.integer({ min: -100, max: 1500 }),
  width: fc.integer({ min: 10, max: 2000 }),
  height: fc.integer({ min: 10, max: 1200 }),
});

test('a card beside something lies in the window and does not touch it', () => {
  let placed = 0;
  fc.assert(
    fc.property(TARGET, ROOM, (target, room) => {
      const card = { ...CARD, width: Math.min(CARD.width, room.width - 32) };
      const place = placeBeside(target, card, room);
      if (place === null) return;
      placed++;
      expect(place.left).toBeGreaterThanOrEqual(0);
      expect(place.top).toBeGreaterThanOrEqual(0);
      expect(place.left + card.width).toBeLessThanOrEqual(room.width);
      expect(place.top + card.height).toBeLessThanOrEqual(room.height);
      const apart =
        place.left >= target.left + target.width ||
        place.left + card.width <= target.left ||
        place.top >= target.top + target.height ||
        place.top + card.height <= target.top;
      expect(apart).toBe(true);
    }),
    { seed: 7, numRuns: 500 },
  );
  expect(placed).toBeGreaterThan(100);
});

test('below is first, then the sides, then above; a window that is filled leaves the corner', () => {
  const room = { width: 1440, height: 860 };
  expect(placeBeside({ left: 24, top: 104, width: 832, height: 150 }, CARD, room)).toEqual({ left: 24, top: 266 });
  expect(placeBeside({ left: 24, top: 104, width: 832, height: 700 }, CARD, room)).toEqual({ left: 868, top: 104 });
  expect(placeBeside({ left: 880, top: 104, width: 544, height: 700 }, CARD, room)).toEqual({ left: 532, top: 104 });
  expect(placeBeside({ left: 24, top: 500, width: 1400, height: 300 }, CARD, room)).toEqual({ left: 24, top: 254 });
  const whole = { left: 0, top: 0, width: 1440, height: 860 };
  expect(placeBeside(whole, CARD, room)).toBeNull();
  expect(canStandBeside(whole, CARD, room)).toBe(false);
  expect(placeInCorner(CARD, room)).toEqual({ left: 1088, top: 610 });
});

test('the tour takes about two minutes to read aloud', () => {
  const words = STEPS.flatMap(({ title, text }) => `${title} ${text}`.split(' ')).length;
  // 150 words a minute.
  expect(words / 150).toBeGreaterThan(1);
  expect(words / 150).toBeLessThan(2.2);
});
