// Means and bands of a run, and what thinning does to them.
import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { METRIC, METRICS, type MetricName } from '../../src/rl/metrics';
import { Curves } from '../../src/store/curves';
import { MetricHistory } from '../../src/store/history';
import type { ProgressAxis } from '../../src/store/preferences';

/** One trajectory an update. */
const ONE = { batch: { groups: 1, groupSize: 1 } } as Experiment;

/** One arm; `seeds` values of success at each update. */
function historyOf(updates: readonly (readonly number[])[]): MetricHistory {
  const seeds = updates[0]?.length ?? 1;
  const history = new MetricHistory(1, seeds);
  const values = new Float32Array(updates.length * seeds * METRICS.length).fill(Number.NaN);
  updates.forEach((row, update) => {
    row.forEach((value, seed) => {
      values[(update * seeds + seed) * METRICS.length + METRIC.successRate] = value;
    });
  });
  history.append(0, updates.length, seeds, values);
  return history;
}

/** All there is to compute, and then the points. */
function pointsOf(curves: Curves, limit: number, axis: ProgressAxis = 'updates', metric: MetricName = 'successRate') {
  curves.advance(metric);
  return curves.points(metric, limit, axis);
}

describe('curves', () => {
  test('give the mean and the Student interval over seeds', () => {
    const { points } = pointsOf(new Curves(historyOf([[0, 1]]), ONE), 100);
    expect(points).toHaveLength(1);
    expect(points[0]?.mean[0]).toBeCloseTo(0.5, 6);
    expect(points[0]?.band[0]?.[1]).toBeCloseTo(0.5 + 12.7062 * 0.5, 3);
  });

  test('of one seed have no band, and of nothing measured no point', () => {
    const curves = new Curves(historyOf([[0.25], [Number.NaN]]), ONE);
    expect(pointsOf(curves, 100).points.map(({ mean, band }) => [mean[0], band[0]])).toEqual([
      [0.25, null],
      [null, null],
    ]);
    expect(pointsOf(curves, 100, 'updates', 'entropy').points[0]?.mean).toEqual([null]);
  });

  test('thinned keep the mean and never narrow the band', () => {
    const updates = Array.from({ length: 100 }, (_, update) => [update % 2, 0.5]);
    const curves = new Curves(historyOf(updates), ONE);
    const fine = pointsOf(curves, 100).points;
    const { points, every, complete } = curves.points('successRate', 30);
    expect([points.length, every, complete]).toEqual([25, 4, true]);
    for (const [index, { mean, band }] of points.entries()) {
      const own = fine.slice(4 * index, 4 * index + 4);
      expect(mean[0]).toBeCloseTo(own.reduce((sum, point) => sum + (point.mean[0] ?? 0), 0) / 4, 9);
      for (const point of own) {
        expect(band[0]?.[0]).toBeLessThanOrEqual(point.band[0]?.[0] ?? 0);
        expect(band[0]?.[1]).toBeGreaterThanOrEqual(point.band[0]?.[1] ?? 0);
      }
    }
  });

  test('hold what was computed until then, and say whether that is all', () => {
    const curves = new Curves(historyOf([[0], [1]]), ONE);
    expect(curves.advance('successRate', performance.now())).toBe(false);
    expect(curves.points('successRate', 10)).toEqual({ points: [], every: 1, complete: false });
    expect(curves.advance('successRate')).toBe(true);
    expect(curves.points('successRate', 10)).toMatchObject({ points: [{ mean: [0] }, { mean: [1] }], complete: true });
  });

  test('grow with the run', () => {
    const history = new MetricHistory(1, 1);
    const curves = new Curves(history, ONE);
    for (let update = 0; update < 600; update++) {
      const values = new Float32Array(METRICS.length).fill(update);
      expect(history.append(update, 1, 1, values)).toBe(true);
      if (update % 100 === 0) curves.advance('successRate');
    }
    expect(pointsOf(curves, 1000).points.map(({ mean }) => mean[0])).toEqual(
      Array.from({ length: 600 }, (_, update) => update),
    );
    expect(history.append(600, 1, 2, new Float32Array(2 * METRICS.length))).toBe(false);
  });
});

describe('the axis', () => {
  test('has each arm where it had come before the update: tokens as means over seeds, seconds the same for all', () => {
    const history = new MetricHistory(2, 2);
    const values = new Float32Array(3 * 4 * METRICS.length).fill(Number.NaN);
    // Arm 0 plays 10 and 20 tokens an episode, arm 1 just 5.
    [10, 20, 5, 5].forEach((length, member) => {
      for (let update = 0; update < 3; update++) {
        const row = (update * 4 + member) * METRICS.length;
        values[row + METRIC.trajectoryTokens] = length;
        values[row + METRIC.successRate] = 0.5;
      }
    });
    history.append(0, 3, 4, values, Float32Array.of(0.5, 0.25, 1));
    const curves = new Curves(history, { batch: { groups: 2, groupSize: 4 } } as Experiment);
    const at = (axis: ProgressAxis) => pointsOf(curves, 10, axis).points.map((point) => point.at);
    expect(at('updates')).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
    expect(at('tokens')).toEqual([
      [0, 0],
      [120, 40],
      [240, 80],
    ]);
    expect(at('seconds')).toEqual([
      [0, 0],
      [0.5, 0.5],
      [0.75, 0.75],
    ]);
    expect(curves.progress.at('seconds', 4, 0)).toBeNull();
    expect(curves.progress.at('seconds', 3, 0)).toBe(1.75);
  });

  test('is unknown where nobody recorded it', () => {
    const { points } = pointsOf(new Curves(historyOf([[0.5], [0.5]]), ONE), 10, 'seconds');
    expect(points.map(({ at }) => at)).toEqual([[0], [null]]);
  });
});
