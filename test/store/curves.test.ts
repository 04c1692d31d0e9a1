// Means and bands of a run, and the effect of thinning.
import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { bandInWords, type CurveShape, Curves, meanPoints } from '../../src/measured/curves';
import { MetricHistory } from '../../src/measured/history';
import type { ProgressAxis } from '../../src/measured/progress';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';

/** Experiment with one trajectory an update. */
const ONE = { batch: { groups: 1, groupSize: 1 } } as Experiment;

/** History of one arm with the success of each seed at each update. */
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

/** Points after everything has been computed. */
function pointsOf(curves: Curves, shape: CurveShape, metric: MetricName = 'successRate') {
  curves.advance(metric, shape);
  return curves.points(metric, shape);
}

describe('curves', () => {
  test('give the mean over seeds, and Student’s interval from four on', () => {
    const { points } = pointsOf(new Curves(historyOf([[0, 1, 0, 1]]), ONE), { limit: 100 });
    expect(points).toHaveLength(1);
    expect(points[0]?.mean[0]).toBeCloseTo(0.5, 6);
    expect(points[0]?.band[0]?.[1]).toBeCloseTo(0.5 + (3.18245 * Math.sqrt(1 / 3)) / 2, 4);
  });

  test('of two or three seeds have a band from the lowest to the highest', () => {
    const bands = [
      [0.25, 0.75],
      [0.5, 0.25, 1],
      [0.5, Number.NaN, 1],
    ].map((seeds) => pointsOf(new Curves(historyOf([seeds]), ONE), { limit: 9 }).points[0]?.band[0]);
    expect(bands).toEqual([
      [0.25, 0.75],
      [0.25, 1],
      [0.5, 1],
    ]);
    expect(bandInWords(1)).toMatch(/One seed/);
    expect(bandInWords(3)).toMatch(/lowest to highest of 3/);
    expect(bandInWords(4)).toMatch(/95% intervals, 4/);
  });

  test('of one seed have no band, and of nothing measured no point', () => {
    const curves = new Curves(historyOf([[0.25], [Number.NaN]]), ONE);
    expect(pointsOf(curves, { limit: 100 }).points.map(({ mean, band }) => [mean[0], band[0]])).toEqual([
      [0.25, null],
      [null, null],
    ]);
    expect(pointsOf(curves, { limit: 100 }, 'entropy').points[0]?.mean).toEqual([null]);
  });

  const alternating = Array.from({ length: 100 }, (_, update) => [update % 2, 0.5]);

  test('smoothed are the mean of each seed over the updates up to a point, and the band lies round those', () => {
    const { points, width } = pointsOf(new Curves(historyOf(alternating), ONE), { limit: 100, window: 4 });
    expect([points.length, width]).toEqual([100, 4]);
    expect(points.slice(0, 5).map(({ mean }) => mean[0])).toEqual([0.25, 0.5, (1 / 3 + 0.5) / 2, 0.5, 0.5]);
    expect(points[0]?.band[0]).toEqual([0, 0.5]);
    expect(points[99]?.band[0]).toEqual([0.5, 0.5]);
  });

  test('thinned are smoothed over what they leave out, the newest point over as much', () => {
    const curves = new Curves(historyOf(alternating.slice(0, 98)), ONE);
    const { points, width, complete } = pointsOf(curves, { limit: 30 });
    expect([points.length, width, complete]).toEqual([25, 4, true]);
    const fine = pointsOf(curves, { limit: 100, window: 4 }).points;
    expect(points).toEqual([...fine.filter(({ update }) => update % 4 === 3), fine.at(-1)]);
  });

  test('count each seed once, however many of its updates were measured, with bands as without', () => {
    const history = historyOf([
      [0, Number.NaN],
      [1, 1],
    ]);
    const [point] = pointsOf(new Curves(history, ONE), { limit: 1 }).points;
    expect(point?.mean).toEqual([0.75]);
    expect(meanPoints(history, 'successRate', 1)).toEqual([{ ...point, band: [null] }]);
    expect(meanPoints(history, 'entropy', 1)[0]?.mean).toEqual([null]);
  });

  test('hold what was computed until then, and say whether that is all', () => {
    const curves = new Curves(historyOf([[0], [1]]), ONE);
    const shape = { limit: 10 };
    expect(curves.advance('successRate', shape, performance.now())).toBe(false);
    expect(curves.points('successRate', shape)).toEqual({ points: [], width: 1, complete: false });
    expect(curves.advance('successRate', shape)).toBe(true);
    expect(curves.points('successRate', shape)).toMatchObject({
      points: [{ mean: [0] }, { mean: [1] }],
      complete: true,
    });
  });

  test('stand as they stood until they have been computed further apart', () => {
    const history = historyOf([[0], [1], [2], [3]]);
    const curves = new Curves(history, ONE);
    const shape = { limit: 4 };
    expect(pointsOf(curves, shape).points).toHaveLength(4);
    history.append(4, 1, 1, new Float32Array(METRICS.length).fill(4));
    expect(curves.points('successRate', shape)).toMatchObject({ width: 1, complete: false });
    expect(curves.points('successRate', shape).points).toHaveLength(4);
    const { points, width } = pointsOf(curves, shape);
    expect([points.map(({ update, mean }) => [update, mean[0]]), width]).toEqual([
      [
        [1, 0.5],
        [3, 2.5],
        [4, 3.5],
      ],
      2,
    ]);
  });

  test('grow with the run', () => {
    const history = new MetricHistory(1, 1);
    const curves = new Curves(history, ONE);
    for (let update = 0; update < 600; update++) {
      const values = new Float32Array(METRICS.length).fill(update);
      expect(history.append(update, 1, 1, values)).toBe(true);
      if (update % 100 === 0) curves.advance('successRate', { limit: 1000 });
    }
    expect(pointsOf(curves, { limit: 1000 }).points.map(({ mean }) => mean[0])).toEqual(
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
    const at = (axis: ProgressAxis) => pointsOf(curves, { limit: 10, axis }).points.map((point) => point.at);
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
    const { points } = pointsOf(new Curves(historyOf([[0.5], [0.5]]), ONE), { limit: 10, axis: 'seconds' });
    expect(points.map(({ at }) => at)).toEqual([[0], [null]]);
  });
});
