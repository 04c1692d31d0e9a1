/** Code that is loaded apart: once, again after a failure, and ahead of time, whatever fails on the way. */
import { expect, test, vi } from 'vitest';
import { apart, loadAhead, once } from '../../src/foundation/apart';

test('what arrives is loaded once for all who ask, also at the same time', async () => {
  const load = vi.fn(async () => ({}));
  const get = once(load);
  const [first, second] = await Promise.all([get(), get()]);
  expect(await get()).toBe(first);
  expect(second).toBe(first);
  expect(load).toHaveBeenCalledOnce();
});

test('what did not arrive is asked for again', async () => {
  const load = vi.fn(async () => 'there').mockRejectedValueOnce(new Error('offline'));
  const get = once(load);
  const both = await Promise.allSettled([get(), get()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await get()).toBe('there');
  expect(load).toHaveBeenCalledTimes(2);
});

test('parts are loaded one at a time while the page is idle, those that others name included, past any failure', async () => {
  const told: string[] = [];
  const part = (name: string, then: () => void = () => {}) =>
    apart(async () => {
      told.push(`${name} begins`);
      await Promise.resolve();
      told.push(`${name} ends`);
      then();
    });
  part('one', () => part('inner'));
  part('two', () => {
    throw new Error('offline');
  });
  const get = part('three');
  await loadAhead(async () => void told.push('idle'));
  const begun = (name: string) => ['idle', `${name} begins`, `${name} ends`];
  expect(told).toEqual(['one', 'two', 'three', 'inner'].flatMap(begun));
  await get();
  expect(told).toHaveLength(12);
});
