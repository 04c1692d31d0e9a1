/**
 * Tests that repeat at length what others show in short: `npm test` leaves them out, `npm run test:nightly` runs them, with
 * all others of their files. A test is nightly by `test.runIf(isNightly)`, most cases of a long list by `sampled`, or by
 * `sampledByName` where the list grows in its middle.
 */
import { crc32 } from '../../src/foundation/crc32';

export const isNightly = process.env.UNMASK_NIGHTLY === '1';

/** Every nth of the cases, always the same, so that a failure comes again; at night all of them. */
export const sampled = <T>(cases: readonly T[], n: number): readonly T[] =>
  isNightly ? cases : cases.filter((_, index) => index % n === 0);

/** One in n of the cases or so, by the checksums of their names: another case that comes changes nothing for those there. */
export const sampledByName = <T extends { readonly name: string }>(cases: readonly T[], n: number): readonly T[] =>
  isNightly ? cases : cases.filter(({ name }) => crc32(new TextEncoder().encode(name)) % n === n - 1);
