// Texts as written formulas: as they are read aloud, and as they are drawn; and line by line for one token.
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/formula/compile';
import { notationOf } from '../../src/formula/notation';
import { type FormulaStep, stepsOf } from '../../src/formula/steps';
import type { Structure } from '../../src/formula/tape';
import { MathML } from '../../src/ui/model/formula/MathML';
import { speak } from '../../src/ui/model/formula/speak';

const spoken = (text: string, values = {}): readonly string[] => notationOf(compile(text).program, values).map(speak);
const of = (expression: string): string => (spoken(`loss = ${expression}`)[0] as string).replace('loss equals ', '');

test.each([
  ['-A * logp', 'minus A times log pi'],
  ['-(A + logp) * entropy', 'minus open bracket A plus log pi close bracket times H'],
  ['logp * A', 'open bracket log pi close bracket times A'],
  ['A - (logp - old_logp)', 'A minus open bracket log pi minus log pi old close bracket'],
  ['A - -logp', 'A minus open bracket minus log pi close bracket'],
  ['A / (logp + 1) ** 2', 'A divided by open bracket log pi plus 1 close bracket to the power 2'],
  ['(A / 2) ** 2', 'open bracket A divided by 2, close bracket to the power 2'],
  ['exp(logp - ref_logp)', 'exp of log pi minus log pi ref'],
  ['sqrt(abs(A)) * sigmoid(logp)', 'the root of the magnitude of A, times sigmoid of log pi'],
  [
    'detach(logp) + log1p(A) + expm1(A)',
    'held fixed open bracket log pi close bracket plus log of 1 plus A, plus open bracket exp of A, minus 1 close bracket',
  ],
  [
    'mean_trajectory(logp - old_logp)',
    'mean over tokens of the trajectory, of open bracket log pi minus log pi old close bracket',
  ],
  [
    'A - mean_group(reward) - count_batch(reward)',
    'A minus mean over trajectories of the group, of R minus n trajectories of the batch',
  ],
  [
    'sum_trajectory(sum_turn(logp))',
    'the sum over turns of the trajectory, of the sum over tokens of the turn, of log pi',
  ],
  [
    'to_go(turn_reward, 0.9) * logp',
    'open bracket the sum over turns k later, k ≥ 0, of 0.9 to the power k times R turn close bracket times log pi',
  ],
  ['logp if A > 0 and not logp == 0 else 0', 'log pi if A is more than 0 and not log pi is 0, 0 otherwise'],
  [
    'where(A > 0, 1, where(A < 0, 2, 3)) * logp',
    'open bracket 1 if A is more than 0, 2 if A is less than 0, 3 otherwise, close bracket times log pi',
  ],
  ['clip(logp, -1, 1) * (A >= 0)', 'clip of log pi, minus 1, 1, times open bracket A is at least 0 close bracket'],
])('%s', (text, words) => {
  expect(of(text)).toBe(words);
});

test('names are Greek letters and indices where they can be, and else words', () => {
  const text =
    'param tau_pos = 2 in [0, 9]\nw1 = A\nclip_fraction = w1\nlam = A\nx_low = A\nbest = A\nloss = logp * tau_pos';
  expect(JSON.stringify(notationOf(compile(text).program))).toMatch(/"λ".*"τ","spoken":"tau"/);
  expect(spoken(text)).toEqual([
    'w 1 equals A',
    'clip fraction equals w 1',
    'lambda equals A',
    'x low equals A',
    'best equals A',
    'loss equals open bracket log pi close bracket times tau pos',
  ]);
});

test('an arm’s numbers stand for its parameters', () => {
  const text = 'param low = 0.2 in [0, 1]\nparam shift = -1 in [-2, 1]\nloss = clip(logp, 1 - low, A - shift)';
  expect(spoken(text, { low: 0.3, shift: -2 })).toEqual([
    'loss equals clip of log pi, 1 minus 0.3, A minus open bracket −2 close bracket',
  ]);
  expect(spoken(text)).toEqual(['loss equals clip of log pi, 1 minus low, A minus shift']);
});

test('cases are drawn as a table behind a brace', () => {
  const [formula] = notationOf(compile('loss = logp if A > 0 else 0').program);
  const markup = renderToStaticMarkup(createElement(MathML, { formula: formula as NonNullable<typeof formula> }));
  expect(markup).toContain('<mo form="prefix" stretchy="true">{</mo><mtable><mtr><mtd>');
  expect(markup.match(/<mtr>/g)).toHaveLength(2);
  expect(markup).toContain('<mtext>otherwise</mtext>');
});

describe('the steps of one token', () => {
  /** Two trajectories of one group: the first with two turns of two tokens and one, the second with one token. */
  const structure: Structure = {
    tokenTurn: Int32Array.of(0, 0, 1, 2),
    tokenIndex: Int32Array.of(1, 2, 5, 1),
    tokenWeight: Float64Array.of(1, 1, 1, 1),
    turnTrajectory: Int32Array.of(0, 0, 1),
    turnNumber: Int32Array.of(0, 1, 0),
    trajectoryGroup: Int32Array.of(0, 0),
    groups: 1,
  };
  const inputs = {
    logp: [-1, -2, -0.5, -3],
    old_logp: [-1.5, -2, -0.25, -2],
    advantage: [1, 1, 1, -1],
    reward: [1, 0],
  };
  const steps = (text: string, token: number, parameters: readonly number[] = []): readonly FormulaStep[] =>
    stepsOf(compile(text), structure, inputs, parameters, token);
  const told = (step: FormulaStep | undefined) => step && [step.name, step.level, step.value, speak(step.put)];

  test('each line has its value, with the numbers of what it reads', () => {
    const [ratio, s, loss, up] = steps(
      'param low = 0.2 in [0, 1]\nratio = exp(logp - old_logp)\ns = mean_trajectory(logp - old_logp)\nloss = -max(ratio, low) * A * s\nshow up = A > 0',
      1,
      [0.1],
    );
    expect(told(ratio)).toEqual(['ratio', 'token', 1, 'exp of −2 minus open bracket −2 close bracket']);
    expect(s?.value).toBeCloseTo(0.25 / 3, 12);
    expect(s && speak(s.put)).toBe('0.08333');
    expect(s?.gathered).toEqual([{ text: 'mean_trajectory(logp - old_logp)', value: s?.value, count: 3, of: 'token' }]);
    expect(loss && speak(loss.put)).toBe('minus max of 1, 0.1, times 1 times 0.08333');
    expect(loss?.value).toBeCloseTo(-0.25 / 3, 12);
    expect(told(up)).toEqual(['up', 'token', 1, '1 is more than 0']);
  });

  test('what is gathered says of how many elements', () => {
    const text =
      'a = sum_turn(logp) + mean_group(reward)\nb = max_trajectory(sum_turn(logp))\nc = to_go(sum_turn(logp), 0.5)\nloss = a + b + c + std_batch(A)';
    const counts = steps(text, 0).map(({ gathered }) => gathered.map(({ count, of: level }) => `${count} ${level}`));
    expect(counts).toEqual([['2 token', '2 trajectory'], ['2 turn'], ['2 turn'], ['4 token']]);
    expect(steps(text, 2)[2]).toMatchObject({ value: -0.5, gathered: [{ count: 1, of: 'turn' }] });
  });

  test('a line that reads what was not given is left out', () => {
    expect(steps('unused = ref_logp\nloss = -A * logp', 3).map(({ name, value }) => [name, value])).toEqual([
      ['loss', -3],
    ]);
  });
});
