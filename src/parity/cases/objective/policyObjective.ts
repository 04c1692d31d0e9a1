/**
 * Parity cases of the policy objective around its pass over tokens: weights (a few divisions of small integers and an exp),
 * selection, value loss, sums.
 */

import { ROLE } from '../../../foundation/roles';
import { CHOICES } from '../../../hyperparameters/columns';
import { TERM, TERM_COLUMNS } from '../../../tensor/columns';
import { policyWeightScratch, selectionScratch } from '../../../tensor/operations/policyObjective';
import { batchOf, contextOf, denseBatch, denseOfRows, denseValues } from '../batch';
import { f32, normal, normalRows, type ParityCase, randomFor, rowMask, type TensorSpec, unwritten } from '../case';
import { manyShort, packRows, SHAPES } from '../rows';
import { type CaseMember, hyperOf, NO_MASK } from './policyMembers';
import { LOSS, objectiveCases, segmentCases, termMask } from './policyTokens';

const WEIGHT = { atol: 1e-9, rtol: 4e-6 };

const WEIGHT_MEMBERS: readonly CaseMember[] = [
  {},
  { policyGradient: NO_MASK },
  { policyGradient: {} },
  ...CHOICES.aggregation.flatMap((aggregation) =>
    CHOICES.countedSequences.map(
      (countedSequences): CaseMember => ({ aggregation, countedSequences, policyGradient: NO_MASK }),
    ),
  ),
  ...CHOICES.aggregation.map(
    (aggregation): CaseMember => ({
      aggregation,
      tokenDenominator: 57,
      sequenceDenominator: 12,
      lengthDenominator: 20,
      lossScale: 2,
    }),
  ),
  ...CHOICES.decodingCorrection.flatMap((decodingCorrection) =>
    CHOICES.decodingLevel.map(
      (decodingLevel): CaseMember => ({
        decodingCorrection,
        decodingLevel,
        decodingLow: 0.8,
        decodingHigh: 1.3,
        policyGradient: NO_MASK,
      }),
    ),
  ),
  { decodingCorrection: 'truncate' },
  { decodingCorrection: 'mask', surrogate: 'vespo', decodingHigh: 1.1 },
];

function weightCases(): ParityCase[] {
  const shapes = [
    { name: 'every choice', members: WEIGHT_MEMBERS, groups: [4, 1, 3, 4], context: 14 },
    { name: '70 trajectories', members: WEIGHT_MEMBERS.slice(3, 8), groups: [30, 40], context: 33 },
    { name: '1 trajectory of 1 token', members: [{ policyGradient: NO_MASK }], groups: [1], context: 1 },
  ];
  return shapes.map(({ name: shape, members, groups, context }): ParityCase => {
    const name = `policyWeights, ${shape}`;
    const random = randomFor(name);
    const batch = denseBatch(random, { members: members.length, groups, context });
    const stride = batch.trajectories * context;
    // Without a correction these log-probs are not read.
    const corrects = (i: number): boolean => (members[Math.floor(i / stride)].decodingCorrection ?? 'none') !== 'none';
    const recorded = (): TensorSpec => {
      const values = denseValues(batch, () => -0.05 - 0.3 * Math.abs(random.normal()), [ROLE.action, ROLE.thought]);
      values.data.forEach((_, i) => {
        if (!corrects(i)) values.data[i] = Number.NaN;
      });
      return values;
    };
    return {
      operation: 'policyWeights',
      name,
      members: members.length,
      tensors: {
        ...batch.tensors,
        oldLogProb: recorded(),
        behaviourLogProb: recorded(),
        hyper: hyperOf(members),
        policyWeight: unwritten(members.length, stride),
        actionWeight: unwritten(members.length, stride),
        scratch: unwritten(members.length, 4 * batch.trajectories + 4),
      },
      build: (ops, t) => {
        const inputs = {
          oldLogProb: t.f32('oldLogProb'),
          behaviourLogProb: t.f32('behaviourLogProb'),
          group: t.f32('group'),
        };
        const whole = batchOf(t, batch);
        if (t.f32('scratch').stride !== policyWeightScratch(whole)) throw new Error('The scratch has another size.');
        ops.policyWeights(
          t.f32('policyWeight'),
          t.f32('actionWeight'),
          t.f32('scratch'),
          whole,
          inputs,
          t.f32('hyper'),
        );
      },
      outputs: ['policyWeight', 'actionWeight'].map((tensor) => ({ tensor, ...WEIGHT, exactZeros: true })),
    };
  });
}

const SELECT_MEMBERS: readonly CaseMember[] = [
  { surrogate: 'clip-cov', covarianceShare: 0.1, covarianceLow: 0.05, covarianceHigh: 1.5 },
  {},
  { surrogate: 'clip-cov', covarianceShare: 1, covarianceLow: 0.1, covarianceHigh: 5 },
  { surrogate: 'clip-cov', covarianceShare: 0.1, covarianceLow: 100, covarianceHigh: 200 },
  { surrogate: 'kl-cov', covarianceShare: 2e-4 },
  { surrogate: 'kl-cov', covarianceShare: 0.31 },
  { surrogate: 'kl-cov', covarianceShare: 1, entropyShare: 0.7 },
  { entropyShare: 0.4 },
  { entropyShare: 0.001 },
  { entropyShare: 1 },
];

/** Cases with every number twice, so that equal keys occur; with equal advantages every covariance is 0 or −0. */
function selectCases(): ParityCase[] {
  const shapes = [
    { name: '2 × 13 tokens', trajectories: 2, context: 13, share: 1 },
    { name: '23 × 31 tokens', trajectories: 23, context: 31, share: 3 },
    { name: '3 × 11 tokens of equal advantages', trajectories: 3, context: 11, share: 3, advantage: 0.5 },
    { name: 'no tokens', trajectories: 1, context: 3, share: 0 },
  ];
  return shapes.map(({ name: shape, trajectories, context, share, advantage }): ParityCase => {
    const name = `selectTokens of ${shape}`;
    const random = randomFor(name);
    const [P, stride] = [SELECT_MEMBERS.length, trajectories * context];
    const takesPart = Array.from({ length: P * stride }, () => share > 0 && random.below(1 + share) > 0);
    const paired = (value: () => number): TensorSpec => {
      let before = 0;
      const data = takesPart.map((takes, i) => {
        if (i % 2 === 0) before = value();
        return takes ? before : Number.NaN;
      });
      return f32(P, data);
    };
    return {
      operation: 'selectTokens',
      name,
      members: P,
      tensors: {
        ...denseBatch(random, { members: P, groups: [trajectories], context }).tensors,
        logProb: paired(() => -Math.abs(random.normal())),
        entropy: paired(() => Math.abs(random.normal())),
        oldLogProb: paired(() => -Math.abs(random.normal())),
        advantage: paired(() => advantage ?? random.normal()),
        policyWeight: f32(
          P,
          takesPart.map((takes) => (takes ? 0.25 : 0)),
        ),
        selection: unwritten(P, stride),
        scratch: unwritten(P, stride),
        hyper: hyperOf(SELECT_MEMBERS),
      },
      build: (ops, t) => {
        const inputs = {
          logProb: t.f32('logProb'),
          entropy: t.f32('entropy'),
          oldLogProb: t.f32('oldLogProb'),
          advantage: t.f32('advantage'),
          policyWeight: t.f32('policyWeight'),
        };
        const batch = batchOf(t, { members: P, trajectories, context, groups: 1, tensors: {} as never });
        if (t.f32('scratch').stride !== selectionScratch(batch)) throw new Error('The scratch has another size.');
        ops.selectTokens(t.f32('selection'), t.f32('scratch'), batch, inputs, t.f32('hyper'));
      },
      outputs: [{ tensor: 'selection', atol: 0, rtol: 0 }],
    };
  });
}

function valueCases(): ParityCase[] {
  const members: readonly CaseMember[] = [{ valueClip: 0.3 }, {}, { valueClip: 0.05 }];
  return SHAPES.map(({ name: shape, lengths }): ParityCase => {
    const name = `valueObjective ${shape}`;
    const random = randomFor(name);
    const rows = packRows(random, lengths, { vocabulary: 16 });
    const { capacity, counts } = rows;
    const context = contextOf(rows);
    // Odd rows have a weight; the others are not read.
    const weighted = (value: () => number): TensorSpec =>
      denseOfRows(rows, context, ({ r }) => (r % 2 === 1 ? value() : Number.NaN));
    const actionWeight = denseOfRows(rows, context, ({ r }) => (r % 2 === 1 ? (1 + random.unit()) / 32 : 0));
    const value = normalRows(random, counts, capacity, 1);
    value.data.forEach((_, i) => {
      if ((i % capacity) % 2 === 0) value.data[i] = Number.NaN;
    });
    return {
      operation: 'valueObjective',
      name,
      members: rows.members,
      tensors: {
        ...rows.tensors,
        value,
        oldValue: weighted(() => random.normal()),
        returns: weighted(() => random.normal()),
        actionWeight,
        dValue: unwritten(rows.members, capacity),
        terms: unwritten(rows.members, capacity * TERM_COLUMNS),
        hyper: hyperOf(members.slice(0, rows.members)),
      },
      build: (ops, t) => {
        const inputs = {
          value: t.f32('value'),
          oldValue: t.f32('oldValue'),
          returns: t.f32('returns'),
          actionWeight: t.f32('actionWeight'),
        };
        ops.valueObjective(t.f32('dValue'), t.f32('terms'), t.rows(), inputs, t.f32('hyper'), context);
      },
      outputs: [
        { tensor: 'dValue', ...LOSS, compared: rowMask(counts, capacity, 1), exactZeros: true },
        {
          tensor: 'terms',
          ...LOSS,
          compared: termMask(rows, new Set([TERM.valueLoss, TERM.valueClipped])),
          exactZeros: true,
        },
      ],
    };
  });
}

function sumCases(): ParityCase[] {
  const many = { name: '2 × 35 trajectories', lengths: manyShort(randomFor('sumColumns'), 2, 35) };
  return [...SHAPES.slice(1), many].map(({ name: shape, lengths }, i): ParityCase => {
    const accumulate = i % 2 === 1;
    const K = i === 0 ? 3 : TERM_COLUMNS;
    const name = `sumColumns ${shape}${accumulate ? ', accumulated' : ''}`;
    const random = randomFor(name);
    const rows = packRows(random, lengths, { vocabulary: 16 });
    const { members, counts, capacity, sequences } = rows;
    return {
      operation: 'sumColumns',
      name,
      members,
      tensors: {
        ...rows.tensors,
        terms: normalRows(random, counts, capacity, K),
        sequenceSums: unwritten(members, sequences * K),
        sums: accumulate ? normal(random, members, K, 10) : unwritten(members, K),
      },
      build: (ops, t) => {
        ops.sumColumns(t.f32('sums'), t.f32('sequenceSums'), t.f32('terms'), t.sequences(), { accumulate });
      },
      outputs: ['sums', 'sequenceSums'].map((tensor) => ({ tensor, atol: 1e-5, rtol: 1e-5 })),
    };
  });
}

export const POLICY_OBJECTIVE_CASES: readonly ParityCase[] = [
  ...weightCases(),
  ...selectCases(),
  ...segmentCases(),
  ...objectiveCases(),
  ...valueCases(),
  ...sumCases(),
];
