import { describe, expect, test } from 'vitest';
import { compile } from '../../src/formula/compile';
import { FormulaError } from '../../src/formula/error';
import { FORMULA_LIMITS } from '../../src/formula/limits';
import { parameterRow } from '../../src/formula/packing';
import { evaluateTape } from '../../src/formula/tape';

function errorOf(text: string): FormulaError {
  try {
    compile(text);
  } catch (cause) {
    if (cause instanceof FormulaError) return cause;
    throw cause;
  }
  throw new Error(`No error: ${text}`);
}

describe('mistakes are told with their place and what was meant', () => {
  test.each([
    ['loss = -A * logprob', '1:13', 'logp'],
    ['loss = surprise * ref', '1:8', '-logp'],
    ['loss = -logp * ref', '1:16', 'ref_logp'],
    ['loss = cross_entropy', '1:8', '-logp'],
    ['x = 1\nloss = mean_turn(reward)', '2:18', 'Leave mean_turn out'],
    ['loss = torch.exp(logp)', '1:13', 'exp (not torch.exp)'],
    ['loss = clamp(logp, 0, 1)', '1:8', 'clip'],
    ['loss = logp\nloss = A', '2:1', 'another name'],
    ['A = 3\nloss = A', '1:1', 'another name'],
    ['loss = later\nlater = 1', '1:8', 'Move its line up'],
    ['show x = logp', '1:14', 'loss = '],
    ['loss = (logp', '1:13', 'Complete the line'],
    ['loss = min(logp)', '1:8', 'min(a, b, …)'],
    ['loss = to_go(logp, 1)', '1:14', 'sum_turn'],
    ['param a = 2 in [0, 1]\nloss = a * logp', '1:7', 'between 0 and 1'],
    ['loss = A × logp', '1:10', 'Use *'],
    ['loss = exp', '1:8', 'exp(…)'],
    ['a = a + 1\nloss = a * logp', '1:5', 'a = … on a line above, and give this one another name'],
    ['if A > 0:\n  loss = -logp', '1:9', 'loss = (-logp if A > 0 else 0)'],
    ['if A > 0\nloss = -logp', '1:1', 'loss = (-logp if A > 0 else 0)'],
  ])('%s', (text, place, advice) => {
    const error = errorOf(text);
    expect(`${error.line}:${error.column}`).toBe(place);
    expect(error.advice).toContain(advice);
  });

  test('bounds of size and depth', () => {
    expect(errorOf(`loss = ${'('.repeat(2000)}logp${')'.repeat(2000)}`).what).toContain('brackets');
    expect(errorOf(`loss = ${'-'.repeat(2000)}logp`).what).toContain('inside each other');
    expect(errorOf(`loss = logp${' '.repeat(FORMULA_LIMITS.characters)}`).what).toContain('characters');
    expect(errorOf(`loss = A${'*A'.repeat(FORMULA_LIMITS.chain)}`).what).toContain('in a row');
    const line = (name: string, first: string): string => `${name} = ${first}${'*A'.repeat(290)}\n`;
    const long = line('a', 'A') + line('b', 'a') + line('c', 'b') + line('loss', 'c');
    expect(errorOf(long).what).toContain('operations');
  });
});

test('numbers of the run follow the parameters; a text that defines such a name keeps its own', () => {
  const structure = {
    tokenTurn: Int32Array.of(0),
    tokenIndex: Int32Array.of(0),
    tokenWeight: Float64Array.of(1),
    turnTrajectory: Int32Array.of(0),
    turnNumber: Int32Array.of(0),
    trajectoryGroup: Int32Array.of(0),
    groups: 1,
  };
  const row = parameterRow([0.5], { update: 7, success_rate: 0.25 });
  const lossOf = (text: string): number | undefined => {
    const formula = compile(text);
    return evaluateTape(formula, structure, { logp: [-2] }, row).atTokens(formula.loss)[0];
  };
  expect(lossOf('param p = 0.5 in [0, 1]\nloss = -logp * (update + success_rate + p)')).toBe(2 * 7.75);
  expect(lossOf('param update = 0.5 in [0, 1]\nloss = -logp * update')).toBe(1);
  expect(lossOf('update = 3\nloss = -logp * update')).toBe(6);
  expect(compile('loss = -logp * update').reads).toEqual(new Set(['logp', 'update']));
});

test('brackets continue a line; a comment ends with its own', () => {
  expect(compile('loss = (A * # the advantage\n  logp)\n').reads).toEqual(new Set(['advantage', 'logp']));
});

test('what is read decides which passes are needed', () => {
  expect(compile('loss = -A * logp').needsScores).toBe(false);
  expect(compile('loss = -(A - mean_group(logp)) * logp').needsScores).toBe(true);
  expect(compile('loss = -(A - mean_batch(A)) * logp').needsScores).toBe(false);
});

test('equal operations are one', () => {
  const once = compile('loss = exp(logp) * exp(logp)').nodes.length;
  expect(compile('a = exp(logp)\nb = exp(logp)\nloss = a * b').nodes.length).toBe(once);
});

describe('a token with the weight 0', () => {
  /** ∂(Σ weight · loss)/∂logp of two tokens of one turn, the first at log-prob 0. */
  function slopes(text: string, weights: readonly number[]): number[] {
    const formula = compile(text);
    const none = new Int32Array(2);
    const one = new Int32Array(1);
    const structure = {
      tokenTurn: none,
      tokenIndex: Int32Array.of(0, 1),
      tokenWeight: Float64Array.from(weights),
      turnTrajectory: one,
      turnNumber: one,
      trajectoryGroup: one,
      groups: 1,
    };
    const { atTokens } = evaluateTape(formula, structure, { logp: [0, -1], entropy: [1, 1] }, []);
    return Array.from(atTokens(formula.byLogProb), (slope) => slope + 0);
  }

  test('has no derivative where the loss is infinitely steep; one with a weight has, and it is seen', () => {
    const text = 'loss = sqrt(-logp)';
    const usual = -0.5;
    expect(slopes(text, [0, 1])).toEqual([0, usual]);
    expect(slopes(text, [1, 0])).toEqual([Number.POSITIVE_INFINITY, 0]);
    // Through a value of the turn, whose tokens have no weight at all.
    expect(slopes('loss = sqrt(max_turn(logp))', [0, 0])).toEqual([0, 0]);
  });
});
