/** The checksums are that of PNG and zip, and that of TFRecord. */
import { expect, test } from 'vitest';
import { crc32, crc32c } from '../../src/foundation/crc32';

test('each is the published one, of a whole and of its parts', () => {
  const digits = new TextEncoder().encode('123456789');
  // The check value that catalogues of CRCs give.
  expect(crc32(digits)).toBe(0xcbf43926);
  expect(crc32(digits.subarray(4), crc32(digits.subarray(0, 4)))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array())).toBe(0);
  expect(crc32c(digits.subarray(4), crc32c(digits.subarray(0, 4)))).toBe(0xe3069283);
});
