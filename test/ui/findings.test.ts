/** Rerun of a finding on the page: its curves in twentieths, and no verdict before it is through. */
import { expect, test } from 'vitest';
import type { Claim } from '../../src/experiment/findings/claim';
import type { Finding } from '../../src/experiment/findings/finding';
import { MetricHistory } from '../../src/measured/history';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { liveOf, PARTS } from '../../src/ui/places/library/findings/live';

const CLAIM = { measure: 'area' } as Claim;
const FINDING = { again: { comparison: 'a', mean: 0.2, deviation: 0.1, seeds: 8, quantile: 1.9 } } as Finding;
const UPDATES = 40;

/** Two arms of two seeds: the first succeeds in 0.25, the second in `second`. */
function history(updates: number, second: number): MetricHistory {
  const values = new Float32Array(updates * 4 * METRICS.length).fill(Number.NaN);
  for (let update = 0; update < updates; update++)
    for (let member = 0; member < 4; member++)
      values[(update * 4 + member) * METRICS.length + METRIC.successRate] = member < 2 ? 0.25 : second;
  const made = new MetricHistory(2, 2);
  made.append(0, updates, 4, values);
  return made;
}

test('curves grow part by part, and nothing is judged before the end', () => {
  const { curves, verdict, seeds } = liveOf(UPDATES, history(21, 0.5), CLAIM, FINDING);
  expect(seeds).toBe(2);
  expect(verdict).toBeNull();
  expect(curves[1]?.slice(0, 11).map(({ at, value }) => [at, value])).toEqual([
    ...Array.from({ length: 10 }, (_, part) => [2 * part + 1, 0.5]),
    [21, null],
  ]);
  expect(curves[0]).toHaveLength(PARTS);
});

test('through, it is judged by the difference of its arms', () => {
  // 0.2 ± 1.9 · 0.1 · √(1/8 + 1/2) = 0.05 to 0.35.
  expect(liveOf(UPDATES, history(UPDATES, 0.5), CLAIM, FINDING).verdict).toMatchObject({
    difference: 0.25,
    isInside: true,
  });
  expect(liveOf(UPDATES, history(UPDATES, 0.25), CLAIM, FINDING).verdict).toMatchObject({
    difference: 0,
    isInside: false,
  });
  expect(liveOf(UPDATES, history(UPDATES, 0.5), CLAIM, { ...FINDING, again: null }).verdict).toBeNull();
});
