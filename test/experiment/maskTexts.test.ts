/** Masks as texts: what they come to, against the same by hand in doubles. */
import { expect, test } from 'vitest';
import { MASK_TEXTS } from '../../src/experiment/presets/losses/maskTexts';
import { findPreset } from '../../src/experiment/presets/presets';
import { compile } from '../../src/formula/compile';
import { evaluateTape, type Structure } from '../../src/formula/tape';

/** Three trajectories of one group: two turns of an action and its answer, then two of one turn each. */
const structure: Structure = {
  tokenTurn: Int32Array.of(0, 0, 1, 1, 2, 2, 3, 3),
  tokenIndex: Int32Array.of(2, 3, 4, 5, 2, 3, 2, 3),
  tokenWeight: new Float64Array(8).fill(1),
  turnTrajectory: Int32Array.of(0, 0, 1, 2),
  turnNumber: Int32Array.of(0, 1, 0, 0),
  trajectoryGroup: Int32Array.of(0, 0, 0),
  groups: 1,
};
const isAction = [1, 0, 1, 0, 1, 0, 1, 0];
const inputs = {
  logp: [-1, -0.2, -2, -3, -0.25, -3, -1.5, -0.7],
  old_logp: [-1.5, -0.9, -1.5, -0.5, -0.5, -2, -1.5, -0.1],
  advantage: [1, 1, 1, 1, -0.5, -0.5, -0.5, -0.5],
  is_action: isAction,
  valid: [1, 0.5, 1],
};
const clip = (ratio: number): number => Math.min(Math.max(ratio, 0.8), 1.2);
const ppo = inputs.logp.map((logp, i) => {
  const [ratio, A] = [Math.exp(logp - (inputs.old_logp[i] as number)), inputs.advantage[i] as number];
  return -Math.min(ratio * A, clip(ratio) * A);
});
const slopes = inputs.logp.map((logp, i) => {
  const [ratio, A] = [Math.exp(logp - (inputs.old_logp[i] as number)), inputs.advantage[i] as number];
  return ratio * A <= clip(ratio) * A ? -ratio * A : 0;
});

function run(text: keyof typeof MASK_TEXTS) {
  const formula = compile(MASK_TEXTS[text]);
  const { atTokens } = evaluateTape(formula, structure, inputs, [0.2, 0.2]);
  const shown = Object.fromEntries(formula.shown.map(({ name, node }) => [name, [...atTokens(node)]]));
  return { loss: [...atTokens(formula.loss)], slope: [...atTokens(formula.byLogProb)], shown };
}

test('a mask inside of the ratio has the derivatives of one outside, token for token and bit for bit', () => {
  const [inside, outside] = [run('inside'), run('outside')];
  expect(inside.slope.map((slope) => slope + 0)).toEqual(outside.slope.map((slope) => slope + 0));
  outside.slope.forEach((slope, i) => {
    expect(slope).toBeCloseTo(isAction[i] === 1 ? (slopes[i] as number) : 0, 12);
  });
});

test('and logs another ratio and another clip fraction', () => {
  const [inside, outside] = [run('inside').shown, run('outside').shown];
  const ratios = inputs.logp.map((logp, i) => Math.exp(logp - (inputs.old_logp[i] as number)));
  expect(outside.mean_ratio?.map((ratio) => ratio.toFixed(9))).toEqual(ratios.map((ratio) => ratio.toFixed(9)));
  isAction.forEach((one, i) => {
    if (one === 0) expect(inside.mean_ratio?.[i]).toBe(1);
    else expect(inside.mean_ratio?.[i]).toBe(outside.mean_ratio?.[i]);
  });
  const count = (list: readonly number[] = []): number => list.reduce((sum, value) => sum + value, 0);
  expect([count(inside.clip_fraction), count(outside.clip_fraction)]).toEqual([3, 7]);
});

test('trajectories with a void turn have neither loss nor gradient, and the mean is over the tokens of the others', () => {
  const { loss, slope, shown } = run('void');
  const kept = [1, 1, 1, 1, 0, 0, 1, 1];
  expect(shown.kept_tokens).toEqual(kept);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const ofKept = (values: readonly number[]): number[] => values.filter((_, i) => kept[i] === 1);
  expect(mean(loss)).toBeCloseTo(mean(ofKept(ppo)), 12);
  kept.forEach((one, i) => {
    expect(slope[i]).toBeCloseTo(one === 1 ? (slopes[i] as number) * (8 / 6) : 0, 12);
  });
});

test('where every trajectory has one there is no loss, and nothing that is not finite', () => {
  const formula = compile(MASK_TEXTS.void);
  const { atTokens } = evaluateTape(formula, structure, { ...inputs, valid: [0.5, 0, 0.75] }, [0.2, 0.2]);
  for (const node of [formula.loss, formula.byLogProb])
    expect([...atTokens(node)].map((value) => value + 0)).toEqual(new Array(8).fill(0));
});

test('each experiment has the text beside the same arm without it', () => {
  const [outside, inside] = findPreset('mask-in-ratio')?.experiment.arms ?? [];
  expect({ ...inside, id: outside?.id, name: outside?.name, losses: outside?.losses }).toEqual(outside);
  const [all, without] = findPreset('void-turns')?.experiment.arms ?? [];
  expect({ ...without, id: all?.id, name: all?.name, losses: [] }).toEqual(all);
  expect(without?.losses[0]?.text).toBe(MASK_TEXTS.void);
});
