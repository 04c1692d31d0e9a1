// Aggregates against numbers found in other ways: by hand, from every possible resample, and by integrating Student's
// density.
import { describe, expect, it } from 'vitest';
import {
  compare,
  conclude,
  interquartileMean,
  probabilityOfImprovement,
  stratifiedBootstrap,
  summaryOf,
} from '../../src/experiment/conclude/comparison';
import { predictionInterval, summarise, unpairedDifference } from '../../src/experiment/conclude/statistics';

const repeat = (value: number, count: number) => Array.from({ length: count }, () => value);
const never = Number.POSITIVE_INFINITY;

/** Every possible resample: as many values, drawn with replacement. */
function everyResample(values: readonly number[]): number[][] {
  return values.reduce<number[][]>((drawn) => drawn.flatMap((one) => values.map((value) => [...one, value])), [[]]);
}

/** The smallest value with at least this share of the distribution at or below it. */
function exactQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] as number;
}

describe('the interquartile mean', () => {
  it('leaves out a quarter at each end, rounded down', () => {
    expect(interquartileMean([9, 1, 2, 8, 3, 7, 4, 6, 5, 0])).toBeCloseTo(4.5, 12);
    expect(interquartileMean([0, 0, 0.1, 0.2, 0.5, 0.9, 1, 1])).toBeCloseTo(0.425, 12);
    expect(interquartileMean([10, 0, 2, 3, 100])).toBeCloseTo(5, 12);
    expect(interquartileMean([1, 2, 6])).toBeCloseTo(3, 12);
    expect(interquartileMean([])).toBeNaN();
  });
});

describe('the probability of improvement', () => {
  it('counts the pairs that are won, ties half: 0.4 beats 0.2 and ties with 0.4, 0.7 beats both', () => {
    expect(probabilityOfImprovement([0.1, 0.4, 0.7], [0.2, 0.4])).toBeCloseTo(3.5 / 6, 12);
    expect(probabilityOfImprovement([1, 2], [3, 4])).toBe(0);
    expect(probabilityOfImprovement([5, 5, 5], [5, 5])).toBe(0.5);
    expect(probabilityOfImprovement([never, 100], [never, 200])).toBeCloseTo(1.5 / 4, 12);
  });
});

describe('the stratified bootstrap', () => {
  it('finds the quantiles of all 3125 resamples of five values', () => {
    const values = [0, 1, 3, 7, 20];
    const mean = (sample: ArrayLike<number>) => Array.from(sample).reduce((sum, value) => sum + value, 0) / 5;
    const every = everyResample(values).map(mean);
    const [low, high] = stratifiedBootstrap([values], mean);
    // 2000 resamples: a quantile's share has a standard error of 0.0035, so three of them to either side.
    expect(low).toBeGreaterThanOrEqual(exactQuantile(every, 0.025 - 0.0105));
    expect(low).toBeLessThanOrEqual(exactQuantile(every, 0.025 + 0.0105));
    expect(high).toBeGreaterThanOrEqual(exactQuantile(every, 0.975 - 0.0105));
    expect(high).toBeLessThanOrEqual(exactQuantile(every, 0.975 + 0.0105));
  });

  it('draws the strata apart: all 27 × 256 pairs of resamples for a chance of 7.5 in 12', () => {
    const [ours, theirs] = [
      [0.2, 0.5, 0.9],
      [0.1, 0.3, 0.5, 0.8],
    ];
    const every = everyResample(ours).flatMap((a) => everyResample(theirs).map((b) => probabilityOfImprovement(a, b)));
    const [low, high] = stratifiedBootstrap([ours, theirs], probabilityOfImprovement);
    expect(probabilityOfImprovement(ours, theirs)).toBeCloseTo(7.5 / 12, 12);
    expect(low).toBeGreaterThanOrEqual(exactQuantile(every, 0.025 - 0.0105));
    expect(low).toBeLessThanOrEqual(exactQuantile(every, 0.025 + 0.0105));
    expect(high).toBeGreaterThanOrEqual(exactQuantile(every, 0.975 - 0.0105));
    expect(high).toBeLessThanOrEqual(exactQuantile(every, 0.975 + 0.0105));
    // If both arms were resampled by the same draws, the difference of two equal arms would always be 0.
    const [least, most] = stratifiedBootstrap([ours, ours], (a, b) => (a[0] as number) - (b[0] as number));
    expect(least).toBeLessThan(0);
    expect(most).toBeGreaterThan(0);
  });

  it('gives the same interval every time', () => {
    const values = [0.1, 0.9, 0.4, 0.3, 0.8, 0.2, 0.6, 0.5];
    expect(stratifiedBootstrap([values], interquartileMean)).toEqual(stratifiedBootstrap([values], interquartileMean));
  });
});

describe('the prediction interval', () => {
  it('of 1, 2, 3, 4 for four more is 2.5 ± 3.182446 · 1.290994 · √(1/4 + 1/4)', () => {
    const [low, high] = predictionInterval([1, 2, 3, 4], 4) ?? [0, 0];
    expect(high - 2.5).toBeCloseTo(2.905163, 5);
    expect(2.5 - low).toBeCloseTo(2.905163, 5);
    expect(predictionInterval([1], 4)).toBeNull();
  });

  it('uses the quantiles of Student’s t: 95% of its density lies between them, at every size', () => {
    for (let seeds = 2; seeds <= 32; seeds++) {
      // Half of the values are −1 and half 1 (and one 0): for very many further seeds the interval is ± t · s / √n.
      const values = Array.from({ length: seeds }, (_, i) => (2 * i < seeds - 1 ? -1 : 2 * i > seeds - 1 ? 1 : 0));
      const [low, high] = predictionInterval(values, 1e15) ?? [0, 0];
      const deviation = Math.sqrt(values.reduce<number>((sum, value) => sum + value * value, 0) / (seeds - 1));
      expect(studentMass(((high - low) / 2 / deviation) * Math.sqrt(seeds), seeds - 1), `${seeds}`).toBeCloseTo(
        0.95,
        6,
      );
    }
  });
});

/** Mass of Student's t between −t and t by Simpson's rule in θ, where x = √ν tan θ makes the density cos^(ν − 1) θ. */
function studentMass(t: number, degrees: number): number {
  const integral = (end: number) => {
    const parts = 4000;
    const at = (i: number) => Math.cos((i * end) / parts) ** (degrees - 1);
    let sum = at(0) + at(parts);
    for (let i = 1; i < parts; i++) sum += (i % 2 === 1 ? 4 : 2) * at(i);
    return (sum * end) / parts / 3;
  };
  return integral(Math.atan(t / Math.sqrt(degrees))) / integral(Math.PI / 2);
}

describe('the summary of one curve', () => {
  const curve = [...repeat(0, 30), ...repeat(1, 30)];

  it('is of as many updates as all curves have', () => {
    expect(summaryOf(curve, 'area', 60)).toBeCloseTo(0.5, 12);
    expect(summaryOf(curve, 'area', 40)).toBeCloseTo(0.25, 12);
    expect(summaryOf(curve, 'final', 40)).toBeCloseTo(0.5, 12);
  });

  it('never reaching a level is Infinity, never measured is NaN', () => {
    expect(summaryOf(curve, 'to50', 60)).toBe(34);
    expect(summaryOf(curve, 'to80', 30)).toBe(never);
    expect(summaryOf([], 'to80', 30)).toBeNaN();
    expect(summaryOf([Number.NaN], 'area', 30)).toBeNaN();
  });
});

describe('an arm against the baseline', () => {
  it('is compared seed by seed, and by chance', () => {
    const { difference, improvement, mean, iqm } = compare([0.3, 0.5, 0.7], [0.2, 0.4, 0.6], false);
    expect(mean).toEqual(summarise([0.3, 0.5, 0.7]));
    expect(difference?.mean).toBeCloseTo(0.1, 12);
    expect(improvement).toEqual({ probability: 6 / 9, interval: null });
    expect(iqm).toEqual({ value: expect.closeTo(0.5, 12), interval: null });
  });

  it('is better where less is better and it is less', () => {
    const faster = compare([10, 11, 12], [30, 33, 36], true);
    expect(faster.improvement?.probability).toBe(1);
    expect(conclude(faster, true)).toBe('better');
    expect(conclude(faster, false)).toBe('worse');
  });

  it('with a seed that never arrived has no mean and no difference, but a chance, and an interquartile mean if it may', () => {
    const slow = compare([50, never, 70, 60], [40, 45, 50, 55], true);
    expect(slow).toMatchObject({ seeds: 4, reached: 3, mean: { mean: null }, difference: { mean: null, seeds: 4 } });
    expect(slow.iqm.value).toBeCloseTo(65, 12);
    // Of 16 pairs, 50 beats 55 and ties with 50.
    expect(slow.improvement?.probability).toBeCloseTo(1.5 / 16, 12);
    expect(conclude(slow, true)).toBe('unreached');
    expect(compare([never, never, 70, 60], [40, 45, 50, 55], true).iqm.value).toBeNull();
  });

  it('says when there is not enough to tell', () => {
    expect(conclude(compare([0.9], [0.1], false), false)).toBe('too-few-seeds');
    expect(conclude(compare([0.9, 0.1], [0.1, 0.2], false), false)).toBe('undecided');
    // An interval of width 0 from so few seeds is chance; from more seeds it is not.
    expect(conclude(compare([0.3, 0.7], [0.2, 0.6], false), false)).toBe('undecided');
    expect(conclude(compare([1, 1, 1, 1], [0, 0, 0, 0], false), false)).toBe('better');
    expect(conclude(compare([Number.NaN], [0.1], false), false)).toBe('no-pairs');
    expect(conclude(compare([0.1], null, false), false)).toBe('baseline');
  });

  it('has intervals of the bootstrapped aggregates from 8 seeds on', () => {
    const ours = [0.5, 0.6, 0.7, 0.8, 0.9, 0.55, 0.65, 0.75];
    const theirs = ours.map((value) => value - 0.2);
    const { iqm, improvement } = compare(ours, theirs, false);
    expect(iqm.interval).toEqual(stratifiedBootstrap([ours], interquartileMean));
    const [low, high] = improvement?.interval ?? [0, 0];
    expect(low).toBeLessThan(improvement?.probability ?? 0);
    expect(high).toBeGreaterThan(improvement?.probability ?? 1);
    expect(compare(ours.slice(1), theirs.slice(1), false).improvement?.interval).toBeNull();
  });
});

describe('the difference of runs that share no seeds', () => {
  // scipy.stats.ttest_ind(second, first, equal_var=False).confidence_interval(0.95), scipy 1.17.1.
  it.each([
    [[0.1, 0.14, 0.12], [0.3, 0.42, 0.35, 0.41], 0.25, 0.1654066, 0.3345934],
    [[0.1, 0.2], [0.5, 0.9, 0.7, 0.4, 0.6], 0.47, 0.2128981, 0.7271019],
  ])('is Welch’s: %j and %j', (first, second, mean, low, high) => {
    const { interval, ...rest } = unpairedDifference(first, second);
    expect(rest).toEqual({ seeds: first.length, mean: expect.closeTo(mean, 9), method: 'student' });
    const [below, above] = interval ?? [Number.NaN, Number.NaN];
    // The interpolated quantile is never too small: intervals are a little wider, never narrower.
    const [theirs, ours] = [(high - low) / 2, (above - below) / 2];
    expect(ours).toBeGreaterThanOrEqual(theirs - 1e-6);
    expect(ours).toBeLessThan(1.01 * theirs);
    expect((above + below) / 2).toBeCloseTo(mean, 9);
  });

  it('is the bootstrap of each apart from 8 seeds on', () => {
    const first = [0.1, 0.14, 0.12, 0.2, 0.3, 0.25, 0.18, 0.22];
    const second = [0.5, 0.9, 0.7, 0.4, 0.6, 0.55, 0.65, 0.8, 0.45];
    const { seeds, mean, interval, method } = unpairedDifference(first, second);
    expect([seeds, method]).toEqual([8, 'bootstrap']);
    expect(mean).toBeCloseTo(0.4279167, 6);
    // numpy: 200,000 draws of each with default_rng(0), quantile(second.mean(1) - first.mean(1), [.025, .975]).
    // Of 2000 resamples such a quantile has a standard error of 0.0034: three of them.
    expect(Math.abs((interval?.[0] ?? 0) - 0.3208)).toBeLessThan(0.0102);
    expect(Math.abs((interval?.[1] ?? 0) - 0.5399)).toBeLessThan(0.0102);
  });

  it('of constants is a constant, and of single seeds has no interval', () => {
    expect(unpairedDifference([1, 1], [3, 3])).toMatchObject({ mean: 2, interval: [2, 2] });
    expect(unpairedDifference([1], [3, 4])).toMatchObject({ seeds: 1, mean: 2.5, interval: null });
    expect(unpairedDifference([], [3])).toMatchObject({ seeds: 0, mean: null });
  });

  it('is what a comparison gives where seeds are not paired, and says so; none where a seed never arrived', () => {
    const apart = compare([0.3, 0.42, 0.35, 0.41], [0.1, 0.14, 0.12], false, false);
    expect(apart.paired).toBe(false);
    expect(apart.difference).toEqual(unpairedDifference([0.1, 0.14, 0.12], [0.3, 0.42, 0.35, 0.41]));
    expect(conclude(apart, false)).toBe('better');
    const late = compare([10, never], [20, 30], true, false);
    expect(late.difference?.mean).toBeNull();
    expect(conclude(late, true)).toBe('unreached');
  });
});
