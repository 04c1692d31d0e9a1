// Charts apart from their pixels: how often they are drawn, from which rows, and when two curves count as one.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Arm, Change } from '../../src/experiment/experiment';
import { defaultPreset } from '../../src/experiment/presets/presets';
import type { CurvePoint, Ghost } from '../../src/measured/curves';
import type { MetricName } from '../../src/rl/measure/metrics';
import type { CrossEntropyAxis } from '../../src/store/keep/preferences';
import { bandPath, linePath, placeOf } from '../../src/ui/kit/plot/paths';
import type { PlotPoint, Series } from '../../src/ui/kit/plot/plot';
import { placesOf } from '../../src/ui/kit/plot/rows';
import { Redraws } from '../../src/ui/kit/plot/turns';
import { coincides } from '../../src/ui/model/charts/drawn/coincidence';
import { drawingOf } from '../../src/ui/model/charts/drawn/drawing';
import { noteOf } from '../../src/ui/model/charts/drawn/note';
import { plotOf } from '../../src/ui/model/charts/drawn/plotted';
import { chartOf } from '../../src/ui/model/charts/kinds/definitions';
import { horizontalAxis, inSight } from '../../src/ui/model/charts/progress';

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
    // Drawn at 0 and then every quarter of a second.
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

const series = (...lines: PlotPoint[][]): Series[] =>
  lines.map((points, index) => ({ id: `${index}`, name: `${index}`, kind: 'mean', colour: '', points }));

describe('a plot', () => {
  const axis = { domain: [0, 10], ticks: [], write: String } as const;
  const x = placeOf(axis, 0, 100);
  const y = placeOf(axis, 100, 0);

  test('has a place wherever one of its lines has a point, in order', () => {
    expect(placesOf(series([{ at: 30, value: 1 }], [{ at: 10, value: 2 }], [{ at: 30, value: null }]))).toEqual([
      10, 30,
    ]);
  });

  test('parts a line where nothing was measured, unless its gaps are joined', () => {
    const points = [0, null, 10].map((value, index) => ({ at: 5 * index, value }));
    expect(linePath(points, x, y)).toBe('M0,100M100,0');
    expect(linePath(points, x, y, true)).toBe('M0,100L100,0');
  });

  test('draws a band as far as there is one', () => {
    const points: PlotPoint[] = [
      { at: 0, value: 1, band: [0, 2] },
      { at: 5, value: 1, band: [1, 10] },
      { at: 10, value: 1 },
    ];
    expect(bandPath(points, x, y)).toBe('M0,80L50,0L50,90L0,100Z');
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

const { experiment } = defaultPreset;
const [first, second] = experiment.arms as unknown as readonly [Arm, Arm];

/** Drawing of two arms with given points, for the run and for the curves behind it. */
function drawn(
  metric: MetricName,
  points: readonly CurvePoint[],
  behind?: readonly CurvePoint[],
  choice: CrossEntropyAxis = 'whole',
  others: readonly Arm[] = [second],
  timeline: readonly Change[] = [],
) {
  const source = (of: readonly CurvePoint[]) => ({
    points: (asked: MetricName) => ({ points: asked === metric ? [...of] : [], width: 1, complete: true }),
    advance: () => true,
  });
  const ghost: Ghost | null =
    behind === undefined ? null : { label: 'as recorded', arms: [first], curves: source(behind) };
  return drawingOf(
    chartOf(metric),
    { limit: 10 },
    {
      experiment: { ...experiment, arms: [first, ...others], updates: 10, timeline: [...timeline] },
      curves: { ...source(points), progress: { at: (_, update) => update } },
      ghost,
      choice,
      randomSuccess: null,
    },
  );
}

const linesOf = (...drawing: Parameters<typeof drawn>) =>
  plotOf(drawn(...drawing)).series.filter(({ points }) => points.length > 0);

describe('the note under a chart', () => {
  const note = (...drawing: Parameters<typeof drawn>) => noteOf(drawn(...drawing), { smoothing: 1, seeds: null });

  test('says among which words is guessed', () => {
    expect(note('observationCrossEntropy', [point(0, [0], [2])])).toMatch('Guessing: every word equally likely.');
  });

  test('says what dotted lines are, where there are any, and which lie on a line of this run', () => {
    const [own, behind] = [[point(0, [0, 0], [0.2, 0.5])], [point(0, [0], [0.4])]];
    expect(note('successRate', own)).toBe('');
    expect(note('successRate', own, [])).toBe('');
    expect(note('successRate', own, behind)).toBe('Dotted: as recorded.');
    expect(note('successRate', own, [point(0, [0], [0.2])])).toMatch(`Perforated (${first.name})`);
    // Nothing has run: an arm that was not recorded has its words where its curve will be.
    expect(note('successRate', [], behind)).toBe(`Dotted: as recorded. No curve yet: ${second.name}.`);
    expect(note('successRate', [], behind, 'whole', [])).toBe('Dotted: as recorded.');
  });
});

test('the lines behind, and the floors, have a name on the chart', () => {
  const [own, behind] = [[point(0, [0, 0], [0.2, 0.5])], [point(0, [0], [0.4])]];
  expect(plotOf(drawn('successRate', own, behind)).behind).toBe('dotted: recorded');
  expect(plotOf(drawn('successRate', own)).behind).toBe('');
  expect(plotOf({ ...drawn('observationCrossEntropy', own), floors: own }).floor).toBe('least possible');
});

describe('lines', () => {
  test('of an arm leave gaps, unless it is measured only now and then', () => {
    const points = [
      point(0, [0, 0], [1, 1]),
      { ...point(1, [1, 1], [0, 1]), mean: [null, 1] },
      point(2, [2, 2], [3, 1]),
    ];
    const [line] = linesOf('successRate', points);
    expect([line?.isJoined, line?.points.map(({ value }) => value)]).toEqual([false, [1, null, 3]]);
    expect(linesOf('ratioLow', points)[0]?.isJoined).toBe(true);
  });

  test('that leave the chart at its top say so, and have no place at 0 on a logarithmic axis', () => {
    const points = [point(0, [0, 0], [0, 1]), point(1, [1, 1], [60, 1])];
    const labels = linesOf('observationCrossEntropy', points, undefined, 'clipped').map(({ label }) => label);
    expect(labels).toEqual(['↑', '']);
    const [line] = linesOf('observationCrossEntropy', points, undefined, 'log');
    expect(line?.points.map(({ value }) => value)).toEqual([null, 60]);
  });

  test('of a branch begin where it branches, on its parent’s line', () => {
    const copy: Arm = { ...first, id: 'arm-9', name: 'Branch' };
    const points = [0, 1, 2, 3].map((update) => point(update, [update, update], [update, update < 2 ? update : 9]));
    const change = { update: 2, arm: 'arm-9', setting: 'learningRate', value: 0.5 };
    const lineOf = (update: number) => {
      const lines = plotOf(drawn('successRate', points, undefined, 'whole', [copy], [{ ...change, update }])).series;
      return lines.find(({ id, kind }) => id === 'arm-9' && kind === 'mean')?.points.map(({ at }) => at);
    };
    expect(lineOf(2)).toEqual([2, 3]);
    expect(lineOf(4)).toEqual([3]);
    // It has not begun.
    expect(lineOf(8)).toEqual([]);
  });

  test('have a mark where an arm was changed, which pictures have too', () => {
    const points = [0, 1, 2, 3].map((update) => point(update, [update, update], [update, 1]));
    const changes = [1, 3].map((update) => ({ update, arm: first.id, setting: 'learningRate', value: 0.5 }));
    const marks = plotOf(drawn('successRate', points, undefined, 'whole', [second], changes)).marks;
    expect(marks?.map(({ at, value, title }) => [at, value, title])).toEqual([
      [1, 1, `update 1: ${first.name}: Learning rate to 0.5`],
      [3, 3, `update 3: ${first.name}: Learning rate to 0.5`],
    ]);
  });

  test('of another run are named where there are no others, and drawn over the line that they equal', () => {
    const behind = [point(0, [0], [0.2]), point(1, [1], [0.4])];
    expect(linesOf('successRate', [], behind)).toMatchObject([{ kind: 'behind', label: '', name: first.name }]);
    const own = behind.map(({ update, mean }) => point(update, [update, update], [mean[0] as number, 0.9]));
    const lines = linesOf('successRate', own, behind);
    expect(lines.map(({ kind }) => kind)).toEqual(['mean', 'mean', 'same']);
    expect(lines[2]).toMatchObject({ title: `${first.name}, as recorded: the same curve` });
    expect(lines[2]).not.toHaveProperty('label');
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
