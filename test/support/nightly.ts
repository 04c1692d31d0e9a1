/**
 * Tests that repeat at length what others show in short: `npm test` leaves them out, `npm run test:nightly` runs them, with
 * all others of their files. A test is nightly by `test.runIf(isNightly)`, most cases of a long list by `sampled`.
 */
export const isNightly = process.env.UNMASK_NIGHTLY === '1';

/** Every nth of the cases, always the same, so that a failure comes again; at night all of them. */
export const sampled = <T>(cases: readonly T[], n: number): readonly T[] =>
  isNightly ? cases : cases.filter((_, index) => index % n === 0);
