/** Comparisons in words: possible numbers only, and no more than the seeds support. */
import { describe, expect, test } from 'vitest';
import { compare, type Summary } from '../../src/experiment/conclude/comparison';
import {
  conclusion,
  differenceInWords,
  improvementInWords,
  meanInWords,
} from '../../src/ui/places/understand/sure/compare/comparisonWords';
import { MEASURES, type Measure, scaleOf } from '../../src/ui/places/understand/sure/compare/measures';

const never = Number.POSITIVE_INFINITY;
const scale = (metric: string, summary: Summary = 'area') =>
  scaleOf(MEASURES.find((measure) => measure.metric === metric) as Measure, summary);
const success = scale('successRate');

describe('an interval of few seeds', () => {
  test('ends where its numbers end', () => {
    // Student’s t of three seeds: 0.4 ± 0.9.
    const three = [0, 0.4, 0.8];
    expect(meanInWords(compare(three, null, false), success)).toEqual({ value: '40%', about: '(0% to 100%)' });
    expect(meanInWords(compare([3, 6, 9], null, true), scale('successRate', 'to50')).about).toBe('(0 to 13)');
    expect(meanInWords(compare(three, null, true), scale('observationCrossEntropy')).about).toBe('(0.00 to 1.39)');
  });

  test('of two, or of three that are alike, is none: that is chance', () => {
    expect(meanInWords(compare([0.3, 0.4], null, false), success)).toEqual({
      value: '35%',
      about: '2 seeds: no interval',
    });
    const { about } = differenceInWords(compare([0.5, 0.5, 0.5], [0.25, 0.25, 0.25], false), success);
    expect(about).toBe('3 pairs: no interval');
  });

  test('is told whole where they have no end, and within all possible differences where it is of one', () => {
    expect(meanInWords(compare([0, 0.4, 0.8], null, false), scale('return')).about).toBe('(−0.59 to 1.39)');
    const { about } = differenceInWords(compare([0, 0.4, 0.8], [0.8, 0.4, 0], false), success);
    expect(about).toBe('(−100.0 to +100.0)');
  });
});

test('a chance of few seeds says that it has no interval: 1.00 of four is no certainty', () => {
  expect(improvementInWords(compare([0.5, 0.6, 0.7, 0.8], [0.1, 0.2, 0.3, 0.4], false))).toEqual({
    value: '1.00',
    about: '4 seeds: no interval',
  });
});

describe('what follows', () => {
  const says = (ours: readonly number[], theirs: readonly number[]) =>
    conclusion(compare(ours, theirs, true), 'the mask', scale('successRate', 'to50'));

  test('is said of seeds that never got there', () => {
    expect(says([never, never], [never, never])).toBe('no seed got there, and none of the mask did');
    expect(says([never, never], [never, 30])).toMatch(/^some seeds never got there/);
    expect(says([20, never], [40, 30])).toMatch(/^some seeds never got there/);
  });
});
