/** Faults in their short form; `npm run faults` injects them more often. */
import { expect, test } from 'vitest';
import { injectAll } from './fault';
import { FAULTS } from './registry';

test('every fault has a name of its own', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});

test.for(FAULTS)('$name: nothing is lost', async (fault, { skip }) => {
  const why = fault.missing?.() ?? null;
  if (why !== null) skip(why);
  const count = await fault.times.short();
  expect(count).toBeGreaterThan(0);
  expect((await injectAll(fault, count)).lost).toEqual([]);
});
