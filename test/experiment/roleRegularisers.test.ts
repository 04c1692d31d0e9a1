// KL as a formula is the lab's own KL: value and slope, with every estimator and bound.
import { expect, test } from 'vitest';
import { formulaOf } from '../../src/experiment/arm/ownLosses';
import { formulaLosses, klText, POSITIVE_TEXT } from '../../src/experiment/arm/roleRegularisers';
import { scheduledArm } from '../../src/experiment/arm/schedule';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { evaluateTape } from '../../src/formula/tape';
import { CHOICES } from '../../src/hyperparameters/columns';
import { estimateKl, ratioWeighted } from '../../src/tensor/objective/kl';

const arm = defaultArm('one', 'One');
const GAPS = [-60, -30, -20, -11, -2.7, -0.3, -1e-4, 0, 1e-4, 0.4, 2.5, 9, 10.5, 20, 31, 60];
/** Beyond 85 the lab's own functions end the argument of exp otherwise; float32 ends at 88. */
const LOG_RATIOS = [-25, -0.5, 0, 0.5, 25];

const tokens = GAPS.flatMap((gap) => LOG_RATIOS.map((logRatio) => ({ gap, logRatio })));
const structure = {
  tokenTurn: new Int32Array(tokens.length),
  tokenIndex: Int32Array.from(tokens, (_, i) => i),
  tokenWeight: new Float64Array(tokens.length).fill(1),
  turnTrajectory: Int32Array.of(0),
  turnNumber: Int32Array.of(0),
  trajectoryGroup: Int32Array.of(0),
  groups: 1,
};

const settings = CHOICES.klEstimator.flatMap((klEstimator) =>
  CHOICES.klClamp.flatMap((klClamp) =>
    [false, true].flatMap((klStraightThrough) =>
      [false, true].map((klRatioWeighted) => ({ klEstimator, klClamp, klStraightThrough, klRatioWeighted })),
    ),
  ),
);

test.each(settings)('%j', (choices) => {
  const formula = formulaOf(klText({ ...arm, ...choices }));
  const inputs = {
    logp: tokens.map(() => -1),
    ref_logp: tokens.map(({ gap }) => -1 - gap),
    old_logp: tokens.map(({ logRatio }) => -1 - logRatio),
  };
  const { atTokens } = evaluateTape(formula, structure, inputs, []);
  const [loss, slope] = [atTokens(formula.loss), atTokens(formula.byLogProb)];
  tokens.forEach((_, i) => {
    // As the text computes them: −1 − (−1 − gap) is not gap.
    const gap = -1 - (inputs.ref_logp[i] ?? 0);
    const plain = estimateKl(gap, choices);
    const logRatio = -1 - (inputs.old_logp[i] ?? 0);
    const expected = choices.klRatioWeighted ? ratioWeighted(plain, logRatio, choices) : plain;
    // Value and slope of the estimate add up before the ratio multiplies them.
    const size = 1 + Math.abs(plain.value) + Math.abs(plain.derivative);
    const tolerance = 1e-12 * size * (choices.klRatioWeighted ? Math.exp(Math.min(logRatio, 85)) + 1 : 1);
    expect(Math.abs((loss[i] ?? Number.NaN) - expected.value), `value at gap ${gap}`).toBeLessThanOrEqual(tolerance);
    expect(Math.abs((slope[i] ?? Number.NaN) - expected.derivative), `slope at ${gap}`).toBeLessThanOrEqual(tolerance);
  });
});

test('only weights off the actions make a loss', () => {
  const regularised: Arm = { ...arm, klCoefficient: 0.1, entropyCoefficient: 0.01 };
  expect(formulaLosses(regularised)).toEqual([]);
  const leaking: Arm = { ...regularised, kl: { ...arm.kl, observation: 0.5 } };
  expect(formulaLosses(leaking)).toMatchObject([{ place: 'added', on: { action: 0, observation: 0.05 } }]);
  expect(formulaLosses({ ...leaking, klCoefficient: 0 })).toEqual([]);
});

test('imitation of successes is the mean −log p of their actions, and nothing where none succeeded', () => {
  const formula = formulaOf(POSITIVE_TEXT);
  // Trajectories of three, two and one tokens.
  const structure = {
    tokenTurn: Int32Array.of(0, 0, 0, 1, 1, 2),
    tokenIndex: Int32Array.of(0, 1, 2, 0, 1, 0),
    tokenWeight: new Float64Array(6).fill(1 / 6),
    turnTrajectory: Int32Array.of(0, 1, 2),
    turnNumber: Int32Array.of(0, 0, 0),
    trajectoryGroup: Int32Array.of(0, 0, 0),
    groups: 1,
  };
  const logp = [-0.1, -0.7, -2, -5, -1, -0.4];
  const at = (success: number[]) => {
    const { atTokens } = evaluateTape(formula, structure, { logp, success }, []);
    const loss = Array.from(atTokens(formula.loss)).reduce((sum, value) => sum + value / 6, 0);
    // The derivative has the token's weight in it.
    return { loss, slope: Array.from(atTokens(formula.byLogProb)) };
  };
  const some = at([1, 0, 1]);
  expect(some.loss).toBeCloseTo((0.1 + 0.7 + 2 + 0.4) / 4, 12);
  [-0.25, -0.25, -0.25, 0, 0, -0.25].forEach((slope, i) => {
    expect(some.slope[i]).toBeCloseTo(slope, 12);
  });
  expect(at([0, 0, 0]).loss).toBeCloseTo(0, 12);
});

test('imitation of successes has no weight while an update has no policy loss, and stays compiled', () => {
  const imitating: Arm = { ...arm, positiveNll: 0.1, valueCoefficient: 0.5, criticWarmUp: 3 };
  const [first, later] = [0, 3].map((update) => formulaLosses(scheduledArm(imitating, update)));
  expect(later).toMatchObject([{ place: 'added', text: POSITIVE_TEXT, on: { action: 0.1, observation: 0 } }]);
  expect(first).toMatchObject([{ text: POSITIVE_TEXT, on: { action: 0, observation: 0 } }]);
});
