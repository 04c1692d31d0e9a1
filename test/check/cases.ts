/** Cases of another project's numbers, and what does not agree with them. */
import { readFileSync } from 'node:fs';
import { compare } from '../../src/check/compare';
import { type CheckedOutput, type Fixture, parseFixtures } from '../../src/check/format';

/** All cases of a file of test/fixtures, named without its ending. */
export const casesOf = (family: string): readonly Fixture[] =>
  parseFixtures(readFileSync(new URL(`../fixtures/${family}.json`, import.meta.url), 'utf8'));

/** Reasons for which a case is not met, in words; empty if it is. An output without numbers would be met by anything. */
export const reasonsOf = ({ name }: Fixture, comparisons: readonly CheckedOutput[]): string[] =>
  comparisons.flatMap((comparison) => {
    const { output, expected } = comparison;
    return expected.length === 0 ? [`${output} has no numbers`] : compare(name, comparison).reasons;
  });
