// Losses, derivatives and shown values of 72 formulas against PyTorch's autograd in float64.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile } from '../../src/formula/compile';
import type { Node } from '../../src/formula/graph';
import { evaluateTape, type Structure } from '../../src/formula/tape';

interface Numbers {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

interface Case {
  readonly name: string;
  readonly params: { readonly formula: string; readonly values: Readonly<Record<string, number>> };
  readonly inputs: Readonly<Record<string, Numbers>>;
  readonly expected: Readonly<Record<string, Numbers>> & { readonly shows: Readonly<Record<string, number>> };
}

const cases: readonly Case[] = JSON.parse(readFileSync('test/fixtures/formula.json', 'utf8'));

/** The case's own tokens, and who belongs to whom among them. */
function structureOf({ inputs }: Case): { own: readonly number[]; turns: readonly number[]; structure: Structure } {
  const of = (name: string) => inputs[name]?.data ?? [];
  const T = inputs.token_mask?.shape[1] ?? 0;
  const own = of('token_mask').flatMap((mask, at) => (mask === 1 ? [at] : []));
  const turnOf = (at: number) => `${Math.floor(at / T)} ${of('turn')[at]}`;
  const turns = own.filter((at, i) => i === 0 || turnOf(own[i - 1] ?? -1) !== turnOf(at));
  const turnNames = turns.map(turnOf);
  const structure = {
    tokenTurn: Int32Array.from(own, (at) => turnNames.indexOf(turnOf(at))),
    tokenIndex: Int32Array.from(own, (at) => at % T),
    tokenWeight: new Float64Array(own.length).fill(1),
    turnTrajectory: Int32Array.from(turns, (at) => Math.floor(at / T)),
    turnNumber: Int32Array.from(turns, (at) => of('turn')[at] ?? 0),
    trajectoryGroup: Int32Array.from(of('group')),
    groups: Math.max(...of('group')) + 1,
  };
  return { own, turns, structure };
}

test.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
  const formula = compile(one.params.formula);
  const { own, turns, structure } = structureOf(one);
  const given = (name: string, places: readonly number[]) =>
    places.map((at) => one.inputs[name]?.data[at] ?? Number.NaN);
  const inputs = {
    logp: given('log_prob', own),
    entropy: given('entropy', own),
    old_logp: given('old_log_prob', own),
    sampler_logp: given('sampler_log_prob', own),
    ref_logp: given('ref_log_prob', own),
    advantage: given('advantage', own),
    turn_reward: given('turn_reward', turns),
    reward: one.inputs.reward?.data ?? [],
    success: one.inputs.success?.data ?? [],
  };
  const parameters = formula.parameters.map((parameter) => one.params.values[parameter.name] ?? parameter.default);
  const { atTokens } = evaluateTape(formula, structure, inputs, parameters);
  const outputs: readonly [string, Node][] = [
    ['token_loss', formula.loss],
    ['grad_log_prob', formula.byLogProb],
    ['grad_entropy', formula.byEntropy],
  ];
  for (const [name, node] of outputs) {
    const got = atTokens(node);
    const expected = given('token_mask', own).map((__, i) => one.expected[name]?.data[own[i] ?? 0] ?? Number.NaN);
    expected.forEach((value, i) => {
      expect(Math.abs((got[i] ?? Number.NaN) - value), `${name} of token ${own[i]}`).toBeLessThan(
        1e-8 * (1 + Math.abs(value)),
      );
    });
  }
  for (const { name, node } of formula.shown) {
    const values = atTokens(node);
    expect(values.reduce((a, b) => a + b, 0) / values.length).toBeCloseTo(one.expected.shows[name] ?? Number.NaN, 8);
  }
});
