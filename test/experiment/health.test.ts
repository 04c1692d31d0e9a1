// Every criterion of failure on invented curves: on both sides of each threshold, with its exception, and without data.
import { describe, expect, test } from 'vitest';
import {
  FAILURES,
  type FailureId,
  type HealthMetric,
  judgeArm,
  judgeSeed,
  type SeedCurves,
  worthOfSuccess,
} from '../../src/experiment/conclude/health';
import { defaultArm } from '../../src/experiment/experiment';

type Values = Partial<Record<HealthMetric, number>>;

const BEGINNING = 10;
const UPDATES = 80;
const FACTS = { words: 32, worthOfSuccess: 1 };
const LN_V = Math.log(32);

const failureOf = (id: FailureId) => {
  const found = FAILURES.find((failure) => failure.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

/** Curves that step from one value to another after the first BEGINNING updates. */
const stepped = (before: Values, after: Values, count = UPDATES): SeedCurves => ({
  count,
  at: (update, metric) => (update < BEGINNING ? before : after)[metric] ?? Number.NaN,
});

/** First value of each metric unless a case says otherwise. */
const START: Values = {
  successRate: 0.1,
  return: 0.1,
  observationCrossEntropy: LN_V,
  entropy: 2,
  allSolvedGroups: 0,
  zeroVarianceGroups: 0.3,
  trajectoryTokens: 20,
  warningShare: 0,
  repeatedActions: 0.1,
};

interface Case {
  readonly id: FailureId;
  readonly fine: Values;
  readonly warning: Values;
  readonly failing: Values;
  /** Values beyond the failing threshold that the exception excuses. */
  readonly excused?: Values;
}

const cases: readonly Case[] = [
  {
    id: 'mask-leak',
    fine: { observationCrossEntropy: 1.99 * LN_V },
    warning: { observationCrossEntropy: 2.01 * LN_V },
    failing: { observationCrossEntropy: 3.01 * LN_V },
  },
  {
    id: 'reward-hacking',
    fine: { return: 0.199 },
    warning: { return: 0.201 },
    failing: { return: 0.301 },
    excused: { return: 0.301, successRate: 0.151 },
  },
  {
    id: 'length',
    fine: { trajectoryTokens: 24.9 },
    warning: { trajectoryTokens: 25.1 },
    failing: { trajectoryTokens: 30.1 },
    excused: { trajectoryTokens: 30.1, successRate: 0.201 },
  },
  {
    id: 'missing-tools',
    fine: { warningShare: 0.099 },
    warning: { warningShare: 0.101 },
    failing: { warningShare: 0.201 },
  },
  {
    id: 'loops',
    fine: { repeatedActions: 0.399 },
    warning: { repeatedActions: 0.401 },
    failing: { repeatedActions: 0.501 },
  },
  {
    id: 'no-variance',
    fine: { zeroVarianceGroups: 0.799 },
    warning: { zeroVarianceGroups: 0.801 },
    failing: { zeroVarianceGroups: 0.901 },
    excused: { zeroVarianceGroups: 1, allSolvedGroups: 0.9 },
  },
  {
    id: 'entropy-collapse',
    fine: { entropy: 0.41 },
    warning: { entropy: 0.39 },
    failing: { entropy: 0.19 },
    excused: { entropy: 0.19, successRate: 0.501 },
  },
];

test('the cases are all failures there are', () => {
  expect(cases.map(({ id }) => id)).toEqual(FAILURES.map(({ id }) => id));
});

test.each(cases.filter(({ excused }) => excused !== undefined))('$id has its excuse', ({ id, excused }) => {
  expect(judgeSeed(failureOf(id), stepped(START, { ...START, ...excused }), FACTS).state).toBe('fine');
});

describe.each(cases)('$id', ({ id, fine, warning, failing }) => {
  const failure = failureOf(id);
  const state = (after: Values, count = UPDATES) =>
    judgeSeed(failure, stepped(START, { ...START, ...after }, count), FACTS).state;

  test('is told apart on both sides of its thresholds', () => {
    expect([state({}), state(fine), state(warning), state(failing)]).toEqual(['fine', 'fine', 'warning', 'failing']);
  });

  test('is lit by no other criterion, and lights no other', () => {
    const curves = stepped(START, { ...START, ...failing });
    const lit = FAILURES.filter((other) => judgeSeed(other, curves, FACTS).state !== 'fine');
    expect(lit.map((other) => other.id)).toEqual([id]);
  });

  test('is unknown before the beginning is over and where its curve is undefined', () => {
    const undefinedCurve = stepped(START, { ...START, ...failing, [failure.chart]: Number.NaN });
    expect(state(failing, BEGINNING - 1)).toBe('unknown');
    expect(judgeSeed(failure, undefinedCurve, FACTS)).toEqual({ state: 'unknown', value: Number.NaN });
    expect(judgeSeed(failure, stepped({}, {}), FACTS).state).toBe('unknown');
  });

  test('is at most a warning until its window is full', () => {
    const always = stepped({ ...START, ...failing }, { ...START, ...failing }, failure.window - 1);
    const before = stepped(START, { ...START, ...failing }, failure.window - 1);
    for (const curves of [always, before]) expect(judgeSeed(failure, curves, FACTS).state).not.toBe('failing');
  });

  test('leaves out updates that were not measured', () => {
    const curves = stepped(START, { ...START, ...failing });
    const gaps: SeedCurves = {
      ...curves,
      at: (update, metric) => (update % 3 === 0 ? Number.NaN : curves.at(update, metric)),
    };
    expect(judgeSeed(failure, gaps, FACTS)).toEqual({
      state: 'failing',
      value: expect.closeTo(judgeSeed(failure, curves, FACTS).value, 9),
    });
  });
});

test('a cross-entropy that was above from the start is a leak only if it rises', () => {
  const state = (now: number) =>
    judgeSeed(failureOf('mask-leak'), stepped({ observationCrossEntropy: 4 }, { observationCrossEntropy: now }), {
      ...FACTS,
      words: Math.E,
    }).state;
  expect([state(4), state(4.39), state(4.41)]).toEqual(['fine', 'fine', 'failing']);
});

test('return that rises is measured by what a success is worth', () => {
  const curves = stepped(START, { ...START, return: 0.45 });
  const state = (worth: number) =>
    judgeSeed(failureOf('reward-hacking'), curves, { ...FACTS, worthOfSuccess: worth }).state;
  expect([state(1), state(2), state(10)]).toEqual(['failing', 'warning', 'fine']);
  const arm = defaultArm('a', 'A');
  expect(worthOfSuccess(arm)).toBe(1);
  expect(worthOfSuccess({ ...arm, outcomeForm: 'signed' })).toBe(2);
  expect(worthOfSuccess({ ...arm, reward: { ...arm.reward, outcome: 0 } })).toBe(1);
});

describe('an arm of several seeds', () => {
  const failure = failureOf('loops');
  const seed = (repeatedActions: number) => stepped(START, { ...START, repeatedActions });
  const state = (...shares: number[]) => judgeArm(failure, shares.map(seed), FACTS).state;

  test('fails when at least half of its seeds do, and warns when any does', () => {
    expect(state(0.6, 0.1)).toBe('failing');
    expect(state(0.6, 0.1, 0.1)).toBe('warning');
    expect(state(0.45, 0.45, 0.1)).toBe('warning');
    expect(state(0.45, 0.1, 0.1)).toBe('fine');
    expect(state(0.6, 0.45, 0.1)).toBe('warning');
    expect(state(0.1, 0.2)).toBe('fine');
  });

  test('counts only seeds that are known', () => {
    expect(state(0.6, Number.NaN, Number.NaN)).toBe('failing');
    expect(state(Number.NaN, Number.NaN)).toBe('unknown');
    expect(judgeArm(failure, [], FACTS)).toEqual({ state: 'unknown', seeds: [] });
  });

  test('keeps the value of each', () => {
    const values = judgeArm(failure, [seed(0.6), seed(0.2)], FACTS).seeds.map(({ value }) => value);
    expect(values).toEqual([expect.closeTo(0.6, 9), expect.closeTo(0.2, 9)]);
  });
});
