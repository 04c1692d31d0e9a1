// Texts of the lab's own losses against the functions they stand for: value and slope of random tokens.
import { describe, expect, test } from 'vitest';
import { policyText, predictionText } from '../../src/experiment/arm/formulaTexts';
import { formulaOf } from '../../src/experiment/arm/ownLosses';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { objectivePresets, withObjective } from '../../src/experiment/objectives/objectivePresets';
import { evaluateTape, type Structure } from '../../src/formula/tape';
import { CHOICES } from '../../src/hyperparameters/columns';
import { randomFor } from '../../src/parity/cases/case';
import { hyperparameters } from '../../src/rl/population';
import { policyMember } from '../../src/tensor/objective/policy/member';
import { isShared } from '../../src/tensor/objective/policy/segments';
import { formLosses } from '../../src/tensor/objective/worldModel/forms';
import { worldModelMember } from '../../src/tensor/objective/worldModel/member';
import { surrogateOf } from '../tensor/oneSurrogate';

const usual = defaultArm('one', 'One');

/** Three trajectories of three turns of two tokens each. */
const TURN = 2;
const TRAJECTORY = 3 * TURN;
const TOKENS = 3 * TRAJECTORY;
const from = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

const structure: Structure = {
  tokenTurn: Int32Array.from(from(TOKENS, (i) => Math.floor(i / TURN))),
  tokenIndex: Int32Array.from(from(TOKENS, (i) => i % TRAJECTORY)),
  tokenWeight: new Float64Array(TOKENS).fill(1),
  turnTrajectory: Int32Array.from(from(TOKENS / TURN, (i) => Math.floor((i * TURN) / TRAJECTORY))),
  turnNumber: Int32Array.from(from(TOKENS / TURN, (i) => i % (TRAJECTORY / TURN))),
  trajectoryGroup: Int32Array.of(0, 0, 0),
  groups: 1,
};

/** Log-probs as a formula reads them; half of the tokens have moved far, one in nine has no advantage. */
function tokensOf(name: string, spread: number) {
  const random = randomFor(name);
  const old = from(TOKENS, () => -0.05 - 2 * Math.abs(random.normal()));
  return {
    logp: old.map((one, i) => Math.min(-1e-3, one + (i % 2 === 0 ? spread : 0.05) * random.normal())),
    old_logp: old,
    sampler_logp: old.map((one) => one - 0.1 * Math.abs(random.normal())),
    advantage: from(TOKENS, (i) => (i % 9 === 8 ? 0 : random.normal())),
  };
}

type Tokens = ReturnType<typeof tokensOf>;

function evaluated(text: string, tokens: Tokens) {
  const formula = formulaOf(text);
  const values = formula.parameters.map(({ default: value }) => value);
  const { atTokens } = evaluateTape(formula, structure, tokens, values);
  return { losses: atTokens(formula.loss), slopes: atTokens(formula.byLogProb) };
}

/** The arm's row as the lab's functions read it, its numbers unrounded. */
const rowOf = (arm: Arm): Float32Array => hyperparameters([{ armIndex: 0, arm: arm.id, seed: 0 }], [arm]);
const memberOf = (arm: Arm) => ({ ...policyMember(rowOf(arm)), ...arm });

/** The lab's own: each segment's log-ratio, its tokens' losses, and what a shared ratio passes on to each of them. */
function labs(arm: Arm, { logp, old_logp, sampler_logp, advantage }: Tokens) {
  const member = memberOf(arm);
  const joint = arm.surrogate === 'gmpo' || arm.surrogate === 'vespo';
  const level = joint && arm.ratioLevel === 'token' ? 'sequence' : arm.ratioLevel;
  const size = { token: 1, turn: TURN, sequence: TRAJECTORY }[level];
  const base = arm.ratioBase === 'behaviour' ? sampler_logp : old_logp;
  const own = logp.map((one, i) => one - (base[i] ?? 0));
  const bounded = own.map((d, i) => {
    const A = advantage[i] ?? 0;
    if (arm.surrogate === 'vespo') return Math.min(Math.max(d, -20), 20);
    if (arm.surrogate !== 'gmpo') return d;
    return A === 0 ? 0 : A > 0 ? Math.min(d, arm.clipHigh) : Math.max(d, -arm.clipLow);
  });
  const [losses, slopes]: [number[], number[]] = [[], []];
  for (let first = 0; first < TOKENS; first += size) {
    const places = from(size, (i) => first + i);
    const sum = places.reduce((total, i) => total + (bounded[i] ?? 0), 0);
    const isSum = arm.surrogate === 'vespo' || (arm.surrogate !== 'gmpo' && arm.ratioReduction === 'sum');
    const mean = isSum ? sum : sum / size;
    const logRatio = arm.surrogate === 'vespo' ? Math.min(Math.max(mean, Math.log(1e-8)), 20) : mean;
    const found = places.map((i) =>
      surrogateOf(
        {
          logRatio,
          logProb: logp[i] ?? 0,
          baseLogProb: base[i] ?? 0,
          advantage: advantage[i] ?? 0,
          selection: 1,
        },
        member,
      ),
    );
    const shared = found.reduce((total, { byRatio }) => total + byRatio, 0) / (isSum ? 1 : size);
    found.forEach(({ loss, byLogProb, byRatio, clipped }, place) => {
      losses.push(loss);
      const isHeld = arm.surrogate === 'gmpo' && (clipped !== 0 || advantage[first + place] === 0);
      slopes.push(byLogProb + (isShared({ ...member, ratioLevel: level }) ? (isHeld ? 0 : shared) : byRatio));
    });
  }
  return { losses, slopes };
}

function expectEqual(got: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  for (let i = 0; i < expected.length; i++) {
    const value = expected[i] ?? Number.NaN;
    expect(Math.abs((got[i] ?? Number.NaN) - value), `${what} of token ${i}`).toBeLessThanOrEqual(
      1e-12 * (1 + Math.abs(value)),
    );
  }
}

const SURROGATES = CHOICES.surrogate.filter((surrogate) => surrogate !== 'kl-cov');

const settings = SURROGATES.flatMap((surrogate) =>
  CHOICES.ratioLevel.flatMap((ratioLevel) =>
    CHOICES.ratioReduction.flatMap((ratioReduction) =>
      CHOICES.ratioGradient.map((ratioGradient) => ({ surrogate, ratioLevel, ratioReduction, ratioGradient })),
    ),
  ),
);

describe('the policy loss as a text is the lab’s own', () => {
  test.each(settings)('%j', (choices) => {
    const others: Partial<Arm>[] = [
      {},
      { clipLow: 0.1, clipHigh: 0.28, ratioCap: 3, ratioBase: 'behaviour', ratioBound: 'absolute-above' },
      { logRatioClamp: 'none', policyKlForm: 'estimator', forwardKl: 0.3, ratioCap: 1.1 },
      { logRatioClamp: 'below-10', sapoPositive: 2, sapoNegative: 3, ratioPenalty: 0.2 },
    ];
    for (const other of others) {
      const arm: Arm = { ...usual, ...other, ...choices };
      for (const spread of [0.3, 1.5]) {
        const tokens = tokensOf(JSON.stringify([choices, other, spread]), spread);
        const [got, expected] = [evaluated(policyText(arm), tokens), labs(arm, tokens)];
        expectEqual(got.losses, expected.losses, `loss with ${JSON.stringify(other)}`);
        expectEqual(got.slopes, expected.slopes, `slope with ${JSON.stringify(other)}`);
      }
    }
  });
});

test.each(CHOICES.worldModelForm)('the prediction loss %s as a text is the lab’s own', (worldModelForm) => {
  for (const threshold of [0.2, 0.8]) {
    const arm: Arm = { ...usual, worldModelForm, worldModelThreshold: threshold, worldModelClip: 0.3 };
    const tokens = tokensOf(`${worldModelForm} ${threshold}`, 0.5);
    const member = { ...worldModelMember(rowOf(arm)), ...arm };
    const [logProb, oldLogProb] = [Float64Array.from(tokens.logp), Float64Array.from(tokens.old_logp)];
    const expected = formLosses(TOKENS, { logProb, oldLogProb }, member);
    const got = evaluated(predictionText(arm), tokens);
    expectEqual(got.losses, expected('loss').subarray(0, TOKENS), 'loss');
    expectEqual(got.slopes, expected('byLogProb').subarray(0, TOKENS), 'slope');
  }
});

test('every objective has a text that compiles, and says what it leaves out', () => {
  for (const preset of objectivePresets) {
    const arm = withObjective(usual, preset);
    for (const text of [policyText(arm), predictionText(arm)]) expect(() => formulaOf(text), preset.id).not.toThrow();
  }
  const partial: Arm = { ...usual, surrogate: 'clip-cov', entropyShare: 0.2, offPolicyLimit: 1 };
  expect(policyText(partial).match(/^# Not said here/gm)).toHaveLength(3);
});
