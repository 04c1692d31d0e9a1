/** The archive of formulas and worlds over an IndexedDB in memory: what somebody wrote never goes for room. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTextArchive } from '../../src/storage/texts';
import { FORMULAS } from '../../src/store/desk/textShelf';
import { emptyStorage } from '../support/fakeStorage';

const MOST = 64;

beforeEach(emptyStorage);
afterEach(() => vi.restoreAllMocks());

test('beyond 64 a new text is refused and none is lost; one that is there is written over, and room is made by hand', async () => {
  const archive = await openTextArchive(FORMULAS);
  for (let i = 0; i < MOST; i++) await archive.put(`own-${i}`, 'loss = logp');
  // A clock that was set back makes the new one the oldest.
  vi.spyOn(Date, 'now').mockReturnValue(1);
  await expect(archive.put('another', 'loss = logp')).rejects.toMatchObject({
    code: 'storage',
    message: expect.stringMatching(/keeps 64 formulas already.*Remove one first, or save it as a file/),
  });
  expect((await archive.list()).map(({ name }) => name).sort()).toEqual(
    Array.from({ length: MOST }, (_, i) => `own-${i}`).sort(),
  );
  await archive.put('own-3', 'loss = -logp');
  await archive.remove('own-0');
  await archive.put('another', 'loss = entropy');
  const texts = new Map((await archive.list()).map(({ name, text }) => [name, text]));
  expect([texts.size, texts.get('own-3'), texts.get('another')]).toEqual([MOST, 'loss = -logp', 'loss = entropy']);
});
