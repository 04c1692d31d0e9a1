/**
 * Parity cases of advantages. Every choice has a member of its own; inputs that a member's choices do not need are NaN. Most
 * rewards and weights of reward parts are multiples of powers of two: equal scores are then equal in every precision.
 */

import { isDrawn, ROLE } from '../../../foundation/roles';
import { CHOICES, type ChoiceOf } from '../../../hyperparameters/columns';
import { GROUP_COLUMNS, NO_ROLE, OUTCOME, OUTCOME_COLUMNS, REWARD_PARTS } from '../../../tensor/columns';
import { HYPER, HYPER_COLUMNS } from '../../../tensor/layout';
import { advantageScratch, TURN_PATH_COLUMNS } from '../../../tensor/operations/advantage';
import { batchOf, type DenseBatch, denseBatch } from '../batch';
import { f32, type ParityCase, randomFor, type TensorSpec, u32, unwritten } from '../case';
import { type HyperOptions, hyperTensor } from '../hyper';

const TURNS = 4;
const PART_WEIGHTS = [1, 0.5, 0, -0.25];

const credit = (name: ChoiceOf<'advantageCredit'>) => ({ advantageCredit: CHOICES.advantageCredit.indexOf(name) });
const baseline = (name: ChoiceOf<'advantageBaseline'>) => ({
  advantageBaseline: CHOICES.advantageBaseline.indexOf(name),
});
const scale = (name: ChoiceOf<'advantageScale'>) => ({ advantageScale: CHOICES.advantageScale.indexOf(name) });
const offMask = (name: ChoiceOf<'offMask'>) => ({ offMask: CHOICES.offMask.indexOf(name) });
const clock = (name: ChoiceOf<'creditClock'>) => ({ creditClock: CHOICES.creditClock.indexOf(name) });
const source = (name: ChoiceOf<'rewardSource'>) => ({ rewardSource: CHOICES.rewardSource.indexOf(name) });
const whitening = (name: ChoiceOf<'whitening'>, form: ChoiceOf<'advantageDeviation'>) => ({
  whitening: CHOICES.whitening.indexOf(name),
  whiteningDeviation: CHOICES.advantageDeviation.indexOf(form),
  whiteningEpsilon: 1e-4,
});

const filter = (name: ChoiceOf<'groupFilter'>) => ({ groupFilter: CHOICES.groupFilter.indexOf(name) });
const PENALTY = { lengthPenaltyAction: 0.25, lengthPenaltyInput: 0.125, lengthPenaltyTurns: 0.5 };
const DISCOUNTED = { discount: 0.97, gaeLambda: 0.9, turnDiscount: 0.9 };

const SCORE_MEMBERS: readonly HyperOptions[] = [
  {},
  ...CHOICES.advantageBaseline.map((_, advantageBaseline) => ({
    advantageBaseline,
    ...scale('none'),
    singletonGroup: 1,
  })),
  ...CHOICES.advantageScale.map((_, advantageScale) => ({
    advantageScale,
    advantageDeviation: advantageScale,
    singletonGroup: 1,
  })),
  ...CHOICES.advantageDeviation.map((_, advantageDeviation) => ({ advantageDeviation, advantageEpsilon: 0.01 })),
  ...CHOICES.advantageBaseline
    .slice(0, 7)
    .map((_, advantageBaseline) => ({ advantageBaseline, ...scale('batch-deviation') })),
  ...CHOICES.rewardSource.map((_, rewardSource) => ({ rewardSource, rewardKl: 0.125 })),
  { ...source('normalised-parts'), ...scale('none'), singletonGroup: 1 },
  ...CHOICES.groupFilter.map((_, groupFilter) => ({ groupFilter, groupFilterShare: 0.5, ...scale('batch-deviation') })),
  { ...PENALTY, ...scale('none') },
  { ...PENALTY, ...filter('unequal'), rewardKl: 0.125 },
  { ...PENALTY, ...source('parts'), ...filter('unequal') },
  { predictionReward: 0.5, ...filter('unequal') },
  ...CHOICES.whitening.map((_, index) => ({ whitening: index, whiteningEpsilon: 1e-4, whiteningDeviation: index })),
  { stepWeight: 1, turnDiscount: 0.5 },
  { policyGradient: { action: 1, observation: 1 }, ...whitening('tokens', 'population-floor') },
];

const CREDIT_MEMBERS: readonly HyperOptions[] = [
  ...CHOICES.advantageCredit.slice(1).flatMap((name) =>
    CHOICES.creditClock.map((clockName, k) => ({
      ...credit(name),
      ...clock(clockName),
      ...baseline('none'),
      ...scale('none'),
      ...DISCOUNTED,
      offMask: k,
      returnLambda: k % 2,
    })),
  ),
  ...CHOICES.rewardKlEstimator.map((_, rewardKlEstimator) => ({
    ...credit('reward-to-go'),
    ...DISCOUNTED,
    rewardKl: 0.25,
    rewardKlEstimator,
    ...source(rewardKlEstimator % 2 === 0 ? 'tokens' : 'parts'),
  })),
  { ...credit('gae'), ...DISCOUNTED, gaeLambdaLength: 0.5, returnLambda: 1, ...whitening('tokens', 'sample-variance') },
  {
    ...credit('gae'),
    ...DISCOUNTED,
    ...whitening('task-tokens', 'population'),
    ...offMask('carried'),
    stepWeight: 0.5,
  },
  { ...credit('bilevel-gae'), ...DISCOUNTED, policyGradient: { action: 1, observation: 0.5 }, ...offMask('carried') },
  { ...credit('gae'), ...clock('turns'), ...DISCOUNTED, rewardKl: 0.25, ...baseline('none'), ...scale('none') },
  { ...credit('reward-to-go'), discount: 1, ...baseline('greedy'), ...scale('none'), ...offMask('carried') },
  ...CHOICES.advantageBaseline.slice(7).map((name) => ({
    ...credit('reward-to-go'),
    ...baseline(name),
    ...scale('none'),
    discount: 1,
    singletonGroup: 1,
    ...offMask('returns'),
  })),
  { ...credit('reward-to-go'), ...DISCOUNTED, stepWeight: 1, ...whitening('trajectory-scale', 'sample') },
  ...CHOICES.advantageCredit
    .slice(1)
    .map((name) => ({ ...credit(name), ...DISCOUNTED, ...PENALTY, predictionReward: 0.5 })),
  { ...credit('reward-to-go'), ...DISCOUNTED, ...PENALTY, ...source('parts'), ...filter('unequal') },
  ...CHOICES.treeState.flatMap((_, treeState) =>
    [0, 2].map((treePrior) => ({ ...credit('tree'), ...DISCOUNTED, treeState, treePrior, rewardKl: 0.125 })),
  ),
  ...CHOICES.turnComparison.flatMap((_, turnComparison) =>
    CHOICES.rewardSource.map((_, rewardSource) => ({
      ...credit('turn-rewards'),
      ...DISCOUNTED,
      turnComparison,
      rewardSource,
      rewardKl: 0.125,
    })),
  ),
];

/** Fewer members for long trajectories, in which each lane has several tokens. */
const LONG_MEMBERS: readonly HyperOptions[] = [
  { ...credit('gae'), ...DISCOUNTED, ...baseline('none'), ...scale('none'), ...whitening('tokens', 'sample-variance') },
  { ...credit('bilevel-gae'), ...DISCOUNTED, returnLambda: 1, stepWeight: 1 },
  { ...credit('reward-to-go'), discount: 1, ...baseline('optimal-turn-token-tail'), ...scale('none'), stepWeight: 1 },
  { ...credit('tree'), ...DISCOUNTED, ...baseline('none'), ...scale('none'), treePrior: 2 },
  { ...credit('turn-rewards'), ...DISCOUNTED, ...whitening('tokens', 'sample-variance') },
];

/** Members for trajectories so short that some groups have no action token, and so no mean. */
const MANY_MEMBERS: readonly HyperOptions[] = [
  {},
  SCORE_MEMBERS.at(-1) as HyperOptions,
  { ...whitening('task-tokens', 'population'), ...offMask('carried') },
];

interface Sizes {
  readonly groups: readonly number[];
  readonly context: number;
}

function advantageCase(name: string, members: readonly HyperOptions[], sizes: Sizes): ParityCase {
  const random = randomFor(name);
  const batch = denseBatch(random, { members: members.length, ...sizes });
  return {
    operation: 'advantages',
    name,
    members: members.length,
    tensors: {
      ...batch.tensors,
      'batch.outcomes': outcomesOf(name, batch),
      ...tokenTensors(name, batch, members),
      hyper: withPartWeights(hyperTensor(...members)),
      advantage: unwritten(members.length, batch.trajectories * batch.context),
      returns: unwritten(members.length, batch.trajectories * batch.context),
      groupTable: unwritten(members.length, batch.groups * GROUP_COLUMNS),
      scratch: unwritten(members.length, advantageScratch(batch, TURNS)),
    },
    build: (ops, t) => {
      const inputs = {
        tokenReward: t.f32('tokenReward'),
        oldLogProb: t.f32('oldLogProb'),
        referenceLogProb: t.f32('referenceLogProb'),
        oldValue: t.f32('oldValue'),
        sumOfSquares: t.f32('sumOfSquares'),
        turnAnchor: t.u32('turnAnchor'),
        turnPath: t.u32('turnPath'),
        turns: TURNS,
      };
      const [advantage, returns] = [t.f32('advantage'), t.f32('returns')];
      const dense = batchOf(t, batch);
      ops.advantages(advantage, returns, t.f32('groupTable'), t.f32('scratch'), dense, inputs, t.f32('hyper'));
    },
    outputs: [
      { tensor: 'advantage', atol: 5e-6, rtol: 3e-5 },
      { tensor: 'returns', atol: 5e-6, rtol: 3e-5 },
      { tensor: 'groupTable', atol: 2e-6, rtol: 1e-5, exactZeros: true },
    ],
  };
}

/** Outcomes: the first group's parts are all 0.1, the others' multiples of ¼; some parts are NaN. */
function outcomesOf(name: string, { members, trajectories, tensors }: DenseBatch): TensorSpec {
  const random = randomFor(`${name}, outcomes`);
  const outcomes = Float32Array.from(tensors['batch.outcomes'].data);
  const first = tensors['batch.groupStart'].data[1];
  for (let i = 0; i < members * trajectories; i++) {
    const own = outcomes.subarray(i * OUTCOME_COLUMNS, (i + 1) * OUTCOME_COLUMNS);
    own[OUTCOME.baseline] = random.below(5) / 4;
    own[OUTCOME.environment] = random.below(2);
    own[OUTCOME.turns] = random.below(5);
    const unscored = random.below(8) === 0;
    for (let k = 0; k < REWARD_PARTS; k++) {
      const isMissing = unscored || random.below(5) === 0 || (PART_WEIGHTS[k] ?? 0) === 0;
      const part = i % trajectories < first ? 0.1 : random.below(9) / 4 - 1;
      own[OUTCOME.part + k] = isMissing ? Number.NaN : part;
    }
  }
  return f32(members, outcomes);
}

function tokenTensors(
  name: string,
  { members, trajectories, context, tensors }: DenseBatch,
  options: readonly HyperOptions[],
): Record<string, TensorSpec> {
  const random = randomFor(`${name}, tokens`);
  const roles = tensors['batch.roles'].data;
  const first = tensors['batch.groupStart'].data[1] * context;
  const stride = trajectories * context;
  const column = (value: (own: HyperOptions, isMasked: boolean, at: number) => number): TensorSpec =>
    f32(
      members,
      Array.from(roles, (role, i) => {
        const own = options[Math.floor(i / stride)];
        const isMasked = isDrawn(role) || (role === ROLE.observation && own.policyGradient?.observation);
        return role === NO_ROLE ? Number.NaN : value(own, Boolean(isMasked), i);
      }),
    );
  const isLast = (at: number): boolean => {
    const end = (Math.floor(at / context) + 1) * context;
    return roles.subarray(at + 1, end).every((role) => !isDrawn(role)) && isDrawn(roles[at]);
  };
  const reward = (at: number): number => {
    if (at % stride < first) return isLast(at) ? 0.1 : 0;
    if (isLast(at)) return random.below(5) / 4;
    return isDrawn(roles[at]) && random.below(4) === 0 ? random.below(9) / 8 - 0.5 : 0;
  };
  const needsLogProb = ({ rewardKl, advantageBaseline = 0 }: HyperOptions): boolean =>
    rewardKl !== undefined || advantageBaseline >= CHOICES.advantageBaseline.indexOf('optimal-token');
  const hasCritic = ({ advantageCredit = 0 }: HyperOptions): boolean =>
    (['gae', 'bilevel-gae'] as const).some((name) => advantageCredit === credit(name).advantageCredit);
  return {
    tokenReward: column((_, __, at) => reward(at)),
    oldLogProb: column((own, isMasked, at) => {
      const isPredicted = own.predictionReward !== undefined && roles[at] === ROLE.observation;
      return isPredicted || (isMasked && needsLogProb(own)) ? -random.unit() * 2 : Number.NaN;
    }),
    referenceLogProb: column((own, isMasked) =>
      isMasked && own.rewardKl !== undefined ? -random.unit() * 3 : Number.NaN,
    ),
    oldValue: column((own, isMasked) =>
      hasCritic(own) && (isMasked || own.offMask !== undefined) ? random.normal() : Number.NaN,
    ),
    sumOfSquares: column((own, isMasked) => (isMasked && needsLogProb(own) ? random.unit() : Number.NaN)),
    turnAnchor: u32(
      members,
      Array.from({ length: members * trajectories * TURNS }, () => random.below(3)),
    ),
    turnPath: u32(
      members,
      Array.from({ length: members * trajectories * TURNS * TURN_PATH_COLUMNS }, () => random.below(2)),
    ),
  };
}

function withPartWeights(hyper: TensorSpec): TensorSpec {
  for (let p = 0; p < hyper.members; p++)
    (hyper.data as Float32Array).set(PART_WEIGHTS, p * HYPER_COLUMNS + HYPER.rewardWeight);
  return hyper;
}

export const ADVANTAGE_CASES: readonly ParityCase[] = [
  advantageCase('advantages, every score', SCORE_MEMBERS, { groups: [4, 1, 5, 3, 2], context: 9 }),
  advantageCase('advantages, every credit', CREDIT_MEMBERS, { groups: [3, 1, 4, 4], context: 23 }),
  advantageCase('advantages of long trajectories', LONG_MEMBERS, { groups: [5, 2, 6], context: 301 }),
  advantageCase('advantages of many trajectories', MANY_MEMBERS, {
    groups: Array.from({ length: 70 }, (_, g) => 1 + (g % 3)),
    context: 5,
  }),
  advantageCase('advantages of a single target', [{ singletonGroup: 1 }], { groups: [1], context: 2 }),
];
