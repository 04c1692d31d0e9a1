// The small pure parts of the interface: how numbers are written and typed, sliders, labels, axes, the verdict.
import { describe, expect, test } from 'vitest';
import { type Arm, armSettings, type Change, defaultArm } from '../../src/experiment/experiment';
import { defaultPreset } from '../../src/experiment/presets/presets';
import { isNumberSetting } from '../../src/experiment/settings/setting';
import { MetricHistory } from '../../src/measured/history';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import { armListWords } from '../../src/ui/frame/messages/armListWords';
import { formatMeasured, formatSetting, parseNumber } from '../../src/ui/kit/format';
import { niceStep, ticksBetween } from '../../src/ui/kit/plot/axes';
import { freeHeight, shorten, spreadLabels } from '../../src/ui/kit/plot/labels';
import { armColours } from '../../src/ui/model/armColour';
import { spreadOfShare } from '../../src/ui/model/arms/spread';
import {
  floorWords,
  newTasksWords,
  sentVerdict,
  standingOf,
  verdict as verdictOf,
} from '../../src/ui/model/arms/verdict';
import { fromSlider, sliderRange, toSlider } from '../../src/ui/model/settings/slider';
import { linesOf } from '../../src/ui/places/runs/policies/text/lines';

describe('numbers', () => {
  test.each([
    [0.1234, '0.12'],
    [38.27, '38.3'],
    [150.4, '150'],
    [-0.4, '−0.40'],
    [0.0001, '1e−4'],
    [0, '0.00'],
  ])('measured %f is written %s', (value, text) => expect(formatMeasured(value)).toBe(text));

  test('a setting is written exactly and reads back', () => {
    for (const value of [0, -0.5, 0.001, 1e-4, -2e-5, 3.5e-5, 300, 1e6, 0.123456789]) {
      expect(parseNumber(formatSetting(value))).toBe(value);
    }
  });

  test('a decimal comma is understood; words are not', () => {
    expect(parseNumber(' 0,5 ')).toBe(0.5);
    expect(parseNumber('five')).toBeNull();
    expect(parseNumber('')).toBeNull();
    expect(parseNumber('Infinity')).toBeNull();
  });
});

describe('sliders', () => {
  const numbers = armSettings.filter(isNumberSetting);
  test.each(numbers)('of $path show its default and stay inside its limits', (setting) => {
    const range = sliderRange(setting);
    const position = toSlider(setting, setting.default);
    expect(position).toBeGreaterThanOrEqual(range.min);
    expect(position).toBeLessThanOrEqual(range.max);
    for (const end of [range.min, range.max]) {
      expect(fromSlider(setting, end)).toBeGreaterThanOrEqual(setting.min);
      expect(fromSlider(setting, end)).toBeLessThanOrEqual(setting.max);
    }
  });

  test('on a log scale a step is a factor', () => {
    const rate = numbers.find(({ path }) => path === 'learningRate');
    if (rate === undefined) throw new Error('There is no learning rate.');
    const position = toSlider(rate, 1e-3);
    expect(fromSlider(rate, position + 1) / fromSlider(rate, position)).toBeCloseTo(1.1, 1);
  });
});

describe('charts', () => {
  test('labels are moved apart in order and stay inside', () => {
    expect(spreadLabels([50, 52, 51], 16, 0, 100)).toEqual([35, 67, 51]);
    expect(spreadLabels([10, 50, 60], 16, 0, 100)).toEqual([10, 47, 63]);
    expect(spreadLabels([1, 2], 16, 0, 100)).toEqual([0, 16]);
    expect(spreadLabels([98, 99], 16, 0, 100)).toEqual([84, 100]);
    expect(spreadLabels([], 16, 0, 100)).toEqual([]);
  });

  test('a name of less weight makes no other move: it stands where there is room, as near as can be', () => {
    expect(freeHeight(48, [50], 0, 100)).toBe(34);
    expect(freeHeight(4, [10], 0, 100)).toBe(26);
    expect(freeHeight(48, [34, 50, 66], 0, 100)).toBe(18);
    expect(freeHeight(80, [50], 0, 100)).toBe(80);
  });

  test('ticks are round numbers', () => {
    expect(ticksBetween(0, 300, 5)).toEqual([0, 100, 200, 300]);
    expect(ticksBetween(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(niceStep(7, 4)).toBe(2);
  });
});

test('arms keep their own colours wherever they stand, and others take free ones', () => {
  const arms = ['mine', 'world-model', 'yours', 'action-mask'].map((id) => defaultArm(id, id));
  for (const ordered of [arms, arms.toReversed()]) {
    const colours = armColours(ordered);
    expect(arms.map(({ id }) => colours.get(id)?.stroke)).toEqual([
      'var(--arm-3)',
      'var(--arm-2)',
      'var(--arm-4)',
      'var(--arm-1)',
    ]);
  }
});

const named = (...names: string[]) => names.map((name) => ({ id: name, name, fixedPolicy: '' }));

describe('the verdict on a result that was sent', () => {
  const arm = (id: string, area: (number | null)[]) => ({
    ...{ id, name: id, area, successRate: [], observationCrossEntropy: [] },
  });
  const fixed = { id: 'C', name: 'C', fixedPolicy: 'ab'.repeat(32) };
  const unknown = { preset: '', arms: [] };

  test('ranks its arms by the number a seed that it holds, without fixed policies', () => {
    const arms = [arm('A', [0.2, 0.3, 0.25]), arm('B', [0.5, 0.62, 0.54]), arm('C', [0.9, 0.9, 0.9])];
    const sent = { preset: '', arms: [...named('A', 'B'), fixed] };
    expect(sentVerdict({ arms }, sent)).toMatch(
      /^Over the whole run B was ahead of A by 30 points of mean success \(95% interval 27 to 34, 3 paired seeds\)\.$/,
    );
  });

  test('says where there are too few seeds, or none of them was measured', () => {
    expect(sentVerdict({ arms: [arm('A', [0.2]), arm('B', [0.5])] }, unknown)).toMatch(/not enough seeds to tell/);
    const same = sentVerdict({ arms: [arm('A', [0]), arm('B', [0])] }, unknown);
    expect(same).toBe('Over the whole run A and B were at the same mean success, 0%.');
    expect(sentVerdict({ arms: [arm('A', [null, null]), arm('B', [0.5, 0.6])] }, unknown)).toMatch(/not enough seeds/);
  });
});

describe('the verdict', () => {
  const { evaluation } = defaultPreset.experiment;
  const runOf = (arms: readonly (readonly number[])[]): MetricHistory => {
    const seeds = arms[0]?.length ?? 1;
    const history = new MetricHistory(arms.length, seeds);
    const values = new Float32Array(arms.length * seeds * METRICS.length).fill(Number.NaN);
    arms.flat().forEach((value, member) => {
      values[member * METRICS.length + METRIC.successRate] = value;
    });
    history.append(0, 1, arms.length * seeds, values);
    return history;
  };

  const verdict = (history: MetricHistory, arms: ReturnType<typeof named>, updates: number, preset = '') =>
    verdictOf(history, { preset, arms: arms as Arm[], updates, timeline: [] });

  test('ranks what learned, and says beside it where a fixed policy was', () => {
    const history = runOf([[0.4], [0.95], [0.9]]);
    const fixed = { id: 'F', name: 'F', fixedPolicy: 'ab'.repeat(32) };
    const [first, last] = named('A', 'B');
    const words = verdict(
      history,
      [first, fixed, last].flatMap((arm) => arm ?? []),
      1,
    );
    expect(words).toMatch(/^B ended above A, but .* F, a fixed policy, was at 95% success\.$/);
    expect(verdict(history, [fixed, fixed, fixed], 1)).not.toMatch(/ended|ahead|differ/);
  });

  test('names the arm ahead when the paired interval leaves out zero', () => {
    const words = verdict(
      runOf([
        [0.4, 0.5, 0.45],
        [0.9, 0.95, 0.92],
      ]),
      named('A', 'B'),
      1,
    );
    expect(words).toMatch(/^B ended ahead of A by 47 points .*3 paired seeds/);
  });

  test('writes a small lead so that it is apart from zero, and tells of none that is not', () => {
    const by = (...gains: number[]) =>
      verdict(runOf([gains.map(() => 0.5), gains.map((gain) => 0.5 + gain)]), named('A', 'B'), 1);
    expect(by(0.006, 0.007, 0.007, 0.004)).toMatch(/ahead of A by 0\.6 points .*\(95% interval 0\.4 to 0\.8,/);
    expect(by(0.0002, 0.0002, 0.0003, 0.0002)).toMatch(/^B and A ended at the same .* to a tenth of a point, 50%\.$/);
  });

  test('writes the shares in tenths where whole points are not the difference of those in the table', () => {
    const near = (low: number, high: number) =>
      verdict(
        runOf([
          [low - 0.01, low, low + 0.01],
          [high - 0.03, high, high + 0.03],
        ]),
        named('A', 'B'),
        1,
      );
    expect(near(0.236, 0.2449)).toMatch(
      /^B and A cannot be told apart: B ended above by 0\.9 points .*, 24\.5% against 23\.6% \(95% /,
    );
    expect(near(0.244, 0.256)).toMatch(/ by 1\.2 points .*, 25\.6% against 24\.4% /);
    expect(near(0.24, 0.25)).toMatch(/ by 1 point of success over all updates \(95% /);
    // A large lead is in whole points, as the table has it: 75% less 24%.
    expect(near(0.244, 0.749)).toMatch(/ by 51 points of success over all updates \(95% interval 46 to 55, /);
  });

  test('says which settings were changed on the way, and by how much', () => {
    const arms = ['A', 'B'].map((name) => defaultArm(name.toLowerCase(), name));
    const change = (update: number, value: number, arm = '*') => ({
      update,
      arm,
      setting: 'learningRate' as const,
      value,
    });
    const words = (...timeline: Change[]) =>
      verdictOf(runOf(arms.map(() => [0.5])), { preset: '', arms, updates: 1, timeline });
    expect(words(change(0, 0.002))).toMatch(
      / Changed while it ran: learning rate of all arms from .* to 0\.002 at update 0\.$/,
    );
    expect(words(change(0, 0.002, 'a'), change(0, 0.003), change(0, 0.004))).toMatch(/of A from .* and 1 more\.$/);
    // What comes later has changed nothing yet.
    expect(words(change(1, 0.002))).not.toContain('Changed');
  });

  test('a run in which no arm is better than a random policy is told as one', () => {
    const asked = { preset: '', arms: named('A', 'B') };
    const floor = /^No arm is more than 2 points above the random policy, which succeeds in 19% of episodes/;
    expect(floorWords(runOf([[0.18], [0.2]]), asked, 0.19)).toMatch(floor);
    expect(floorWords(runOf([[0.18], [0.3]]), asked, 0.19)).toBe('');
    expect(floorWords(runOf([[0.18], [0.2]]), asked, null)).toBe('');
  });

  test('says which mean it is of', () => {
    const history = runOf([[0.4], [0.5]]);
    expect(verdict(history, named('A'), 1)).toBe('A ended at 40% success over all updates.');
    const values = new Float32Array(60 * METRICS.length).map((_, i) =>
      i % METRICS.length === METRIC.successRate ? 0.5 : Number.NaN,
    );
    history.append(1, 30, 2, values);
    expect(verdict(history, named('A'), 31)).toBe('A ended at 50% success over the last 20 updates.');
    expect(verdict(history, named('A'), 40)).toMatch(/^After 31 of 40 updates A was at 50% success over the last 20/);
  });

  test('says how the same arms do on new tasks', () => {
    const history = runOf([[0.4], [0.5]]);
    const asked = { preset: '', arms: named('A', 'B') as Arm[], evaluation: { ...evaluation, every: 1, toolEvery: 1 } };
    expect(newTasksWords(history, asked)).toBe('');
    const values = new Float32Array(2 * METRICS.length).fill(Number.NaN);
    const measured = { successRate: 0.6, newToolUp: 0.81, newToolDown: 0.45, heldOutSuccess: 0.7 };
    for (const [name, share] of Object.entries(measured)) {
      for (const arm of [0, 1]) values[arm * METRICS.length + METRIC[name as MetricName]] = share + arm / 100;
    }
    history.append(1, 1, 2, values);
    const both = 'On new tasks it is 82% against 81% with the tool, 46% against 45% without it.';
    expect(newTasksWords(history, asked)).toBe(both);
    asked.evaluation.toolEvery = 0;
    expect(newTasksWords(history, asked)).toBe('On new tasks it is 71% against 70%.');
    // What was examined earlier says when; the first update's tells nothing of what was learned.
    history.append(2, 1, 2, values);
    asked.evaluation.every = 2;
    expect(newTasksWords(history, asked)).toBe('On new tasks it is 71% against 70%, at update 2.');
    asked.evaluation.every = 4;
    expect(newTasksWords(history, asked)).toBe('');
  });

  test('compares no arm whose loss gave no finite number', () => {
    const history = runOf([
      [0.4, 0.5, 0.45],
      [0.9, 0.95, 0.92],
      [0.6, 0.7, 0.65],
    ]);
    const values = new Float32Array(9 * METRICS.length).fill(Number.NaN);
    for (let member = 0; member < 9; member++) values[member * METRICS.length + METRIC.successRate] = member / 10;
    values[3 * METRICS.length + METRIC.formulaFault] = 10_001;
    history.append(1, 1, 9, values);
    const words = verdict(history, named('A', 'B', 'C'), 2);
    expect(words).toMatch(/^C ended ahead of A by/);
    expect(words).toMatch(/B is not compared: its loss gave no finite number, and taught it nothing\.$/);
  });

  test('compares no copy with the arm that it has not parted from', () => {
    const alike = runOf([
      [0.4, 0.5, 0.45],
      [0.9, 0.95, 0.92],
      [0.9, 0.95, 0.92],
    ]);
    const words = verdict(alike, named('A', 'B', 'Branch'), 9);
    expect(words).toMatch(/^After 1 of 9 updates B was ahead of A /);
    expect(words).toMatch(/Branch is still the same as B, to the bit\.$/);
    expect(words).not.toMatch(/Beside/);
    const parted = runOf([[0.4], [0.9], [0.8]]);
    expect(verdict(parted, named('A', 'B', 'Branch'), 9)).not.toMatch(/the same/);
  });

  test('does not when it includes zero', () => {
    expect(
      verdict(
        runOf([
          [0.4, 0.9, 0.6],
          [0.9, 0.5, 0.7],
        ]),
        named('A', 'B'),
        1,
      ),
    ).toMatch(/^B and A cannot be told apart: B ended above by 7 points /);
  });

  test('no difference of success is beyond 100 points', () => {
    const far = runOf([
      [0.1, 0.2, 0],
      [0.2, 0.8, 1],
    ]);
    expect(verdict(far, named('A', 'B'), 1)).toContain('(95% interval −55 to 100, 3 paired seeds)');
  });

  test('says of two seeds that they have no interval, however near they are, and how large the lead was', () => {
    const near = runOf([
      [0.1, 0.2],
      [0.6, 0.71],
    ]);
    expect(verdict(near, named('A', 'B'), 1)).toMatch(
      /^B ended above A by 51 points of success over all updates, but 2 seeds are not enough to tell\.$/,
    );
    expect(standingOf(near, { preset: '', arms: named('A', 'B') })).toEqual({ is: 'few' });
    const nought = runOf([
      [0.1, 0.2],
      [0.101, 0.203],
    ]);
    expect(verdict(nought, named('A', 'B'), 1)).toMatch(/ by 0\.2 points /);
  });

  test('compares what the question asks about, whatever arms are added and however well they do', () => {
    const [low, middle, high] = [
      [0.1, 0.2, 0.15],
      [0.4, 0.5, 0.45],
      [0.9, 0.95, 0.92],
    ];
    const arms = [
      { id: 'arm-3', name: 'Branch', fixedPolicy: '' },
      { id: 'world-model', name: 'World model', fixedPolicy: '' },
      { id: 'action-mask', name: 'Action mask', fixedPolicy: '' },
    ];
    expect(verdict(runOf([high, middle, low]), arms, 1, 'gridworld-tiny')).toMatch(
      /^World model ended ahead of Action mask by 30.* points .* For comparison: Branch at 92%\.$/,
    );
    // Without an arm of the question, the first two; of two arms there is nothing to explain.
    const [branch, model] = arms as [(typeof arms)[0], (typeof arms)[0]];
    const others = [branch, model, { ...branch, id: 'arm-4', name: 'Other' }];
    expect(verdict(runOf([high, middle, low]), others, 1, 'gridworld-tiny')).toMatch(
      /^Branch ended ahead of World model .* The first two arms are compared\. For comparison: Other at 15%\.$/,
    );
    expect(verdict(runOf([high, middle]), [branch, model], 1, 'gridworld-tiny')).toMatch(/seeds\)\.$/);
    // A fixed policy is none of the two.
    const fixed = { id: 'F', name: 'F', fixedPolicy: 'ab'.repeat(32) };
    expect(verdict(runOf([low, middle, high]), [...named('A', 'B'), fixed], 1)).not.toMatch(/Beside/);
  });

  test('says of a run that was stopped where it was, not how it ended', () => {
    const history = runOf([
      [0.4, 0.5, 0.45],
      [0.9, 0.95, 0.92],
    ]);
    expect(verdict(history, named('A', 'B'), 300)).toMatch(/^After 1 of 300 updates B was ahead of A by 47 points/);
    expect(verdict(history, named('A', 'B'), 300)).not.toContain('ended');
    expect(verdict(runOf([[0.4], [0.9]]), named('A', 'B'), 300)).toMatch(/^After 1 of 300 updates B was above A, but/);
  });

  test('says that one seed proves nothing', () => {
    expect(verdict(runOf([[0.4], [0.9]]), named('A', 'B'), 1)).toMatch(/not enough seeds/);
  });
});

describe('an interval of a share', () => {
  const estimate = (mean: number, low: number, high: number) =>
    ({ seeds: 4, mean, interval: [low, high], method: 'student' }) as const;

  test('is written as it is, and never leaves 0 to 100%', () => {
    expect(spreadOfShare(estimate(0.5, 0.46, 0.54))).toBe(' ± 4');
    expect(spreadOfShare(estimate(0.96, 0.9, 1.02))).toBe(' (90 to 100)');
    expect(spreadOfShare(estimate(0.02, -0.05, 0.09))).toBe(' (0 to 9)');
    expect(spreadOfShare(estimate(1, 1, 1))).toBe(' ± 0');
    expect(spreadOfShare({ ...estimate(0.26, 0.26, 0.26), seeds: 3 })).toBe(', 3 seeds');
    expect(spreadOfShare({ ...estimate(0.26, -0.6, 1.1), seeds: 2 })).toBe(', 2 seeds');
    expect(spreadOfShare({ seeds: 1, mean: 0.5, interval: null, method: 'none' })).toBe('');
    expect(spreadOfShare(null)).toBe('');
  });
});

describe('names', () => {
  test('that are too long for a chart keep their ends, where arms differ', () => {
    const widthOf = (text: string): number => [...text].reduce((sum, letter) => sum + (letter === 'W' ? 3 : 1), 0);
    expect(shorten('World model', 13, widthOf)).toBe('World model');
    expect(shorten('World model, λ 0.05', 14, widthOf)).toBe('World…λ 0.05');
    expect(shorten('World model, λ 0.20', 14, widthOf)).toBe('World…λ 0.20');
    expect([...shorten('x'.repeat(60), 13, widthOf)]).toHaveLength(13);
    expect(shorten('WWWWW', 8, widthOf)).toBe('W…W');
    expect(shorten('WW', 2, widthOf)).toBe('…');
  });

  test('of arms that come and go with a restart are said once', () => {
    const arms = ['a', 'b', 'c'].map((id) => ({ id, name: id.toUpperCase() }));
    expect(armListWords(arms, [...arms, { id: 'd', name: 'D' }])).toBe('with D');
    expect(armListWords(arms, arms.slice(1))).toBe('without A');
    expect(armListWords(arms, [...arms.slice(2), { id: 'd', name: 'D' }])).toBe('with D, without A and B');
  });
});

test('lines of a text end with their breaks, or where they would be long to draw', () => {
  const words = ['a', 'b\n', 'c', 'd', 'e', 'f\n', 'g'];
  expect(linesOf(words, 3).map(({ from, to }) => words.slice(from, to))).toEqual([
    ['a', 'b\n'],
    ['c', 'd', 'e'],
    ['f\n'],
    ['g'],
  ]);
  expect(linesOf([])).toEqual([]);
});
