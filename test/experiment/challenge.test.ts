// Challenges that links bring: written, read back, refused by name; and judged by the numbers of a run.
import { describe, expect, test } from 'vitest';
import { judgeChallenge } from '../../src/experiment/conclude/judgeChallenge';
import { type ChallengeStep, challengeIn, withChallenge } from '../../src/experiment/link/challenge';
import { decodeRunLink } from '../../src/experiment/link/link';
import { arrive } from '../../src/store/edit/arrival';

const LINK = '#preset=gridworld&seeds=2';
const step = (more: Partial<ChallengeStep> = {}): ChallengeStep => ({
  ...{ arm: 'world-model', metric: 'successRate', is: 'above', value: 0.92, within: 200 },
  ...more,
});

test('a challenge is read back as it was written, and leaves the experiment as it was', () => {
  const plain = decodeRunLink(LINK);
  expect(plain.challenge).toEqual([]);
  expect(withChallenge(LINK, [])).toBe(LINK);
  const steps = [step(), step({ is: 'below', value: 0.2, within: null })];
  const link = withChallenge(LINK, steps);
  expect(link).toBe(`${LINK}&challenge=world-model:successRate:above:0.92:200;world-model:successRate:below:0.2`);
  expect(decodeRunLink(link)).toEqual({ ...plain, challenge: steps });
  // Of an experiment without its arm nothing is asked.
  expect(challengeIn(steps, plain.experiment)).toBe(steps);
  expect(challengeIn(steps, { arms: plain.experiment.arms.slice(0, 1) })).toEqual([]);
});

test.each([
  ['world-model:successRate:above', /cannot read/],
  ['world-model:tokens:above:1', /cannot read/],
  ['world-model:successRate:over:1', /cannot read/],
  ['nobody:successRate:above:1', /names “nobody”, no arm/],
  ['world-model:successRate:above:much', /where a number belongs/],
  ['world-model:successRate:above:1:0', /gives 0 updates/],
  ['a;b;c;d;e', /more than 4 steps/],
])('challenge=%s is refused by name', (value, words) => {
  const arrival = arrive(`${LINK}&challenge=${value}`);
  expect(arrival.notice).toMatchObject({ kind: 'broken-link', text: expect.stringMatching(words) });
  expect(arrival.challenge).toEqual([]);
});

describe('it is judged by the mean of a window of updates', () => {
  const judge = (steps: readonly ChallengeStep[], values: readonly number[], isOver = false) =>
    judgeChallenge(steps, (_, update) => values[update] ?? Number.NaN, { count: values.length, isOver, window: 2 });
  const high = step({ value: 0.5, within: 4 });
  const low = step({ is: 'below', value: 0.2, within: null });

  test('one lucky update meets none; the update that met it is told', () => {
    expect(judge([high], [])).toEqual({ is: 'open', met: 0, at: 0, best: null });
    expect(judge([high], [0.1, 0.8])).toMatchObject({ is: 'open', best: expect.closeTo(0.45) });
    expect(judge([high], [0.1, 0.8, 0.4])).toMatchObject({ is: 'met', met: 1, at: 3 });
  });

  test('it is missed once its updates are over, or the run is', () => {
    expect(judge([high], [0, 0, 0, 0.4])).toMatchObject({ is: 'missed', best: 0.2 });
    expect(judge([high], [0, 0, 0, 0, 1, 1])).toMatchObject({ is: 'missed' });
    expect(judge([high], [0, 0], true)).toMatchObject({ is: 'missed' });
  });

  test('steps are met one after the other, each by updates after the one before', () => {
    const steps = [high, low, step({ value: 0.5, within: null })];
    const values = [0.6, 0.6, 0.1, 0.1, 0.9];
    expect(judge(steps, values)).toMatchObject({ is: 'open', met: 2, at: 4, best: null });
    expect(judge(steps, [...values, 0.7])).toMatchObject({ is: 'met', met: 3, at: 6 });
    // Low at first is not broken: it has to be reached before.
    expect(judge([high, low], [0.1, 0.1, 0.6, 0.6])).toMatchObject({ is: 'open', met: 1 });
  });

  test('updates without a measurement count for none', () => {
    expect(judge([high], [Number.NaN, 0.6, Number.NaN, 0.6])).toMatchObject({ is: 'met', at: 4 });
  });
});
