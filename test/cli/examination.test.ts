/** Nothing is called held out where nothing is: in a result, in `lab`'s tables, on the page. */
import { expect, test } from 'vitest';
import { METRICS, type MetricName } from '../../src/rl/measure/metrics';
import { lastExamination } from '../../src/train/result/examination';
import { asExamined, examinationCharts, toolOffCharts } from '../../src/ui/model/charts/kinds/definitions';

const curve = Object.fromEntries(METRICS.map((metric) => [metric, [null, null]])) as Record<
  MetricName,
  (number | null)[]
>;
const examined = { ...curve, heldOutSuccess: [0.25, null], heldOutPassAt2: [0.5, null] };

test('a result says whether the tasks examined were held out', () => {
  const [there, absent] = [lastExamination(examined, () => true), lastExamination(examined, () => false)];
  const found = { success: 0.25, greedySuccess: null, passAt: { 1: 0.25, 2: 0.5 }, observationCrossEntropy: null };
  expect(there).toMatchObject({ update: 0, heldOut: found, training: null });
  expect(absent).toMatchObject({ update: 0, heldOut: null, training: found });
});

test('an environment is not asked where nothing was examined', () => {
  const refuse = () => {
    throw new Error('asked');
  };
  expect(lastExamination(curve, refuse)).toBeNull();
});

test('charts name what they draw, each always the same chart', () => {
  for (const chart of examinationCharts) {
    expect(asExamined(chart, true)).toBe(chart);
    const other = asExamined(chart, false);
    expect(`${other.title} ${other.help.replace('Nothing here is held out', '')}`).not.toMatch(/held.out/i);
    expect(asExamined(chart, false)).toBe(other);
  }
  for (const chart of toolOffCharts) expect(asExamined(chart, false)).toBe(chart);
});
