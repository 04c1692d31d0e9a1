// Outcome of each arm so far: the updates it covers, and that it is computed once.
import { expect, test } from 'vitest';
import { MetricHistory } from '../../src/measured/history';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { outcomeOf, outcomes } from '../../src/store/look/outcomes';

/** History of two arms, two seeds. In arm 0 success is 0 for 10 updates, then 1; cross-entropy is the update's number. */
function run(updates: number): MetricHistory {
  const values = new Float32Array(updates * 4 * METRICS.length).fill(Number.NaN);
  for (let row = 0; row < updates * 4; row++) {
    const update = row >> 2;
    values[row * METRICS.length + METRIC.successRate] = row % 4 < 2 && update >= 10 ? 1 : 0;
    values[row * METRICS.length + METRIC.observationCrossEntropy] = update;
  }
  return MetricHistory.of(2, 2, values, new Float32Array(updates));
}

test('success is over the last 20 updates, cross-entropy of the last; neither is computed twice', () => {
  const history = run(25);
  const [first, second] = [...outcomes(history)];
  expect([first?.success.mean, first?.crossEntropy.mean]).toEqual([0.75, 24]);
  expect(second?.success.mean).toBe(0);
  expect(outcomeOf(history, 0)).toBe(first);
  history.append(25, 1, 4, new Float32Array(4 * METRICS.length).fill(1));
  expect(outcomeOf(history, 0).crossEntropy.mean).toBe(1);
  expect(outcomeOf(history, 0).success.mean).toBeCloseTo(0.8, 9);
});
