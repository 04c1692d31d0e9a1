/** Zoom across charts: which range a drag, a handle and a key give, and what is drawn of it. */
import { afterEach, describe, expect, test } from 'vitest';
import { Curves } from '../../src/measured/curves';
import { MetricHistory } from '../../src/measured/history';
import { METRICS } from '../../src/rl/measure/metrics';
import { rangeOfDrag, rangeWith, stepOf } from '../../src/ui/kit/plot/range';
import { seenIn, zoomOf, zoomTo } from '../../src/ui/model/charts/drawn/zoom';

afterEach(() => zoomTo('updates', null));

describe('a range', () => {
  test('of a drag is the part of what is seen, in whole updates', () => {
    expect(rangeOfDrag([0, 2000], [0.25, 0.5])).toEqual([500, 1000]);
    // Further in from there.
    expect(rangeOfDrag([500, 1000], [0.101, 0.5])).toEqual([550, 750]);
    expect(rangeOfDrag([0, 12.5], [0.5, 1])).toEqual([6.25, 12.5]);
  });

  test('is never too short to see', () => {
    expect(rangeOfDrag([0, 2000], [0.5, 0.5])).toEqual([1000, 1020]);
  });

  test('with another end stays in the whole, keeps its ends apart, and is none when it is the whole', () => {
    const whole = [0, 300] as const;
    expect(stepOf(whole)).toBe(5);
    expect(rangeWith(whole, whole, 0, 100)).toEqual([100, 300]);
    expect(rangeWith(whole, [100, 200], 1, 50)).toEqual([100, 105]);
    expect(rangeWith(whole, [100, 300], 0, -20)).toBe(null);
    expect(rangeWith(whole, [0, 200], 1, 1000)).toBe(null);
  });

  test('belongs to the axis that it was chosen on, and ends with the run', () => {
    zoomTo('updates', [100, 200]);
    expect([zoomOf('updates', 300), zoomOf('tokens', 300)]).toEqual([[100, 200], null]);
    expect(zoomOf('updates', 150)).toEqual([100, 150]);
    // A shorter run has nothing there.
    expect(zoomOf('updates', 80)).toBe(null);
    expect([seenIn('updates', 300), seenIn('tokens', 300)]).toEqual([{ seen: [100, 200] }, {}]);
  });
});

test('curves have more points where less of a run is seen, and none far outside of it', () => {
  const updates = 2000;
  const history = new MetricHistory(1, 1);
  const values = new Float32Array(updates * METRICS.length);
  for (let update = 0; update < updates; update++) values.fill(update, update * METRICS.length);
  history.append(0, updates, 1, values.subarray(0, updates * METRICS.length), new Float32Array(updates));
  const curves = new Curves(history, { batch: { groups: 1, groupSize: 1 } } as never);
  const places = (seen?: readonly [number, number]) => {
    const shape = { limit: 200, ...(seen === undefined ? {} : { seen }) };
    curves.advance('successRate', shape, Number.POSITIVE_INFINITY);
    return curves.points('successRate', shape).points.map(({ update }) => update);
  };
  expect(places()).toHaveLength(200);
  const near = places([500, 600]);
  expect(near).toEqual(Array.from({ length: 102 }, (_, i) => 499 + i));
  const wide = places([400, 1200]);
  expect(wide.length).toBeGreaterThan(150);
  expect(Math.min(...wide)).toBeGreaterThan(390);
  expect(Math.max(...wide)).toBeLessThan(1210);
  // The last of a run is there when it is seen.
  expect(places([1900, 2000]).at(-1)).toBe(1999);
});
