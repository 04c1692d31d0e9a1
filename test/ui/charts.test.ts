// What charts do beside drawing: how often they are drawn, which rows they are drawn from, and when two curves are one.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { MetricName } from '../../src/rl/metrics';
import type { CurvePoint } from '../../src/store/curves';
import type { Ghost } from '../../src/store/lab';
import { pathsOf } from '../../src/ui/charts/Curves';
import { coincides } from '../../src/ui/charts/coincidence';
import { chartOf } from '../../src/ui/charts/definitions';
import { noteOf } from '../../src/ui/charts/note';
import { bandPath, linePath } from '../../src/ui/charts/paths';
import { horizontalAxis, inSight } from '../../src/ui/charts/progress';
import { Redraws } from '../../src/ui/charts/redraw';
import { rowsOf } from '../../src/ui/charts/rows';
import { fitting } from '../../src/ui/charts/scale';

beforeEach(() => {
  vi.useFakeTimers();
});

const nothing = () => {};

describe('redraws', () => {
  test('of each chart come at most four times a second, the newest in the end, whoever asks how often', () => {
    const redraws = new Redraws();
    const drawn = [0, 0, 0];
    const charts = drawn.map((_, chart) => () => {
      drawn[chart] = (drawn[chart] as number) + 1;
    });
    for (let time = 0; time < 3000; time += 10) {
      for (const draw of charts) redraws.ask(draw, nothing);
      vi.advanceTimersByTime(10);
    }
    // At 0 and then every quarter of a second.
    for (const count of drawn) expect(count).toBeLessThanOrEqual(1 + 3 * 4);
    for (const count of drawn) expect(count).toBeGreaterThan(8);
    vi.advanceTimersByTime(1000);
    const before = [...drawn];
    for (const draw of charts) redraws.ask(draw, nothing);
    vi.advanceTimersByTime(1000);
    expect(drawn).toEqual(before.map((count) => count + 1));
  });

  test('never two in one task, and none of a chart that is gone', () => {
    const redraws = new Redraws();
    const order: string[] = [];
    const [first, second, gone] = ['first', 'second', 'gone'].map((name) => () => void order.push(name)) as [
      () => void,
      () => void,
      () => void,
    ];
    for (const draw of [first, second, gone]) redraws.ask(draw, nothing);
    redraws.forget(gone);
    vi.advanceTimersToNextTimer();
    vi.advanceTimersToNextTimer();
    expect(order).toEqual(['first']);
    vi.runAllTimers();
    expect(order).toEqual(['first', 'second']);
  });

  test('come in a task after what is computed for them, once for each', () => {
    const redraws = new Redraws();
    const order: string[] = [];
    for (const name of ['first', 'second'])
      redraws.ask(
        () => order.push(`draw ${name}`),
        () => order.push(`compute ${name}`),
      );
    const tasks = Array.from({ length: 4 }, () => {
      vi.advanceTimersToNextTimer();
      return order.splice(0);
    });
    expect(tasks).toEqual([['compute first'], ['draw first'], ['compute second'], ['draw second']]);
  });
});

const point = (update: number, at: (number | null)[], mean: number[]): CurvePoint => ({
  update,
  at,
  mean,
  band: mean.map(() => null),
});

describe('rows', () => {
  test('are shared where arms stand together, and apart where they do not; what has no place has no row', () => {
    const together = [point(0, [0, 0], [1, 2]), point(1, [1, 1], [3, 4])];
    expect(rowsOf(together).map(({ at, points }) => [at, points.length])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    const [start, next] = [point(0, [0, 0], [1, 2]), point(1, [30, 10], [3, 4])] as [CurvePoint, CurvePoint];
    expect(rowsOf([start, next])).toEqual([
      { at: 0, points: [start, start] },
      { at: 10, points: [undefined, next] },
      { at: 30, points: [next, undefined] },
    ]);
    expect(rowsOf([point(0, [null], [1])])).toEqual([]);
  });
});

describe('a curve coincides with another', () => {
  const own = [point(0, [0], [0.2]), point(1, [1], [0.4]), point(2, [2], [0.9])];
  const shifted = (by: number) => own.map(({ update, at, mean }) => point(update, [...at], [(mean[0] as number) + by]));
  const compare = (points: CurvePoint[]) => coincides({ points, arm: 0 }, { points: own, arm: 0 }, [0, 1]);

  test('where nobody could see them apart, as far as it goes', () => {
    expect(compare(own)).toBe(true);
    expect(compare(shifted(0.0005))).toBe(true);
    expect(compare(own.slice(0, 2))).toBe(true);
  });

  test('not where one point differs visibly, stands at another update, or there is none', () => {
    expect(compare(shifted(0.01))).toBe(false);
    expect(compare([...own.slice(0, 2), point(3, [3], [0.9])])).toBe(false);
    expect(compare([])).toBe(false);
  });
});

describe('the note under a chart', () => {
  const ghost: Ghost = {
    label: 'as recorded',
    arms: [{ id: 'a', name: 'A' }],
    curves: { points: () => ({ points: [], width: 1, complete: true }), advance: () => true },
  };
  const axis = { domain: [0, 1], ticks: [], log: false } as const;
  const base = { above: [], arms: [], width: 1, said: 1, seeds: null, over: 'updates' as const, points: [], axis };
  const behind = [point(0, [0], [0.2])];

  test('says what dotted and thin lines are, where there are any', () => {
    const bare = noteOf({ ...base, ghost: null, behind: [], hasFloor: false });
    expect(bare).not.toMatch(/Dotted|Thin/);
    expect(noteOf({ ...base, ghost, behind: [], hasFloor: false })).toBe(bare);
    expect(noteOf({ ...base, ghost, behind, hasFloor: false })).toBe(`${bare} Dotted: as recorded.`.trim());
    expect(noteOf({ ...base, ghost: null, behind: [], hasFloor: true })).toMatch(/Thin: what nobody could foresee/);
  });
});

describe('paths', () => {
  test('of lines and bands are parted where something was not measured', () => {
    expect(linePath([[0, 1.005], [2, 3], null, [4, 5]])).toBe('M0,1L2,3M4,5');
    const band = (x: number) => ({ x, low: 9, high: x });
    expect(bandPath([band(0), band(1), null, band(2), band(3)])).toBe('M0,0L1,1L1,9L0,9ZM2,2L3,3L3,9L2,9Z');
    expect(linePath([null])).toBe('');
  });

  test('of an arm leave gaps, unless it is measured only now and then', () => {
    const points = [point(0, [0], [1]), { ...point(1, [1], [0]), mean: [null] }, point(2, [2], [3])];
    const path = (metric: MetricName) =>
      pathsOf(
        {
          points,
          floors: null,
          axis: { domain: [0, 3], ticks: [], log: false },
          definition: chartOf(metric),
          placement,
        },
        0,
      ).mean;
    expect(path('successRate')).toBe('M0,9M2,7');
    expect(path('ratioLow')).toBe('M0,9L2,7');
  });
});

/** One pixel a unit, ten high. */
const placement = { area: { x: 0, y: 0, width: 10, height: 10 }, toX: (at: number) => at, toY: (v: number) => 10 - v };

describe('ticks', () => {
  test('that would touch are left out, but never the last', () => {
    const ticks = [0, 10, 20, 30].map((at) => ({ at }));
    const placesOf = (size: number) => fitting(ticks, () => size).map(({ at }) => at);
    expect(placesOf(10)).toEqual([0, 10, 20, 30]);
    expect(placesOf(11)).toEqual([10, 30]);
    expect(placesOf(31)).toEqual([30]);
  });
});

test('the horizontal axis has no half updates, but half seconds', () => {
  const points = [{ at: [2] }];
  expect(horizontalAxis('updates', 2, points).ticks).toEqual([0, 1, 2]);
  expect(horizontalAxis('seconds', 2, points).ticks).toEqual([0, 0.5, 1, 1.5, 2]);
});

test('of a run behind, only what was measured before this one’s planned end is in sight', () => {
  const points = [point(5, [5], [0.1]), point(60, [60], [0.2]), point(65, [65], [0.9])];
  expect(inSight(points, horizontalAxis('updates', 60, points)).map(({ update }) => update)).toEqual([5, 60]);
  expect(inSight(points, horizontalAxis('tokens', 60, points))).toBe(points);
});
