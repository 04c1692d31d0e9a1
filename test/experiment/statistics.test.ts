import { describe, expect, it } from 'vitest';
import {
  areaUnderCurve,
  final,
  finalUpdatesWords,
  pairedDifference,
  probabilityInterval,
  summarise,
  updatesTo,
} from '../../src/experiment/conclude/statistics';

const repeat = (value: number, count: number) => Array.from({ length: count }, () => value);

describe('the interval over seeds', () => {
  it('is Student’s t below 8 seeds: 1, 2, 3, 4 give 2.5 ± 3.182446 · 1.290994 / 2', () => {
    const { seeds, mean, interval, method } = summarise([1, 2, 3, 4]);
    expect({ seeds, mean, method }).toEqual({ seeds: 4, mean: 2.5, method: 'student' });
    expect(interval?.[0]).toBeCloseTo(2.5 - 2.05426, 5);
    expect(interval?.[1]).toBeCloseTo(2.5 + 2.05426, 5);
  });

  it('is wide for two seeds: 0 and 1 give 0.5 ± 12.7062 / 2', () => {
    expect(summarise([0, 1]).interval?.[1]).toBeCloseTo(0.5 + 6.353102, 5);
  });

  it('does not exist for one seed or none', () => {
    expect(summarise([0.7])).toEqual({ seeds: 1, mean: 0.7, interval: null, method: 'none' });
    expect(summarise([])).toEqual({ seeds: 0, mean: null, interval: null, method: 'none' });
  });

  it('leaves out what is undefined', () => {
    expect(summarise([1, Number.NaN, 3, null, Number.POSITIVE_INFINITY])).toEqual(summarise([1, 3]));
    expect(summarise(Float32Array.of(1, Number.NaN, 3)).seeds).toBe(2);
  });

  it('is the bootstrap from 8 seeds, and the same every time', () => {
    const values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
    const { mean, interval, method } = summarise(values);
    const [low, high] = interval ?? [0, 0];
    expect(method).toBe('bootstrap');
    expect(mean).toBeCloseTo(0.45, 12);
    // The bootstrap's standard error is √(0.0525 / 8) = 0.0810, so about ±0.158.
    expect(low).toBeCloseTo(0.45 - 0.158, 1.5);
    expect(high).toBeCloseTo(0.45 + 0.158, 1.5);
    expect(summarise(values)).toEqual(summarise(values));
  });

  it('never leaves the range of the seeds when bootstrapped', () => {
    const { interval } = summarise([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(interval?.[0]).toBeGreaterThanOrEqual(0);
    expect(interval?.[1]).toBeLessThanOrEqual(1);
    expect(summarise(repeat(0.3, 8)).interval?.[0]).toBeCloseTo(0.3, 12);
  });

  it('covers the mean of a known distribution about as often as it says', () => {
    // 400 samples of 5 standard normals, from a fixed recurrence through the normal's quantiles: 95% ± 3 standard errors.
    let state = 12345;
    const unit = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state + 0.5) / 2 ** 32;
    };
    const normal = () => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit());
    let covered = 0;
    for (let sample = 0; sample < 400; sample++) {
      const [low, high] = summarise(Array.from({ length: 5 }, normal)).interval ?? [1, 1];
      if (low <= 0 && high >= 0) covered++;
    }
    expect(covered / 400).toBeGreaterThan(0.95 - 0.033);
    expect(covered / 400).toBeLessThan(0.95 + 0.033);
  });
});

describe('a comparison', () => {
  it('is paired by seed: what all seeds share falls out', () => {
    const { mean, interval } = pairedDifference([0.1, 0.5, 0.9], [0.2, 0.6, 1]);
    expect(mean).toBeCloseTo(0.1, 12);
    expect(interval?.[0]).toBeCloseTo(0.1, 12);
    expect(interval?.[1]).toBeCloseTo(0.1, 12);
  });

  it('counts only seeds that both have', () => {
    expect(pairedDifference([1, Number.NaN, 3, 4], [2, 2, 5])).toEqual(summarise([1, 2]));
  });
});

describe('the summary of a curve', () => {
  it('is its mean over all updates, and over the last 20', () => {
    const curve = [...repeat(0, 30), ...repeat(0.5, 10), ...repeat(1, 10)];
    expect(areaUnderCurve(curve)).toBeCloseTo(0.3, 12);
    expect(final(curve)).toBeCloseTo(0.75, 12);
    expect(final([0.2, 0.4])).toBeCloseTo(0.3, 12);
    expect(areaUnderCurve([])).toBeNull();
    expect(final([Number.NaN, null])).toBeNull();
    expect([10, 20, 21].map(finalUpdatesWords)).toEqual(['all updates', 'all updates', 'last 20 updates']);
  });

  it('finds the first update whose mean with the nine before it reaches a level', () => {
    const curve = [...repeat(0, 10), ...repeat(1, 20)];
    expect(updatesTo(curve, 0.5)).toBe(14);
    expect(updatesTo(curve, 1)).toBe(19);
    expect(updatesTo(repeat(0.8, 10), 0.8)).toBe(9);
    expect(updatesTo(repeat(0.8, 9), 0.8)).toBeNull();
    expect(updatesTo(curve, 1.1)).toBeNull();
  });

  it('is not taken in by one lucky update, nor by missing ones', () => {
    expect(updatesTo([...repeat(0, 10), 1, ...repeat(0, 10)], 0.5)).toBeNull();
    expect(updatesTo([...repeat(Number.NaN, 9), ...repeat(1, 10)], 1)).toBe(18);
  });
});

describe('the interval of a probability', () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i successes in %i trials', (successes, trials, low, high) => {
    const [from, to] = probabilityInterval(successes, trials);
    expect(from).toBeCloseTo(low, 4);
    expect(to).toBeCloseTo(high, 4);
  });
});
