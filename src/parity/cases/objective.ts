/**
 * Parity cases of the objective, the optimiser and the plumbing. Losses and their derivatives are within 2e-6 + 2e-5·|x|
 * (exp and the k3 difference in float32); parameters after AdamW within 1e-6, a thousandth of a step.
 */
import type { RandomStream } from '../../foundation/philox';
import type { Operations } from '../../tensor/backend';
import { TERM_COLUMNS } from '../../tensor/layout';
import {
  type CaseTensors,
  f32,
  normal,
  normalRows,
  type ParityCase,
  randomFor,
  rowMask,
  type TensorSpec,
  u32,
  unwritten,
} from './case';
import { ACTION_MASK, EVERYTHING, type HyperOptions, hyperTensor, WORLD_MODEL } from './hyper';
import { batchSize, manyShort, type PackedRows, packRows, SHAPES } from './rows';

const LOSS = { atol: 2e-6, rtol: 2e-5 };

function groupAdvantageCases(): ParityCase[] {
  const sizes = [
    { members: 1, groups: 1, groupSize: 1 },
    { members: 2, groups: 3, groupSize: 4 },
    { members: 3, groups: 5, groupSize: 8 },
    { members: 2, groups: 2, groupSize: 33 },
  ];
  return sizes.map(({ members, groups, groupSize }): ParityCase => {
    const name = `groupAdvantage of ${groups} × ${groupSize}`;
    const random = randomFor(name);
    const reward = f32(
      members,
      Array.from({ length: members * groups * groupSize }, (_, i) => {
        const group = Math.floor(i / groupSize) % groups;
        // The mean of equal values that are no float32 fractions need not be that value: the advantage is 0 all the same.
        if (group === 0) return 0.1;
        if (group === 1) return random.below(2);
        return random.normal();
      }),
    );
    return {
      operation: 'groupAdvantage',
      name,
      members,
      tensors: {
        reward,
        hyper: hyperTensor(...[{ advantageEpsilon: 1e-4 }, { advantageEpsilon: 0.5 }, {}].slice(0, members)),
        advantage: unwritten(members, groups * groupSize),
        zeroVariance: unwritten(members, 1),
      },
      build: (ops, t) => {
        const sizes = { groups, groupSize };
        ops.groupAdvantage(t.f32('advantage'), t.f32('zeroVariance'), t.f32('reward'), t.f32('hyper'), sizes);
      },
      outputs: [
        { tensor: 'advantage', atol: 2e-6, rtol: 1e-5, exactZeros: true },
        { tensor: 'zeroVariance', atol: 1e-7, rtol: 1e-6 },
      ],
    };
  });
}

function countRolesCases(): ParityCase[] {
  return SHAPES.flatMap(({ name: shape, lengths }) =>
    [false, true].map((accumulate): ParityCase => {
      const name = `countRoles ${shape}${accumulate ? ', accumulated' : ''}`;
      const rows = packRows(randomFor(name), lengths, { vocabulary: 16 });
      const before = accumulate ? f32(rows.members, new Float32Array(rows.members * 4).fill(1000)) : null;
      return {
        operation: 'countRoles',
        name,
        members: rows.members,
        tensors: { ...rows.tensors, counts: before ?? unwritten(rows.members, 4) },
        build: (ops, t) => ops.countRoles(t.f32('counts'), t.sequences(), { accumulate }),
        outputs: [{ tensor: 'counts', atol: 0, rtol: 0 }],
      };
    }),
  );
}

function objectiveTensors(random: RandomStream, rows: PackedRows): Record<string, TensorSpec> {
  const { members, counts, capacity, sequences } = rows;
  const logProb = normalRows(random, counts, capacity, 1, 0.5);
  for (let i = 0; i < logProb.data.length; i++) logProb.data[i] = -Math.abs(logProb.data[i] as number) - 0.05;
  // Ratios on both sides of both clips, some inside, some exactly 1.
  const near = (deviation: number): TensorSpec =>
    f32(
      members,
      Array.from(logProb.data, (value, i) => (i % 7 === 3 ? value : value + deviation * random.normal())),
    );
  return {
    ...rows.tensors,
    logProb,
    oldLogProb: near(0.4),
    referenceLogProb: near(0.6),
    behaviourLogProb: near(0.01),
    entropy: normalRows(random, counts, capacity, 1),
    advantage: normal(random, members, batchSize(sequences)),
    counts: unwritten(members, 4),
    dLogProb: unwritten(members, capacity),
    dEntropy: unwritten(members, capacity),
    terms: unwritten(members, capacity * TERM_COLUMNS),
  };
}

function recordObjective(ops: Operations, t: CaseTensors, part: 'all' | 'world-model'): void {
  const inputs = {
    logProb: t.f32('logProb'),
    oldLogProb: t.f32('oldLogProb'),
    referenceLogProb: t.f32('referenceLogProb'),
    behaviourLogProb: t.f32('behaviourLogProb'),
    entropy: t.f32('entropy'),
    advantage: t.f32('advantage'),
    counts: t.f32('counts'),
    hyper: t.f32('hyper'),
  };
  ops.tokenObjective(t.f32('dLogProb'), t.f32('dEntropy'), t.f32('terms'), inputs, t.rows(), part);
}

function tokenObjectiveCases(): ParityCase[] {
  const hypers: readonly { name: string; own: readonly HyperOptions[] }[] = [
    { name: 'three arms', own: [EVERYTHING, ACTION_MASK, WORLD_MODEL] },
    { name: 'no mask', own: [{ policyGradient: { action: 1, observation: 1 } }, {}, EVERYTHING] },
    { name: 'narrow clip', own: [WORLD_MODEL, { ...EVERYTHING, clipLow: 0.01, clipHigh: 0.02 }, {}] },
  ];
  const cases: ParityCase[] = [];
  for (const { name: shape, lengths } of SHAPES) {
    for (const { name: arms, own } of hypers) {
      for (const part of ['all', 'world-model'] as const) {
        const name = `tokenObjective ${shape}, ${arms}, ${part}`;
        const random = randomFor(name);
        const rows = packRows(random, lengths, { vocabulary: 16 });
        const compared = rowMask(rows.counts, rows.capacity, 1);
        const derivatives = ['dLogProb', 'dEntropy'].map((tensor) => ({ tensor, ...LOSS, compared, exactZeros: true }));
        const terms = { tensor: 'terms', ...LOSS, compared: rowMask(rows.counts, rows.capacity, TERM_COLUMNS) };
        cases.push({
          operation: 'tokenObjective',
          name,
          members: rows.members,
          tensors: { ...objectiveTensors(random, rows), hyper: hyperTensor(...own.slice(0, rows.members)) },
          build: (ops, t) => {
            ops.countRoles(t.f32('counts'), t.sequences(), { accumulate: false });
            recordObjective(ops, t, part);
          },
          outputs: part === 'all' ? [...derivatives, terms] : derivatives,
        });
      }
    }
  }
  return cases;
}

/**
 * Log-ratios far outside, at and just outside the clamp in every combination with advantages 0, 1 and −1 and with
 * differences to the reference: everything stays finite. All numbers are halves, so that ±20 is met exactly. The third
 * member's actions carry no policy gradient: none of them counts as clipped.
 */
function hugeRatioCases(): ParityCase[] {
  const name = 'tokenObjective of huge log-ratios';
  const rows = packRows(
    randomFor(name),
    [200, 200, 200].map((length) => [length, length, length]),
    { vocabulary: 16 },
  );
  const { members, capacity, counts } = rows;
  const ratios = [200, -200, 20, -20, 20.5, -20.5, 0];
  const references = [200, -200, 20, -20, 0.5];
  const column = (value: (r: number) => number): TensorSpec =>
    f32(
      members,
      Array.from({ length: members * capacity }, (_, i) => {
        const r = i % capacity;
        return r < (counts[0] as number) ? value(r) : Number.NaN;
      }),
    );
  const ratioOf = (r: number): number => ratios[r % ratios.length] as number;
  const logProbOf = (r: number): number => Math.min(0, ratioOf(r)) - 0.5;
  const referenceOf = (r: number): number => logProbOf(r) + (references[r % references.length] as number);
  const withKl = { policyGradient: { action: 1 }, klCoefficient: 0.04 };
  const compared = rowMask(counts, capacity, 1);
  return [
    {
      operation: 'tokenObjective',
      name,
      members,
      tensors: {
        ...objectiveTensors(randomFor(name), rows),
        logProb: column(logProbOf),
        oldLogProb: column((r) => logProbOf(r) - ratioOf(r)),
        referenceLogProb: column(referenceOf),
        behaviourLogProb: column(logProbOf),
        // Sequence s of the microbatch is number 2s + 1 of the batch.
        advantage: f32(members, new Array<number[]>(members).fill([0.5, 0, 0.5, 1, 0.5, -1, 0.5]).flat()),
        hyper: hyperTensor(ACTION_MASK, withKl, { ...withKl, policyGradient: { observation: 1 } }),
      },
      build: (ops, t) => {
        ops.countRoles(t.f32('counts'), t.sequences(), { accumulate: false });
        recordObjective(ops, t, 'all');
      },
      outputs: [
        { tensor: 'dLogProb', ...LOSS, compared, exactZeros: true },
        { tensor: 'dEntropy', ...LOSS, compared, exactZeros: true },
        { tensor: 'terms', ...LOSS, compared: rowMask(counts, capacity, TERM_COLUMNS) },
      ],
    },
  ];
}

function sumTermsCases(): ParityCase[] {
  const many = { name: '2 × 35 trajectories', lengths: manyShort(randomFor('sumTerms'), 2, 35) };
  return [...SHAPES, many].flatMap(({ name: shape, lengths }) =>
    [false, true].map((accumulate): ParityCase => {
      const name = `sumTerms ${shape}${accumulate ? ', accumulated' : ''}`;
      const random = randomFor(name);
      const rows = packRows(random, lengths, { vocabulary: 16 });
      const { members, counts, capacity, sequences } = rows;
      return {
        operation: 'sumTerms',
        name,
        members,
        tensors: {
          ...rows.tensors,
          terms: normalRows(random, counts, capacity, TERM_COLUMNS),
          sequenceSums: unwritten(members, sequences * TERM_COLUMNS),
          sums: accumulate ? normal(random, members, TERM_COLUMNS, 10) : unwritten(members, TERM_COLUMNS),
        },
        build: (ops, t) => {
          ops.sumTerms(t.f32('sums'), t.f32('sequenceSums'), t.f32('terms'), t.sequences(), { accumulate });
        },
        outputs: [{ tensor: 'sums', atol: 1e-5, rtol: 1e-5 }],
      };
    }),
  );
}

function gradientNormCases(): ParityCase[] {
  return [4, 1024, 2500, 270_004].flatMap((N) =>
    [false, true].map((difference): ParityCase => {
      const name = `gradientNorm of ${N}${difference ? ', of a difference' : ''}`;
      const random = randomFor(name);
      const members = N === 4 ? 1 : 3;
      return {
        operation: 'gradientNorm',
        name,
        members,
        tensors: {
          a: normal(random, members, N, 0.01),
          b: normal(random, members, N, 0.01),
          norm: unwritten(members, 1),
          scratch: unwritten(members, Math.ceil(N / 1024)),
        },
        build: (ops, t) => {
          ops.gradientNorm(t.f32('norm'), t.f32('scratch'), t.f32('a'), difference ? t.f32('b') : null);
        },
        outputs: [{ tensor: 'norm', atol: 1e-7, rtol: 1e-5 }],
      };
    }),
  );
}

/** First, tenth and thousandth step; gradients clipped, not clipped, zero; members that take no step: not active, norm NaN, norm infinite. */
function adamWCases(): ParityCase[] {
  return [4, 1028, 70_004].map((N): ParityCase => {
    const name = `adamW of ${N} parameters`;
    const random = randomFor(name);
    const P = 6;
    const gradients = normal(random, P, N, 0.1);
    for (let i = 0; i < gradients.data.length; i += 9) gradients.data[i] = 0;
    gradients.data[4 * N + 1] = Number.NaN;
    gradients.data[5 * N + 1] = Number.NEGATIVE_INFINITY;
    const secondMoment = normal(random, P, N, 0.1);
    const moments = normal(random, P, N, 0.1);
    for (let i = 0; i < P * N; i++) {
      secondMoment.data[i] = (secondMoment.data[i] as number) ** 2;
      // Member 0 starts from nothing.
      if (i < N) moments.data[i] = secondMoment.data[i] = 0;
    }
    return {
      operation: 'adamW',
      name,
      members: P,
      tensors: {
        parameters: normal(random, P, N),
        moments,
        secondMoment,
        step: f32(P, [0, 9, 999, 3, 4, 5]),
        gradients,
        norm: f32(P, [3.3, 0.4, 1e-3, 2, Number.NaN, Number.POSITIVE_INFINITY]),
        hyper: hyperTensor(
          { maxGradNorm: 1, weightDecay: 0 },
          { maxGradNorm: 0.5, beta2: 0.95 },
          { maxGradNorm: 10, weightDecay: 0.1, epsilon: 1e-5 },
          {},
          {},
          {},
        ),
        active: u32(P, [1, 1, 1, 0, 1, 1]),
      },
      build: (ops, t) => {
        ops.adamW(
          t.f32('parameters'),
          t.f32('moments'),
          t.f32('secondMoment'),
          t.f32('step'),
          t.f32('gradients'),
          t.f32('norm'),
          t.f32('hyper'),
          t.u32('active'),
        );
      },
      outputs: [
        { tensor: 'parameters', atol: 3e-6, rtol: 1e-6 },
        { tensor: 'moments', atol: 1e-8, rtol: 1e-5 },
        { tensor: 'secondMoment', atol: 1e-10, rtol: 1e-5 },
        { tensor: 'step', atol: 0, rtol: 0 },
      ],
    };
  });
}

function plumbingCases(): ParityCase[] {
  const random = randomFor('plumbing');
  return [
    {
      operation: 'fill',
      name: 'fill of 3 × 101 elements',
      members: 3,
      tensors: { x: unwritten(3, 101) },
      build: (ops, t) => ops.fill(t.f32('x'), 0.25),
      outputs: [{ tensor: 'x', atol: 0, rtol: 0 }],
    },
    {
      operation: 'copy',
      name: 'copy of floats and integers',
      members: 3,
      tensors: {
        x: unwritten(3, 35),
        y: normal(random, 3, 35),
        i: u32(3, new Uint32Array(9)),
        j: u32(3, [0, 1, 2, 3, 4, 5, 6, 7, 0xffffffff]),
      },
      build: (ops, t) => {
        ops.copy(t.f32('x'), t.f32('y'));
        ops.copy(t.u32('i'), t.u32('j'));
      },
      outputs: [
        { tensor: 'x', atol: 0, rtol: 0 },
        { tensor: 'i', atol: 0, rtol: 0 },
      ],
    },
  ];
}

export const OBJECTIVE_CASES: readonly ParityCase[] = [
  ...groupAdvantageCases(),
  ...countRolesCases(),
  ...tokenObjectiveCases(),
  ...hugeRatioCases(),
  ...sumTermsCases(),
  ...gradientNormCases(),
  ...adamWCases(),
  ...plumbingCases(),
];
