/** docs/formulas.md: its tables are the vocabulary, its limits those of the compiler, its recipes compile and say what they claim. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compile } from '../../src/formula/compile';
import { TARGETS } from '../../src/formula/levels';
import { FORMULA_LIMITS } from '../../src/formula/limits';
import { evaluateTape, type Structure } from '../../src/formula/tape';
import { FUNCTIONS, INPUTS, REDUCTIONS, SHORTHANDS, TO_GO } from '../../src/formula/vocabulary';
import { HELP } from '../../src/formula/vocabularyHelp';

const page = readFileSync('docs/formulas.md', 'utf8');
const recipe = (name: string): string => readFileSync(`docs/recipes/${name}`, 'utf8');
const RECIPES = readdirSync('docs/recipes');

/** As the page's formatter aligns them, or not. */
const plain = (text: string): string => text.replace(/ +/g, ' ').replace(/-+/g, '-');

test('the tables list every name with its help', () => {
  const inputs = Object.entries({ ...INPUTS, ...SHORTHANDS }).map(
    ([name, { level }]) => `| \`${name}\` | ${level} | ${HELP[name as keyof typeof HELP]} |`,
  );
  const functions = Object.entries({ ...FUNCTIONS, to_go: TO_GO }).map(
    ([name, { takes }]) => `| \`${name}(${takes})\` | ${HELP[name as keyof typeof HELP]} |`,
  );
  for (const row of [...inputs, ...functions]) expect(plain(page)).toContain(plain(row));
  expect(page).toContain(
    `${REDUCTIONS.map((name) => `\`${name}\``).join(', ')} with ${TARGETS.map((to) => `\`_${to}\``).join(', ')}`,
  );
});

test('the limits are the compiler’s', () => {
  const { characters, parameters, shown, operations } = FORMULA_LIMITS;
  const [c, o] = [characters, operations].map((one) => one.toLocaleString('en'));
  expect(page.replace(/\n/g, ' ')).toContain(
    `${c} characters, ${parameters} parameters, ${shown} shown values and ${o} operations`,
  );
});

test('the example and every recipe compile, and the page links to each', () => {
  expect(compile(/```\n(# PPO[\s\S]*?)```/.exec(page)?.[1] ?? '').shown).toHaveLength(1);
  expect(RECIPES).toHaveLength(7);
  for (const name of RECIPES) {
    expect(page).toContain(`](recipes/${name})`);
    expect(compile(recipe(name)).reads.has('logp')).toBe(true);
  }
});

/** One trajectory of three turns with 2, 1 and 2 tokens, another of one turn with 1. */
const structure: Structure = {
  tokenTurn: Int32Array.of(0, 0, 1, 2, 2, 3),
  tokenIndex: Int32Array.of(2, 3, 6, 8, 9, 2),
  tokenWeight: new Float64Array(6).fill(1),
  turnTrajectory: Int32Array.of(0, 0, 0, 1),
  turnNumber: Int32Array.of(0, 1, 2, 0),
  trajectoryGroup: Int32Array.of(0, 0),
  groups: 1,
};
const inputs = {
  reward: [1, 0.25],
  success: [1, 0],
  turns: [10, 8],
  logp: [-1, -0.5, -2, -0.25, -3, -1.5],
  old_logp: [-1.2, -0.5, -1.5, -0.5, -2, -1.5],
  sampler_logp: [-1.2, -0.5, -0.5, -0.5, -2, -1.5],
  ref_logp: [-1, -1, -1, -1, -1, -1],
  advantage: [1, 1, 1, 1, 1, -1],
  value: [0.5, 9, 0.25, -0.5, 9, 0.75],
  position: [2, 3, 6, 8, 9, 2],
  turn_reward: [0.1, -0.2, 1, 0.3],
};

test('StepPO’s closed form is the recursion over turns', () => {
  const formula = compile(recipe('steppo.loss'));
  const [gamma, lam] = [0.9, 0.7];
  const { own } = evaluateTape(formula, structure, inputs, [gamma, lam, 0.2, 0.2]);
  const values = [0.5, 0.25, -0.5];
  const expected: number[] = [];
  for (let t = 2, next = 0; t >= 0; t--) {
    const delta = (inputs.turn_reward[t] as number) + gamma * (values[t + 1] ?? 0) - (values[t] as number);
    next = delta + gamma * lam * next;
    expected.unshift(next);
  }
  const shown = formula.shown[0];
  const got = shown === undefined ? [] : [...own(shown.node)];
  [...expected, 0.3 - 0.75].forEach((value, i) => {
    expect(got[i]).toBeCloseTo(value, 12);
  });
});

test('DPPO leaves out what has moved as far as it may, and the penalty stays', () => {
  const formula = compile(recipe('dppo-kimi.loss'));
  const { atTokens } = evaluateTape(formula, structure, inputs, [0.2, 0.2, 0.001]);
  const [masked, loss, slope] = [formula.shown[0]?.node ?? formula.loss, formula.loss, formula.byLogProb].map(
    (node) => [...atTokens(node)],
  );
  // e^-2 - e^-0.5 is far below -0.2, but the advantage pushes upwards; e^-0.25 - e^-0.5 is 0.17.
  expect(masked).toEqual([0, 0, 0, 0, 0, 0]);
  expect(loss?.[2]).toBeCloseTo(0.001 * 2.25 - Math.exp(-1.5), 12);
  const [tight] = [evaluateTape(formula, structure, inputs, [0.2, 0.1, 0.001])];
  expect(tight?.atTokens(formula.byLogProb)[3]).toBeCloseTo(0.002 * 0.25, 12);
  expect(slope?.[3]).toBeCloseTo(0.002 * 0.25 - Math.exp(0.25), 12);
});

test('SDPO’s gradient is the gap to the teacher, its weight bounded', () => {
  const formula = compile(recipe('sdpo.loss'));
  const { atTokens } = evaluateTape(formula, structure, inputs, [1.2]);
  const slope = [...atTokens(formula.byLogProb)];
  expect(slope[0]).toBeCloseTo(0, 12);
  expect(slope[1]).toBeCloseTo(0.5, 12);
  expect(slope[3]).toBeCloseTo(1.2 * 0.75, 12);
});

test('a length costs half its price at the target, and the deviation has a floor', () => {
  const formula = compile(recipe('sigmoid-length.loss'));
  const [price, target] = [0.5, 8];
  const scores = [1 - price / (1 + Math.exp(-1)), 0.25 - price / 2];
  const mean = ((scores[0] as number) + (scores[1] as number)) / 2;
  const deviation = Math.abs((scores[0] as number) - (scores[1] as number)) / Math.SQRT2;
  for (const least of [0.1, 5]) {
    const { atTokens } = evaluateTape(formula, structure, inputs, [price, target, 2, least]);
    const a = ((scores[0] as number) - mean) / Math.max(deviation, least);
    // The second token’s ratio is 1, so that its loss is −a.
    expect(atTokens(formula.loss)[1]).toBeCloseTo(-a, 12);
    expect(atTokens(formula.byLogProb)[1]).toBeCloseTo(-a, 12);
  }
});

test('confidence compares the mean log-probability of a group’s episodes', () => {
  const formula = compile(recipe('confidence.loss'));
  const { atTokens } = evaluateTape(formula, structure, inputs, [0.01]);
  const sure = [(-1.2 - 0.5 - 1.5 - 0.5 - 2) / 5, -1.5] as const;
  const a = (sure[0] - (sure[0] + sure[1]) / 2) / ((sure[0] - sure[1]) / Math.SQRT2);
  expect(atTokens(formula.loss)[1]).toBeCloseTo(-a, 12);
  expect(atTokens(formula.loss)[5]).toBeCloseTo(a, 12);
});

test('good against bad has the slope of DPO’s loss on the means, by finite differences', () => {
  const formula = compile(recipe('contrast.loss'));
  const beta = 0.7;
  const slopes = evaluateTape(formula, structure, inputs, [beta]).atTokens(formula.byLogProb);
  /** Of two trajectories with 5 tokens and 1. */
  const dpo = (logp: readonly number[]): number => {
    const moved = logp.map((one, i) => one - (inputs.ref_logp[i] as number));
    const good = moved.slice(0, 5).reduce((sum, one) => sum + one, 0) / 5;
    return Math.log1p(Math.exp(-beta * (good - (moved[5] as number))));
  };
  const step = 1e-5;
  inputs.logp.forEach((_, token) => {
    const at = (by: number) => dpo(inputs.logp.map((one, i) => (i === token ? one + by : one)));
    // Times the group’s size, and the mean number of tokens: a mean over tokens is then one over trajectories.
    expect(slopes[token]).toBeCloseTo(((at(step) - at(-step)) / (2 * step)) * 2 * 3, 8);
  });
  const alike = evaluateTape(formula, structure, { ...inputs, success: [1, 1] }, [beta]);
  expect(alike.atTokens(formula.byLogProb).every((slope) => slope === 0)).toBe(true);
});
