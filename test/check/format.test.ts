/** Files from anywhere: anything but a fixture file is refused with a reason, and nothing large is built from it. */
import { describe, expect, test } from 'vitest';
import { expectationOf, inputOf, settingOf, tableOf } from '../../src/check/arrays';
import { compare } from '../../src/check/compare';
import { FIXTURE_LIMITS, parseFixtures } from '../../src/check/format';
import { familyOf, runCase } from '../../src/check/run';
import { LabError } from '../../src/foundation/errors';
import { ReferenceBackend } from '../../src/tensor/reference/backend';

const array = (shape: number[], data: unknown[], dtype = 'f32') => ({ shape, dtype, data });
const CASE = {
  name: 'two tokens',
  source: { repo: 'verl-project/verl', path: 'a.py', commit: 'c', function: 'kl_penalty' },
  params: { kl: 'k1', beta: 0.5 },
  inputs: {
    log_prob: array([1, 2], [-0.1, -0.2]),
    ref_log_prob: array([1, 2], [-0.3, -0.1]),
    grad_kl: array([1, 2], [1, 0]),
  },
  expected: { kl: array([1, 2], [0.2, -0.1], 'f64'), grad_log_prob: array([1, 2], [1, 0], 'f64') },
};
const parse = (entry: unknown) => parseFixtures(JSON.stringify([entry]));
const changed = (change: Record<string, unknown>) => ({ ...CASE, ...change });

describe('A case', () => {
  test('is read as it stands', () => {
    const [fixture] = parse(
      changed({
        expected: { loss: 'NaN', metrics: { clip: 0.5 }, x: array([3], [1, 'Infinity', '-Infinity'], 'f64') },
        recommended: { loss: 0 },
        tags: ['quirk'],
        notes: 'n',
        peer_f32_abs_err: { loss: 1 },
      }),
    );
    if (fixture === undefined) throw new Error('No case.');
    expect([...inputOf(fixture, 'log_prob')]).toEqual([Math.fround(-0.1), Math.fround(-0.2)]);
    expect(tableOf(fixture, 'log_prob')).toEqual([1, 2]);
    expect(settingOf(fixture, ['alpha', 'beta'])).toBe(0.5);
    expect(settingOf(fixture, ['gamma'], 2)).toBe(2);
    expect(expectationOf(fixture, 'loss')).toEqual(Float64Array.of(0));
    expect(expectationOf(fixture, 'x')).toEqual(Float64Array.of(1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY));
    expect(expectationOf(fixture, 'y')).toBeUndefined();
    expect(fixture.expected.metrics).toEqual({ clip: 0.5 });
    expect(() => inputOf(fixture, 'values')).toThrow(/“values”/);
    expect(() => settingOf(fixture, ['kl'])).toThrow(/“kl”/);
  });

  test.each([
    ['no list', '{}', /no list of cases/],
    ['no JSON', 'a', /not JSON/],
    ['no cases', '[]', /holds no cases/],
    ['no object', '[3]', /Case 1 is no object/],
  ])('%s', (_, text, words) => {
    expect(() => parseFixtures(text)).toThrow(words);
  });

  test.each([
    [{ name: 7 }, /name of case 1 is no text/],
    [{ source: undefined }, /“source” of two tokens is no object/],
    [{ source: { repo: 'a' } }, /function of two tokens is no text/],
    [{ params: [] }, /“params”/],
    [{ inputs: { x: 3 } }, /“x” among the inputs/],
    [{ inputs: { x: array([2], [1]) } }, /shape \[2\] and 1 elements/],
    [{ inputs: { x: array([1.5], [1]) } }, /shape of “x”/],
    [{ inputs: { x: array([-1], [1]) } }, /shape of “x”/],
    [{ inputs: { x: array([1], ['nan']) } }, /Element 0 of “x” among the inputs of two tokens is "nan"/],
    [{ inputs: { x: array([1], [null]) } }, /Element 0 of “x”/],
    [{ inputs: { x: array([1], [1.5], 'i32') } }, /Element 0 of “x”/],
    [{ inputs: { x: array([1], [1], 'f16') } }, /type "f16"/],
    [{ inputs: { x: { ...array([1], [1]), data: 'abc' } } }, /no list of data/],
    [{ inputs: { x: array([FIXTURE_LIMITS.elements, 2], []) } }, /8388608 elements, more than/],
    [{ expected: { loss: 'none' } }, /“loss” among the expected of two tokens is no number/],
    [{ expected: { metrics: { a: 'b' } } }, /“a” among the metrics/],
    [{ expected: { error: 5 } }, /error of two tokens is no text/],
    [{ tags: 'extreme' }, /“tags”/],
    [{ notes: 3 }, /“notes”/],
    [{ inputs: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [i, array([0], [])])) }, /65 inputs/],
  ])('is refused: %j', (change, words) => {
    const refuse = () => parse(changed(change));
    expect(refuse).toThrow(words);
    expect(refuse).toThrow(LabError);
    expect(refuse).toThrow(/docs\/fixtures\.md\.$/);
  });

  test('there may be 10,000 of, not more', () => {
    const text = `[${new Array(FIXTURE_LIMITS.cases + 1).fill('0').join(',')}]`;
    expect(() => parseFixtures(text)).toThrow(/10001 cases, more than 10000/);
  });

  test('has a family by what it holds, or is refused', () => {
    const family = (change: Record<string, unknown>) => familyOf(parse(changed(change))[0] as never);
    expect(family({})).toBe('kl');
    expect(family({ params: { formula: 'loss = logp' } })).toBe('formula');
    expect(family({ inputs: { logits: array([0], []) } })).toBe('masked_logprob');
    expect(family({ expected: { loss: 1 } })).toBe('policy_loss');
    expect(family({ expected: { loss: 1 }, params: { peer: 'openenv_trl', lam: 0.1 } })).toBe('echo');
    expect(family({ expected: { ce_weights: 1 }, params: { kind: 'token_selection' } })).toBe('echo');
    expect(family({ expected: { returns: 1 } })).toBe('advantage');
    expect(family({ expected: { error: 'ValueError' } })).toBe('advantage');
    expect(() => family({ expected: { depth: 1 } })).toThrow(/What two tokens is about/);
  });
});

describe('A run of a case', () => {
  const run = (change: Record<string, unknown>) =>
    runCase(new ReferenceBackend({ poison: true }), parse(changed(change))[0] as never);

  test('passes, and says how near it came and what it took', async () => {
    const report = await run({});
    expect(report).toMatchObject({ name: 'two tokens', family: 'kl', outcome: 'passed', reasons: [], compared: 4 });
    expect(report.dispatches).toBe(1);
    expect(report.worst?.output).toBe('kl');
    expect(report.worst?.share).toBeGreaterThan(0);
    expect(report.worst?.share).toBeLessThan(0.1);
  });

  test('fails where a number differs, and names it', async () => {
    const report = await run({ expected: { ...CASE.expected, kl: array([1, 2], [0.2, -0.1001], 'f64') } });
    expect(report.outcome).toBe('failed');
    expect(report.reasons).toEqual([expect.stringMatching(/^kl\[1\] is -0\.1.*, expected -0\.1001 ± /)]);
  });

  test('fails where the setting is not known', async () => {
    const report = await run({ params: { kl: 'k7' } });
    expect(report).toMatchObject({ outcome: 'failed', dispatches: 0 });
    expect(report.reasons[0]).toMatch(/“k7”, which is not known/);
  });

  test.each([
    [{ tags: ['legacy'] }, /older version/],
    [{ tags: ['error'] }, /raises/],
    [{ expected: { error: 'ValueError', error_message: 'no' } }, /raises/],
  ])('skips %j with the reason', async (change, words) => {
    const report = await run(change);
    expect(report).toMatchObject({ outcome: 'skipped', dispatches: 0, worst: null });
    expect(report.reasons[0]).toMatch(words);
  });
});

describe('Comparing', () => {
  const judge = (got: number[], expected: number[], exactZeros = false) =>
    compare('c', { output: 'o', got, expected, atol: 1e-3, rtol: 0.1, exactZeros }).reasons;

  test('allows atol + rtol·|expected|, and no more', () => {
    expect(judge([1.1, 0.001, -2.2], [1, 0, -2])).toEqual([]);
    expect(judge([1.102], [1])).toHaveLength(1);
    expect(judge([1e-9], [0], true)).toHaveLength(1);
    expect(judge([-0], [0], true)).toEqual([]);
  });

  test('is exact about what is not finite, and about lengths', () => {
    const infinity = Number.POSITIVE_INFINITY;
    expect(judge([Number.NaN, infinity, -infinity], [Number.NaN, infinity, -infinity])).toEqual([]);
    expect(judge([1, -infinity, Number.NaN], [Number.NaN, infinity, 1])).toHaveLength(3);
    expect(judge([1e38], [infinity])).toHaveLength(1);
    expect(judge([1], [1, 1])).toEqual(['o has 1 numbers, expected are 2']);
  });

  test('names three elements and counts the others', () => {
    expect(judge([1, 2, 3, 4, 5], [0, 0, 0, 0, 0])).toEqual([...new Array(3).fill(expect.any(String)), '2 more of o']);
  });
});
