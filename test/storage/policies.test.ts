/** The archive of policies’ files over an IndexedDB in memory. */
import { beforeEach, expect, test } from 'vitest';
import { openPolicyArchive } from '../../src/storage/policies';
import { emptyStorage, putForeign } from '../support/fakeStorage';

const HASH = 'a1b2'.repeat(16);
const OTHER = 'c3d4'.repeat(16);

beforeEach(emptyStorage);

test('a file comes back under its hash; what others wrote beside it is not listed, and no file', async () => {
  const archive = await openPolicyArchive();
  await archive.put(HASH, new File(['weights'], 'mine.onnx'));
  await putForeign('unmask-policies', 'policies', { sha256: OTHER, name: {}, bytes: 7, date: 1 });
  await putForeign('unmask-policies', 'policies', { sha256: 'ab'.repeat(32), name: 'x', bytes: 1e300, date: 1 });
  await putForeign('unmask-policies', 'policies', { sha256: 'short', name: 'x', bytes: 7, date: 1 });
  expect(await archive.list()).toMatchObject([{ sha256: HASH, name: 'mine.onnx', bytes: 7 }]);
  expect(await (await archive.get(HASH))?.text()).toBe('weights');
  expect(await archive.get(OTHER)).toBeNull();
  await putForeign('unmask-policies', 'files', 'no file', HASH);
  expect(await archive.get(HASH)).toBeNull();
});
