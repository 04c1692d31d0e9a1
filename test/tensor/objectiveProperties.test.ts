/**
 * Properties of the objective for any options, roles and numbers: tokens without a loss have a gradient of exactly 0 and
 * are not read; the order of groups does not matter; a member's numbers do not depend on others.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDrawn, ROLES } from '../../src/foundation/roles';
import { CHOICES } from '../../src/hyperparameters/columns';
import type { Backend } from '../../src/tensor/backend';
import { TERM, TERM_COLUMNS } from '../../src/tensor/columns';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { HYPER } from '../../src/tensor/layout';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { hyperRowOf, isRead, runScene, type Scene, type SceneMember, type SceneResult } from './objectiveScene';

type Numbers = Readonly<Record<string, number>>;

const choice = (list: readonly unknown[]) => fc.nat({ max: list.length - 1 });
const oneOf = (...values: readonly number[]) => fc.constantFrom(...values);
const perRole = (column: string, values: fc.Arbitrary<number>) =>
  Object.fromEntries(ROLES.map((role) => [`${column}.${role}`, values]));

/** Any options: every choice and the numbers that belong to it; others are 0, their default. */
const anyOptions: fc.Arbitrary<Numbers> = fc
  .record(
    {
      surrogate: choice(CHOICES.surrogate),
      ratioLevel: choice(CHOICES.ratioLevel),
      ratioReduction: choice(CHOICES.ratioReduction),
      ratioGradient: choice(CHOICES.ratioGradient),
      ratioBase: choice(CHOICES.ratioBase),
      logRatioClamp: choice(CHOICES.logRatioClamp),
      policyKlForm: choice(CHOICES.policyKlForm),
      aggregation: choice(CHOICES.aggregation),
      countedSequences: choice(CHOICES.countedSequences),
      decodingCorrection: choice(CHOICES.decodingCorrection),
      decodingLevel: choice(CHOICES.decodingLevel),
      offPolicyLimit: oneOf(0, 0.05),
      entropyShare: oneOf(0, 0.5),
      ratioCap: oneOf(0, 1.3),
      klEstimator: choice(CHOICES.klEstimator),
      klClamp: choice(CHOICES.klClamp),
      klStraightThrough: oneOf(0, 1),
      klRatioWeighted: oneOf(0, 1),
      klCoefficient: oneOf(0, 0.1),
      entropyCoefficient: oneOf(0, 0.02),
      worldModelForm: choice(CHOICES.worldModelForm),
      worldModelSequenceDenominator: choice(CHOICES.worldModelSequenceDenominator),
      worldModelBatchDenominator: choice(CHOICES.worldModelBatchDenominator),
      worldModelTrajectories: choice(CHOICES.worldModelTrajectories),
      worldModelTurnShare: oneOf(0, 0.5),
      worldModelTurnScope: choice(CHOICES.worldModelTurnScope),
      worldModelRewardScale: oneOf(0, 2),
      advantageCredit: choice(CHOICES.advantageCredit),
      advantageBaseline: choice(CHOICES.advantageBaseline),
      advantageScale: choice(CHOICES.advantageScale),
      advantageDeviation: choice(CHOICES.advantageDeviation),
      singletonGroup: choice(CHOICES.singletonGroup),
      whitening: choice(CHOICES.whitening),
      groupFilter: choice(CHOICES.groupFilter),
      creditClock: choice(CHOICES.creditClock),
      stepWeight: oneOf(0, 1),
      treeState: choice(CHOICES.treeState),
      turnComparison: choice(CHOICES.turnComparison),
      treePrior: oneOf(0, 2),
      rewardKl: oneOf(0, 0.1),
      valueCoefficient: oneOf(0, 0.5),
      valueClip: oneOf(0, 0.2),
      'policyGradient.action': oneOf(1, 0, 0.5),
    },
    { requiredKeys: ['policyGradient.action'] },
  )
  .chain((chosen) =>
    fc
      .record({
        ...perRole('crossEntropy', oneOf(0, 0, 0.1)),
        'policyGradient.prompt': oneOf(0, 0, 0.5),
        'policyGradient.observation': oneOf(0, 0, 1),
        'policyGradient.warning': oneOf(0, 0, -0.5),
      })
      .map((roles) => ({ ...FIXED, ...chosen, ...roles })),
  );

const FIXED: Numbers = {
  clipLow: 0.15,
  clipHigh: 0.2,
  temperature: 1,
  advantageEpsilon: 1e-4,
  whiteningEpsilon: 1e-4,
  discount: 0.95,
  gaeLambda: 0.9,
  turnDiscount: 0.9,
  groupFilterShare: 0.5,
  ratioPenalty: 0.3,
  backwardKl: 0.1,
  forwardKl: 0.1,
  covarianceShare: 0.3,
  covarianceLow: -5,
  covarianceHigh: 5,
  decodingLow: 0.8,
  decodingHigh: 1.3,
  worldModelClip: 0.2,
  worldModelThreshold: 0.4,
  worldModelDenominator: 7,
};

const anyScene = (options: fc.Arbitrary<Numbers>, smallestGroup: number): fc.Arbitrary<Scene> =>
  fc
    .record({
      seed: fc.nat({ max: 1e6 }),
      context: fc.integer({ min: 2, max: 12 }),
      sizes: fc.array(fc.integer({ min: smallestGroup, max: 4 }), { minLength: 1, maxLength: 4 }),
      options: fc.array(options, { minLength: 1, maxLength: 4 }),
    })
    .map(({ seed, context, sizes, options }) => {
      let id = 0;
      const groups = sizes.map((size) => Array.from({ length: size }, () => id++));
      const members = options.map((own, id): SceneMember => ({ id, hyper: hyperRowOf(own) }));
      return { seed, context, groups, members };
    });

const tokensOf = (result: SceneResult, p: number): ReturnType<SceneResult['token']>[] =>
  Array.from({ length: result.count }, (_, b) => result.token(p, b));

async function on<T>(create: () => Promise<Backend>, use: (backend: Backend) => Promise<T>): Promise<T> {
  const backend = await create();
  try {
    return await use(backend);
  } finally {
    backend.dispose();
  }
}

const BACKENDS = [
  { name: 'cpu', create: () => createCpuBackend(), numRuns: 120 },
  { name: 'reference, poisoned', create: async () => new ReferenceBackend({ poison: true }), numRuns: 20 },
] as const;

describe.each(BACKENDS)('$name', ({ create, numRuns }) => {
  const runs = { numRuns, seed: 5 };

  test('tokens without a loss have a gradient of exactly 0, all others a finite one', async () => {
    let [masked, moved] = [0, 0];
    await fc.assert(
      fc.asyncProperty(anyScene(anyOptions, 1), async (scene) => {
        const result = await on(create, (backend) => runScene(backend, scene));
        scene.members.forEach(({ hyper }, p) => {
          tokensOf(result, p).forEach(({ dLogProb = [], dEntropy = [], dValue = [], terms = [] }, b) => {
            const { roles, outcome } = result.trajectory(p, b);
            expect(terms.every(Number.isFinite)).toBe(true);
            roles.forEach((role, t) => {
              const [byLogProb, byEntropy, byValue] = [dLogProb[t], dEntropy[t], dValue[t]] as [number, number, number];
              expect([byLogProb, byEntropy, byValue].every(Number.isFinite)).toBe(true);
              const term = (column: number): number => terms[t * TERM_COLUMNS + column] as number;
              const hasPolicy = role < ROLES.length && hyper[HYPER.policyGradient + role] !== 0;
              const hasCrossEntropy = role < ROLES.length && hyper[HYPER.crossEntropy + role] !== 0;
              if (!isDrawn(role)) expect([byEntropy, byValue, term(TERM.regulariserLoss)]).toEqual([0, 0, 0]);
              if (!hasPolicy || outcome.usable === 0) expect(term(TERM.policyLoss)).toBe(0);
              if (!hasPolicy) expect(OF_SURROGATE.map(term)).toEqual(OF_SURROGATE.map(() => 0));
              if (!hasCrossEntropy) expect(term(TERM.crossEntropyLoss)).toBe(0);
              const without = !hasPolicy && !hasCrossEntropy && !isDrawn(role);
              if (without) expect(byLogProb).toBe(0);
              if (!isRead(hyper, role)) expect(terms.slice(t * TERM_COLUMNS, (t + 1) * TERM_COLUMNS)).toEqual(NOTHING);
              if (without) masked++;
              else if (byLogProb !== 0) moved++;
            });
          });
        });
      }),
      runs,
    );
    expect(Math.min(masked, moved)).toBeGreaterThan(100);
  });

  test('a member’s numbers are the same bit for bit alone and beside others', async () => {
    await fc.assert(
      fc.asyncProperty(anyScene(anyOptions, 1), async (scene) => {
        const together = await on(create, (backend) => runScene(backend, scene));
        for (const [p, member] of scene.members.entries()) {
          const alone = await on(create, (backend) => runScene(backend, { ...scene, members: [member] }));
          expect(alone.member(0)).toEqual(together.member(p));
          expect(tokensOf(alone, 0)).toEqual(tokensOf(together, p));
        }
      }),
      runs,
    );
  });

  test('the order of the groups does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(anyScene(withoutPlaces, 2), fc.nat(), async (scene, shift) => {
        const place = (group: readonly number[]): number => (7 * scene.groups.indexOf(group) + shift) % 5;
        const groups = [...scene.groups].sort((a, b) => place(a) - place(b));
        const before = await on(create, (backend) => runScene(backend, scene));
        const after = await on(create, (backend) => runScene(backend, { ...scene, groups }));
        const [was, is] = [scene.groups.flat(), groups.flat()];
        scene.members.forEach(({ hyper }, p) => {
          tokensOf(after, p).forEach((now, b) => {
            const expected = before.token(p, was.indexOf(is[b] as number));
            for (const [name, values] of Object.entries(now)) {
              const wanted = expected[name] as readonly number[];
              if (isExact(hyper)) expect(values, name).toEqual(wanted);
              else expect(furthest(values, wanted), name).toBeLessThan(2e-5);
            }
          });
        });
      }),
      runs,
    );
  });
});

const OF_SURROGATE = [
  ...[TERM.clipped, TERM.clippedLow, TERM.clippedHigh, TERM.clippedDual],
  ...[TERM.ratio, TERM.outside],
];

/** Terms of a token that is not read: all 0. */
const NOTHING = Array.from({ length: TERM_COLUMNS }, () => 0);

/** Any options but clip-cov, which draws its tokens by their place in the batch, and kl-cov and a filter that part ties by it. */
const withoutPlaces = anyOptions.filter(
  ({ surrogate = 0, groupFilter = 0 }) =>
    !['clip-cov', 'kl-cov'].includes(CHOICES.surrogate[surrogate] as string) &&
    CHOICES.groupFilter[groupFilter] !== 'top-deviation',
);

/** True if only whole numbers are summed over the batch, so the order of groups cannot change a bit. */
function isExact(hyper: ArrayLike<number>): boolean {
  const column = (name: keyof typeof HYPER): number => hyper[HYPER[name]] as number;
  const baseline = CHOICES.advantageBaseline[column('advantageBaseline')] as string;
  const scale = CHOICES.advantageScale[column('advantageScale')] as string;
  return (
    column('whitening') === 0 &&
    baseline !== 'batch-mean' &&
    !scale.startsWith('batch') &&
    !scale.startsWith('environment')
  );
}

function furthest(values: readonly number[], expected: readonly number[]): number {
  const scale = 1 + Math.max(...expected.map(Math.abs));
  return Math.max(...values.map((value, i) => Math.abs(value - (expected[i] as number)) / scale));
}
