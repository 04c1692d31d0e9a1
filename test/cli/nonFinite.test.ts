/** Policies whose training diverged: since when, and why in words. */
import { expect, test } from 'vitest';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { brokenMembers, findNonFinite, GradientWatch, nonFiniteWords } from '../../src/rl/measure/nonFinite';
import { membersOf } from '../../src/rl/population';

const preset = findPreset('gridworld-tiny')?.experiment;
const experiment = parseExperiment({
  ...preset,
  arms: preset?.arms.map((arm) => ({ ...arm, learningRate: 1, weightDecay: 10 })),
  timeline: [{ update: 4, arm: '*', setting: 'weightDecay', value: 0 }],
});
const members = membersOf(experiment.arms, [0, 1]);
const [member] = members as [(typeof members)[0]];
const causeOf = (norms: (number | null)[]) => findNonFinite(norms, experiment, member, false);

test('the cause names how the norm grew, and the settings of that update', () => {
  expect(causeOf([0.5, 40, 3e7, null, null])).toEqual({
    what: 'gradient',
    update: 3,
    cause:
      'gradient norm passed 10000000 at update 2; learning rate 1 with weight decay 10, which multiplies weights by -9 at each step',
  });
  expect(causeOf([0.5, 40, 3e21, 1e20, null])?.cause).toBe('gradient norm passed 1e+21 at update 2; learning rate 1');
  expect(causeOf([0.51, 0.7, 0, 0.2, null])?.cause).toBe('the gradient norm was about 0.51 before; learning rate 1');
  expect(causeOf([null])?.cause).toBe('so from the first update on, which no learning rate causes');
});

test('a gradient that is finite again is no such state', () => {
  expect(causeOf([1, null, null, 1])).toBeNull();
  expect(causeOf([])).toBeNull();
  expect(causeOf([null, 1, null])).toMatchObject({ update: 2 });
});

test('a fixed policy has no gradient, and that is no such state', () => {
  const fixed = { ...experiment, arms: experiment.arms.map((arm) => ({ ...arm, fixedPolicy: 'a'.repeat(64) })) };
  expect(findNonFinite([null, null], fixed, member, false)).toBeNull();
  expect(brokenMembers(fixed, members, new Float32Array())).toEqual(new Set());
});

test('parameters count too: those of members that train, row by row', () => {
  const parameters = new Float32Array(3 * members.length);
  expect(brokenMembers(experiment, members, parameters)).toEqual(new Set());
  parameters[3 * 2 + 1] = Number.POSITIVE_INFINITY;
  expect(brokenMembers(experiment, members, parameters)).toEqual(new Set([2]));
  const found = findNonFinite([1, 1], experiment, member, true);
  expect(found).toMatchObject({ what: 'parameters', update: 2 });
  expect(nonFiniteWords('a seed 0', found as never)).toMatch(/^a seed 0: parameters are not finite since update 2 \(/);
});

test('a run under way is told of each member once, also of updates that come again', () => {
  const watch = new GradientWatch(() => experiment);
  const row = (norm: number) =>
    new Float64Array(members.length * METRICS.length).fill(1).fill(norm, METRIC.gradNorm, METRIC.gradNorm + 1);
  expect(watch.add(0, row(1), members)).toEqual([]);
  expect(watch.add(1, row(Number.NaN), members)).toMatchObject([{ member, what: 'gradient', update: 1 }]);
  expect(watch.add(1, row(Number.NaN), members)).toEqual([]);
  expect(watch.add(2, row(Number.POSITIVE_INFINITY), members)).toEqual([]);
});
