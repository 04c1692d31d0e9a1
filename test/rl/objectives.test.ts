/**
 * Every choice of every objective trains: one member of a population for each, all in the same dispatches, one update of
 * two inner steps on recorded trajectories. Each backend must agree with the float64 reference in terms, gradients and
 * advantages; nothing may be NaN; and each choice must matter: its numbers differ from the default member's.
 */

import { beforeAll, describe, expect, test } from 'vitest';
import { defaultArm } from '../../src/experiment/experiment';
import { objectivePresets, withObjective } from '../../src/experiment/objectives/objectivePresets';
import { CHOICES } from '../../src/hyperparameters/columns';
import { placeboTargets } from '../../src/rl/play/placebo';
import { hyperparameters } from '../../src/rl/population';
import { GROUP_COLUMNS, TERM, TERM_COLUMNS } from '../../src/tensor/columns';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { HYPER, HYPER_COLUMNS } from '../../src/tensor/layout';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { availableBackends } from '../support/backends';
import { groupSize, type Replay, replay, small } from './replay';

type Columns = Partial<Record<keyof typeof HYPER, number>>;

/** Further settings that a choice needs to have an effect. */
const COMPANIONS: Readonly<Record<string, Columns>> = {
  'advantageCredit gae': { valueCoefficient: 0.5, gaeLambda: 0.9, discount: 0.98 },
  'advantageCredit bilevel-gae': { valueCoefficient: 0.5, gaeLambda: 0.9, discount: 0.98, turnDiscount: 0.9 },
  'advantageCredit reward-to-go': { discount: 0.9 },
  'advantageCredit tree': { treePrior: 2, turnDiscount: 0.9 },
  'advantageCredit turn-rewards': { turnDiscount: 0.9 },
  'turnComparison *': { advantageCredit: CHOICES.advantageCredit.indexOf('turn-rewards') },
  'treeState *': { advantageCredit: CHOICES.advantageCredit.indexOf('tree'), turnDiscount: 0.9, treePrior: 2 },
  'surrogate dppo-tv': { clipLow: 0.02, clipHigh: 0.02 },
  'surrogate dppo-kl': { clipLow: 0.001, clipHigh: 0.001 },
  'surrogate prime': { ratioPenalty: 0.1, clipLow: 0.02, clipHigh: 0.02 },
  'surrogate ipo': { ratioPenalty: 0.1, clipHigh: 0.02 },
  'surrogate dro': { ratioPenalty: 0.5 },
  'surrogate clip-cov': { covarianceShare: 1, covarianceLow: -10, covarianceHigh: 10 },
  'surrogate kl-cov': { covarianceShare: 0.3, ratioPenalty: 1 },
  'surrogate reinforce-kl': { backwardKl: 0.1, forwardKl: 0.1, ratioBase: 1 },
  'surrogate icepop': { ratioBase: 1, clipLow: 0.05, clipHigh: 0.05 },
  'klEstimator *': { klCoefficient: 0.2, learningRate: 0.02 },
  'klClamp *': { klCoefficient: 0.2, learningRate: 0.02 },
  'worldModelForm constant-advantage': { worldModelClip: 0.01, learningRate: 0.02 },
  'worldModelForm probability-threshold': { worldModelThreshold: 0.8 },
  'rewardKlEstimator *': { rewardKl: 0.1 },
  'groupFilter top-deviation': { groupFilterShare: 0.4 },
  'groupFilter variance-mass': { groupFilterShare: 0.5 },
  'decodingCorrection *': { decodingLow: 0.9, decodingHigh: 1.1 },
  'worldModelBatchDenominator given': { worldModelDenominator: 77 },
  'worldModelTurnScope *': { worldModelTurnShare: 0.4 },
  'rewardSource *': { rewardWeight: 0.7 },
  'whiteningDeviation *': { whitening: 1 },
  'ratioGradient *': { ratioLevel: 2 },
  'creditClock *': { advantageCredit: CHOICES.advantageCredit.indexOf('reward-to-go'), discount: 0.9 },
  'ratioReduction *': { ratioLevel: 2, learningRate: 0.02 },
  'policyKlForm *': {
    surrogate: CHOICES.surrogate.indexOf('reinforce-kl'),
    backwardKl: 0.1,
    forwardKl: 0.1,
    ratioBase: 1,
  },
  'ratioBound *': { surrogate: CHOICES.surrogate.indexOf('cispo'), clipLow: 0.01, clipHigh: 0.01, learningRate: 0.02 },
};

/**
 * Choices that rightly give the default's numbers on this data: bounds that no log-ratio here reaches, groups that all
 * have more than one trajectory, a single environment.
 */
const SAME_HERE = [
  'ratioLevel turn',
  'klClamp',
  'logRatioClamp',
  'singletonGroup',
  'countedSequences',
  'offMask',
  'decodingLevel',
  'returnLambda',
];

interface Case {
  readonly name: string;
  readonly columns: Columns;
}

const CASES: readonly Case[] = [
  { name: 'default', columns: {} },
  ...Object.entries(CHOICES).flatMap(([column, choices]) =>
    choices.slice(1).map((choice, i): Case => {
      const companions = COMPANIONS[`${column} ${choice}`] ?? COMPANIONS[`${column} *`] ?? {};
      return { name: `${column} ${choice}`, columns: { ...companions, [column]: i + 1 } };
    }),
  ),
  { name: 'dual clip', columns: { ratioCap: 1.0001, learningRate: 0.02 } },
  { name: 'GiGPO', columns: { stepWeight: 1, turnDiscount: 0.9 } },
  { name: 'entropyShare', columns: { entropyShare: 0.3 } },
  { name: 'offPolicyLimit', columns: { offPolicyLimit: 0.01, ratioBase: 1 } },
  {
    name: 'PaW',
    columns: { worldModelTurnShare: 0.75, worldModelForm: 2, worldModelThreshold: 0.8, worldModelRewardScale: 1 },
  },
  { name: 'length penalty', columns: { lengthPenaltyAction: 0.2, lengthPenaltyTurns: 0.1 } },
  { name: 'predictionReward', columns: { predictionReward: 1 } },
  { name: 'well-formed only', columns: { worldModelMinValid: 1 } },
];

const BASE = {
  ...defaultArm('a', 'A'),
  innerEpochs: 2,
  entropyCoefficient: 0.02,
  klCoefficient: 0.02,
  advantageEpsilon: 0.05,
  clipLow: 0.05,
  clipHigh: 0.05,
  learningRate: 0.01,
};
const ARM = { ...BASE, ce: { ...BASE.ce, observation: 0.2 } };

function table(): Float32Array {
  const row = hyperparameters([{ armIndex: 0, arm: 'a', seed: 0 }], [ARM], 0);
  const all = new Float32Array(CASES.length * HYPER_COLUMNS);
  CASES.forEach(({ columns }, p) => {
    all.set(row, p * HYPER_COLUMNS);
    for (const [name, value] of Object.entries(columns))
      all[p * HYPER_COLUMNS + HYPER[name as keyof typeof HYPER]] = value;
  });
  return all;
}

/**
 * Fewest groups that show every choice, because the reference is slow: all trajectories succeed, some do, or only one
 * does (the only kind that Pass@k learns from).
 */
const DATA = { first: 2, groups: 3 };

const run = (backend: Parameters<typeof replay>[0]): Promise<Replay> => {
  const epochs = CASES.map(() => 2);
  return replay(backend, table(), epochs, { updates: 1, ...DATA, configuration: small, diagnostics: false });
};

/** Member p's part of a [P, …] array. */
function own(values: ArrayLike<number>, p: number, members = CASES.length): number[] {
  const stride = values.length / members;
  return Array.from({ length: stride }, (_, i) => values[p * stride + i] as number);
}

function furthest(a: readonly number[], b: readonly number[], relative: number): number {
  return Math.max(...a.map((value, i) => Math.abs(value - (b[i] as number)) - relative * Math.abs(b[i] as number)));
}

let expected: Replay;
beforeAll(async () => {
  expected = await run(new ReferenceBackend());
});

describe('on the reference', () => {
  test.each(CASES.map(({ name }, p) => ({ name, p })))('$name is defined everywhere, and matters', ({ name, p }) => {
    const parameters = own(expected.parameters, p);
    expect(parameters.every(Number.isFinite)).toBe(true);
    for (const { firstTerms, laterTerms, gradNorm } of expected.readbacks) {
      expect([...own(firstTerms, p), ...own(laterTerms, p), ...own(gradNorm, p)].every(Number.isFinite)).toBe(true);
      expect(own(gradNorm, p)[0]).toBeGreaterThan(0);
    }
    if (p === 0 || SAME_HERE.some((column) => name.startsWith(column))) return;
    expect(furthest(parameters, own(expected.parameters, 0), 0)).toBeGreaterThan(1e-6);
  });
});

/** In the order of their columns. */
const TERM_NAMES = Object.entries(TERM)
  .sort(([, a], [, b]) => a - b)
  .map(([name]) => name);

interface Compared {
  readonly what: string;
  readonly got: readonly number[];
  readonly wanted: readonly number[];
  readonly rtol: number;
  readonly atol: number;
  readonly names?: readonly string[];
}

/** Numbers that are further from the reference's than is allowed, each by its name or place. */
const differencesOf = ({ what, got, wanted, rtol, atol, names }: Compared): string[] =>
  got.flatMap((value, i) => {
    const expected = wanted[i] as number;
    if (Math.abs(value - expected) < atol + rtol * Math.abs(expected)) return [];
    return [`${what}, ${names?.[i] ?? i}, is ${value}, expected ${expected}`];
  });

describe.each(availableBackends)('on $name', ({ create }) => {
  let actual: Replay;
  beforeAll(async () => {
    actual = await run(await create());
  });

  test.each(CASES.map(({ name }, p) => ({ name, p })))('$name agrees with the reference', ({ p }) => {
    const dense = (['advantage', 'policyWeight', 'crossEntropyWeight'] as const).map((what) => ({
      what,
      got: own(actual[what], p),
      wanted: own(expected[what], p),
      rtol: 1e-3,
      atol: what === 'advantage' ? 2e-3 : 1e-4,
    }));
    const steps = expected.readbacks.flatMap((wanted, i): Compared[] => {
      const got = actual.readbacks[i] as typeof wanted;
      const of = (name: 'firstTerms' | 'gradNorm') => ({
        what: `${name} of inner step ${i}`,
        got: own(got[name], p),
        wanted: own(wanted[name], p),
      });
      return [
        { ...of('firstTerms'), rtol: 2e-3, atol: 4e-3, names: TERM_NAMES },
        { ...of('gradNorm'), rtol: 5e-3, atol: 1e-4 },
      ];
    });
    expect(own(actual.readbacks[0]?.firstTerms ?? [], p)).toHaveLength(TERM_COLUMNS);
    expect([...dense, ...steps].flatMap(differencesOf)).toEqual([]);
  });
});

describe('The presets', () => {
  /** Objectives that are alike until the schedule's step, many updates later. */
  const SAME_AT_FIRST = [['world-model', 'step-decay']] as const;
  // Three steps so long that every bound acts somewhere.
  const arms = objectivePresets.map((preset) => ({
    ...withObjective(defaultArm(preset.id, preset.title), preset),
    learningRate: 0.1,
    innerEpochs: 3,
  }));
  const members = arms.map(({ id }, armIndex) => ({ armIndex, arm: id, seed: 0 }));
  let found: { readonly id: string; readonly parameters: number[]; readonly terms: number[] }[];
  beforeAll(async () => {
    const epochs = arms.map(({ innerEpochs }) => innerEpochs);
    const { parameters, readbacks } = await replay(await createCpuBackend(), hyperparameters(members, arms), epochs, {
      updates: 1,
      ...DATA,
      configuration: small,
      diagnostics: false,
      targetsOf: (trajectories, update) => placeboTargets(trajectories, members, arms, 1, update),
    });
    found = arms.map(({ id }, p) => ({
      id,
      parameters: own(parameters, p, arms.length),
      terms: readbacks.flatMap(({ firstTerms, laterTerms, gradNorm }) =>
        [firstTerms, laterTerms, gradNorm].flatMap((values) => own(values, p, arms.length)),
      ),
    }));
  });

  test.each(objectivePresets.map(({ id }, p) => ({ id, p })))('$id trains: every number is finite', ({ p }) => {
    const { parameters, terms } = found[p] as (typeof found)[number];
    expect([...parameters, ...terms].every(Number.isFinite)).toBe(true);
    expect(terms.at(-1)).toBeGreaterThan(0);
  });

  test('are all different, but for those that only time tells apart', () => {
    const alike = found.flatMap((a, i) =>
      found
        .slice(i + 1)
        .filter((b) => furthest(a.parameters, b.parameters, 0) < 1e-4 && furthest(a.terms, b.terms, 0) < 1e-3)
        .map((b) => [a.id, b.id]),
    );
    expect(alike).toEqual(SAME_AT_FIRST);
    const later = hyperparameters(members, arms, 1e6);
    for (const [a, b] of SAME_AT_FIRST) {
      const [first, second] = [a, b].map((id) =>
        own(
          later,
          members.findIndex(({ arm }) => arm === id),
          arms.length,
        ),
      );
      expect(first).not.toEqual(second);
    }
  });
});

test('the replay has as many groups as it says', () => {
  expect(expected.readbacks[0]?.group.length).toBe(CASES.length * DATA.groups * GROUP_COLUMNS);
  expect(expected.advantage.length % (DATA.groups * groupSize)).toBe(0);
});
