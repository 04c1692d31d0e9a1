// The rules of findings: verdicts, their words, and the interval that judges a rerun.
import { describe, expect, it } from 'vitest';
import { deviation, gapSeen, permutationTest, quantileOf, welch } from '../../src/cli/findings/statistics';
import type { Side } from '../../src/experiment/findings/claim';
import { reproduced, sideOf, standingOf } from '../../src/experiment/findings/finding';
import { RandomStream, STREAM } from '../../src/foundation/philox';

const random = new RandomStream(0, STREAM.statistics, 7, 0, 0);
const uniform = (): number => (random.below(1_000_000) + 0.5) / 1_000_000;
const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
const many = (count: number, draw: () => number): number[] => Array.from({ length: count }, draw);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the verdict on a comparison', () => {
  const cases: [mean: number, low: number, high: number, p: number, side: Side][] = [
    [0.2, 0.1, 0.3, 0.01, 'above'],
    [-0.2, -0.3, -0.1, 0.01, 'below'],
    // Told apart, but less than what counts.
    [0.02, 0.01, 0.03, 0.01, 'alike'],
    [0.02, -0.02, 0.06, 0.4, 'undecided'],
    [0.2, -0.1, 0.5, 0.06, 'undecided'],
    [0, -0.04, 0.04, 1, 'alike'],
  ];
  it.each(cases)('a difference of %f, %f to %f, with p = %f: %s', (mean, low, high, corrected, side) => {
    expect(sideOf({ mean, low, high }, { corrected, least: 0.05, learned: 0.3 })).toBe(side);
    expect(sideOf({ mean, low, high }, { corrected, least: 0.05, learned: null })).toBe(side);
  });

  it('is alike only where something was learned that could differ', () => {
    const difference = { mean: 0.01, low: -0.01, high: 0.03 };
    expect(sideOf(difference, { corrected: 0.4, least: 0.05, learned: 0.04 })).toBe('floor');
    expect(sideOf(difference, { corrected: 0.4, least: 0.05, learned: 0.05 })).toBe('alike');
    expect(sideOf({ mean: 0.2, low: 0.1, high: 0.3 }, { corrected: 0.01, least: 0.05, learned: 0.04 })).toBe('above');
  });

  it('stands beside what was expected: undecided and floor contradict nothing', () => {
    expect(standingOf({ side: 'above', expected: 'above' })).toBe('supported');
    expect(standingOf({ side: 'alike', expected: 'above' })).toBe('contradicted');
    expect(standingOf({ side: 'below', expected: 'alike' })).toBe('contradicted');
    expect(standingOf({ side: 'undecided', expected: 'alike' })).toBe('not supported');
    expect(standingOf({ side: 'floor', expected: 'alike' })).toBe('not supported');
  });
});

describe('a rerun', () => {
  it.each([
    // 90% two-sided, from tables of Student's t.
    [3, 2.3534],
    [7, 1.8946],
    [15, 1.7531],
  ])('is judged by Student’s t: %i degrees of freedom', (freedom, t) => {
    expect(quantileOf(freedom, 0.1)).toBeCloseTo(t, 3);
  });

  /** Share of reruns of 4 seeds that fall into the interval from 8. */
  const coverage = (draw: () => number, rounds: number): number => {
    let inside = 0;
    for (let round = 0; round < rounds; round++) {
      const first = many(8, draw);
      const again = { comparison: 'a', mean: mean(first), deviation: deviation([first]), seeds: 8, quantile: 1.8946 };
      const rerun = reproduced(again, [0, 0, 0, 0], many(4, draw));
      if (rerun?.isInside) inside++;
    }
    return inside / rounds;
  };

  it('falls inside in nine of ten, if differences are normal', () => {
    // Four standard errors of 10,000 rounds.
    expect(Math.abs(coverage(normal, 10_000) - 0.9)).toBeLessThan(0.012);
  });

  it('and about so if they are not: even, or two kinds of seeds, those that took off and those that did not', () => {
    expect(Math.abs(coverage(uniform, 10_000) - 0.9)).toBeLessThan(0.02);
    const takesOff = (): number => (uniform() < 0.3 ? 0.4 : 0) + 0.05 * normal();
    const found = coverage(takesOff, 10_000);
    expect(found).toBeGreaterThan(0.84);
    expect(found).toBeLessThan(0.96);
  });

  it('has no verdict without a pair of seeds', () => {
    expect(reproduced({ comparison: 'a', mean: 0, deviation: 1, seeds: 8, quantile: 1.9 }, [], [1])).toBeNull();
  });
});

describe('what the seeds can see', () => {
  it('a gap that is told apart in four experiments of five', () => {
    // Unit spread: the gap from two samples with a deviation of exactly one.
    const unit = [-1, -1, -1, -1, 1, 1, 1, 1].map((value) => value * Math.sqrt(7 / 8));
    const gap = gapSeen(unit, unit);
    let seen = 0;
    const rounds = 400;
    for (let round = 0; round < rounds; round++) {
      const [first, second] = [many(8, normal), many(8, () => gap + normal())];
      const { low, high } = welch(first, second);
      if (low > 0 || high < 0) seen++;
    }
    // Four standard errors, and two hundredths for the approximation.
    expect(Math.abs(seen / rounds - 0.8)).toBeLessThan(0.1);
  });

  it('p is exact where all relabellings can be counted', () => {
    // All eight of one side below all eight of the other: two relabellings of 12,870 are as far.
    const low = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(
      permutationTest(
        low,
        low.map((value) => value + 8),
      ),
    ).toBeCloseTo(2 / 12_870, 12);
  });
});
