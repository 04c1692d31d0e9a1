/** Numbers of an arm's seeds in a comparison. A fixed policy has no updates to a level, because it learned nothing. */
import { expect, test } from 'vitest';
import { firstPreset } from '../../src/experiment/presets/presets';
import { MetricHistory } from '../../src/measured/history';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { membersOf } from '../../src/rl/population';
import { contendersOf, summariesOfSeeds } from '../../src/store/look/contenders';
import { buildResult } from '../../src/train/result/result';

const UPDATES = 12;
const { experiment: preset } = firstPreset;
const arms = preset.arms.slice(0, 2).map((arm, index) => ({ ...arm, fixedPolicy: index === 1 ? 'ab'.repeat(32) : '' }));
const experiment = { ...preset, arms, seeds: 1, updates: UPDATES };
const values = new Float32Array(UPDATES * arms.length * METRICS.length).fill(Number.NaN);
for (let row = 0; row < UPDATES * arms.length; row++) values[row * METRICS.length + METRIC.successRate] = 0.75;

test('in the page: the level is reached by what learned, and the area is both arms’', () => {
  const history = new MetricHistory(arms.length, 1);
  history.append(0, UPDATES, arms.length, values);
  const contenders = contendersOf([{ id: 0, experiment, history, label: '' }]);
  expect(contenders.map(({ isFixed }) => isFixed)).toEqual([false, true]);
  const of = (summary: 'to50' | 'area') =>
    contenders.map((one) => summariesOfSeeds(one, 'successRate', summary, UPDATES)[0]);
  expect(of('to50')).toEqual([9, Number.NaN]);
  expect(of('area')).toEqual([0.75, 0.75]);
});

test('from the command line', () => {
  const run = { experiment, backend: 'cpu', adapter: '', machines: [], wallSeconds: 0, tokens: 0 };
  const result = buildResult(run, membersOf(arms, [0]), values);
  expect(result.arms.map(({ summary }) => summary.updatesTo['0.5'])).toEqual([[9], [null]]);
  expect(result.arms.map(({ summary }) => summary.final.mean)).toEqual([0.75, 0.75]);
});
