/** When a policy counts as diverged, which state is healthy, and what is proposed. */
import { describe, expect, test } from 'vitest';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { grownMembers, lowerRate, lowerRates } from '../../src/rl/measure/divergence';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { GradientWatch } from '../../src/rl/measure/nonFinite';
import { membersOf } from '../../src/rl/population';
import type { Snapshot } from '../../src/train/population/training';
import { DivergenceWatch } from '../../src/train/run/divergence';

const preset = parseExperiment(findPreset('gridworld-tiny')?.experiment);
const experiment = parseExperiment({ ...preset, arms: preset.arms.slice(0, 2), seeds: 1 });
const members = membersOf(experiment.arms, [0]);
const [first, second] = experiment.arms.map(({ id }) => id) as [string, string];

/** Snapshot whose weights are so many times those it began with, by member. */
function snapshot(update: number, ...growth: number[]): Snapshot {
  const reference = Float32Array.of(0.5, -0.5, 0.5, -0.5);
  const parameters = reference.map((value, i) => value * (growth[i >> 1] ?? 1));
  const tensors = { parameters, reference, firstMoment: parameters, secondMoment: parameters, step: parameters };
  return { update, members, timeline: [], tasks: [], successRates: [], tensors };
}

describe('a proposed rate', () => {
  test('is a tenth, or less where weights would still be decayed away', () => {
    expect(lowerRate(0.02, 0)).toBe(0.002);
    expect(lowerRate(1, 10)).toBe(0.01);
    expect(lowerRate(0.003, 0.01)).toBe(0.0003);
  });

  test('stands at the state that the run goes back to, and no change raises it before the divergence', () => {
    const change = (update: number, arm: string, value: number) => ({ update, arm, setting: 'learningRate', value });
    const run = { ...experiment, timeline: [change(3, '*', 0.5), change(7, first, 1), change(30, '*', 0.9)] };
    expect(lowerRates(run, [first], 5, 20)).toEqual([change(5, first, 0.1), change(7, first, 0.1)]);
    expect(lowerRates(run, [second], 5, 20)).toEqual([change(5, second, 0.05)]);
    // The rate was harmless at update 0.
    expect(lowerRates({ ...run, timeline: [change(7, first, 1)] }, [first], 0, 20)).toEqual([change(7, first, 0.1)]);
    expect(lowerRates(run, ['no such arm'], 5, 20)).toEqual([]);
  });
});

test('weights that grew tenfold or are not finite are not healthy', () => {
  const grown = (...growth: number[]) => [...grownMembers(experiment, members, snapshot(0, ...growth).tensors)];
  expect(grown(1, 9.9)).toEqual([]);
  expect(grown(11, 1)).toEqual([0]);
  expect(grown(1, Number.NaN)).toEqual([1]);
});

describe('a watch', () => {
  function watching() {
    const gradients = new GradientWatch(() => experiment);
    const watch = new DivergenceWatch(gradients, () => experiment);
    const measure = (update: number, ...norms: number[]) => {
      const row = new Float64Array(members.length * METRICS.length);
      norms.forEach((norm, i) => {
        row[i * METRICS.length + METRIC.gradNorm] = norm;
      });
      gradients.add(update, row, members);
      return watch.check(update, members);
    };
    return { watch, measure };
  }

  test('says a divergence after five updates, once, and leads back to the newest healthy state', () => {
    const { watch, measure } = watching();
    watch.consider(snapshot(0));
    for (let update = 0; update < 10; update++) measure(update, 1, 1);
    watch.consider(snapshot(10));
    for (let update = 10; update < 20; update++) measure(update, 1, 1);
    watch.consider(snapshot(20, 11));
    const found = Array.from({ length: 8 }, (_, i) => measure(20 + i, Number.NaN, 1));
    expect(found.map((one) => one !== null)).toEqual([false, false, false, false, true, false, false, false]);
    expect(watch.found).toMatchObject({ isAll: false, to: 10, members: [{ member: { arm: first }, update: 20 }] });
    // The other one is judged alone from now on, and the offered way back stays.
    watch.consider(snapshot(28, Number.NaN, 1));
    for (let update = 28; update < 33; update++) measure(update, Number.NaN, Number.NaN);
    expect(watch.found).toMatchObject({ isAll: true, to: 10 });
    expect(watch.found?.changes.map(({ arm }) => arm)).toEqual([first, second]);
    watch.wentBack();
    expect(watch.found).toBeNull();
  });

  test('says nothing of one bad batch, and takes no snapshot for healthy while a gradient is not finite', () => {
    const { watch, measure } = watching();
    for (let update = 0; update < 4; update++) measure(update, Number.NaN, 1);
    watch.consider(snapshot(4));
    expect(measure(4, 1, 1)).toBeNull();
    for (let update = 5; update < 9; update++) expect(measure(update, 1, Number.NaN)).toBeNull();
    expect(measure(9, 1, Number.NaN)).toMatchObject({ to: 0, snapshot: null });
  });

  test('a divergence that was left leads no further back when another follows', () => {
    const { watch, measure } = watching();
    watch.consider(snapshot(0));
    for (let update = 0; update < 5; update++) measure(update, Number.NaN, 1);
    watch.dismiss();
    watch.consider(snapshot(50, Number.NaN, 1));
    for (let update = 50; update < 55; update++) measure(update, Number.NaN, Number.NaN);
    expect(watch.found).toMatchObject({ to: 50, isAll: true });
  });
});
