/** Runs that lie over one another have names that differ. */
import { expect, test } from 'vitest';
import { toldApart } from '../../src/ui/places/runs/runNames';

test('names alike are told apart by their updates, then by a number; others stay as they are', () => {
  const runs = [
    { name: 'shop', updates: 60 },
    { name: 'shop', updates: 6000 },
    { name: 'grid', updates: 60 },
    { name: 'shop', updates: 60 },
  ];
  expect(toldApart(runs)).toEqual(['shop, 60 updates (1)', 'shop, 6,000 updates', 'grid', 'shop, 60 updates (2)']);
  expect(toldApart(runs.slice(1))).toEqual(['shop, 6,000 updates', 'grid', 'shop, 60 updates']);
});
