/** Comparison of an output with a case's expectation. */
import type { CheckedOutput } from './format';

/** Largest difference found: `error` absolute, `share` as a part of the allowed one. */
export interface LargestDifference {
  readonly case: string;
  readonly output: string;
  readonly error: number;
  readonly share: number;
}

/** The difference with the greater share. */
export const worse = (a: LargestDifference | null, b: LargestDifference | null): LargestDifference | null =>
  a === null || (b !== null && b.share > a.share) ? b : a;

/** Largest number of wrong elements that are reported one by one; further ones are counted. */
const NAMED = 3;

/** Errors of an output: the first elements that are wrong, and the number of the others. Also its largest difference. */
export function compare(
  name: string,
  comparison: CheckedOutput,
): { reasons: string[]; worst: LargestDifference | null } {
  const { output, got, expected, atol, rtol, exactZeros = false } = comparison;
  if (got.length !== expected.length) {
    return { reasons: [`${output} has ${got.length} numbers, expected are ${expected.length}`], worst: null };
  }
  const wrong: string[] = [];
  let worst: LargestDifference | null = null;
  for (let i = 0; i < expected.length; i++) {
    const [value, want] = [got[i], expected[i]];
    if (Object.is(value, want) || value === want) continue;
    const error = Math.abs(value - want);
    const allowed = exactZeros && want === 0 ? 0 : atol + rtol * Math.abs(want);
    // A difference that is NaN or infinite has no share.
    if (Number.isFinite(error)) worst = worse(worst, { case: name, output, error, share: error / allowed });
    if (!(error <= allowed) || !Number.isFinite(want)) {
      wrong.push(`${output}[${i}] is ${value}, expected ${want} ± ${allowed.toExponential(1)}`);
    }
  }
  const more = wrong.length - NAMED;
  return { reasons: more > 0 ? [...wrong.slice(0, NAMED), `${more} more of ${output}`] : wrong, worst };
}
