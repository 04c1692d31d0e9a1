/**
 * Parity cases of KL, entropy bonus and the world model's cross-entropy. The tolerance of losses and derivatives is
 * 2e-6 + 2e-5·|x| (exp and its differences in float32).
 */

import { isDrawn, ROLE } from '../../../foundation/roles';
import { CHOICES, type ChoiceOf } from '../../../hyperparameters/columns';
import { TERM, TERM_COLUMNS } from '../../../tensor/columns';
import { contextOf, denseOfRows } from '../batch';
import { type CaseTensors, normalRows, type ParityCase, randomFor, rowMask, type TensorSpec, unwritten } from '../case';
import { type HyperOptions, hyperTensor } from '../hyper';
import { type Lengths, type PackedRows, packRows, SHAPES } from '../rows';

/** Numbers of the roles that the policy draws. */
const DRAWN = [ROLE.action, ROLE.thought];

const LOSS = { atol: 2e-6, rtol: 2e-5 };

const estimator = (name: ChoiceOf<'klEstimator'>) => ({ klEstimator: CHOICES.klEstimator.indexOf(name) });
const clamp = (name: ChoiceOf<'klClamp'>) => ({ klClamp: CHOICES.klClamp.indexOf(name) });
const form = (name: ChoiceOf<'worldModelForm'>) => ({ worldModelForm: CHOICES.worldModelForm.indexOf(name) });

/** Members with every estimator and clamp, and combinations. */
export const KL_MEMBERS: readonly HyperOptions[] = [
  {},
  ...CHOICES.klEstimator.flatMap((_, klEstimator) =>
    CHOICES.klClamp.map((_, klClamp): HyperOptions => ({ klEstimator, klClamp, klCoefficient: 0.5 + 0.25 * klClamp })),
  ),
  { ...estimator('k1'), klStraightThrough: 1, klCoefficient: 0.1, entropyCoefficient: 0.01 },
  {
    ...estimator('k3'),
    ...clamp('log-ratio-and-value'),
    klStraightThrough: 1,
    klCoefficient: 1,
    entropyCoefficient: 0.5,
  },
  { ...clamp('none'), klRatioWeighted: 1, klCoefficient: 0.04 },
  {
    ...estimator('k2'),
    ...clamp('log-ratio-and-value'),
    klRatioWeighted: 1,
    klStraightThrough: 1,
    klCoefficient: 0.04,
  },
  { klCoefficient: 0, klRatioWeighted: 1, entropyCoefficient: 0.3 },
  { klCoefficient: 0.04, klThought: 0.3, entropyCoefficient: 0.01, entropyThought: 0.2 },
  { klThought: 0.3, entropyThought: 0.2 },
];

export const FORM_MEMBERS: readonly HyperOptions[] = [
  {},
  { ...form('constant-advantage'), worldModelClip: 0.2 },
  { ...form('constant-advantage'), worldModelClip: 0 },
  { ...form('probability-threshold'), worldModelThreshold: 0.2 },
  { ...form('probability-threshold'), worldModelThreshold: 0.8 },
];

/** Lengths of each member's three trajectories: `long`, then `short` or none, then 1 … 4 tokens. */
const lengthsFor = (members: number, long: number, short: number): Lengths =>
  Array.from({ length: members }, (_, p) => [long, p % 3 === 0 ? 0 : short, 1 + (p % 4)]);

/** Mask of the terms that an operation writes: these columns, in the rows in use. */
function termMask(rows: PackedRows, columns: readonly (keyof typeof TERM)[]): Uint8Array {
  const written = new Set<number>(columns.map((name) => TERM[name]));
  return rowMask(rows.counts, rows.capacity, TERM_COLUMNS).map((used, i) =>
    used === 1 && written.has(i % TERM_COLUMNS) ? 1 : 0,
  );
}

/** One of this many rows has a weight of 0. */
const WEIGHTLESS = 4;

interface TokenNumbers {
  readonly context: number;
  readonly logProb: TensorSpec;
  /** Dense numbers near each row's own log-prob, for these roles; NaN for others. */
  near(deviation: number, roles: readonly number[]): TensorSpec;
}

/** Log-probs of rows. With given differences they are multiples of ½, so that the differences are exact. */
function tokenNumbers(name: string, rows: PackedRows, differences: readonly number[] = []): TokenNumbers {
  const random = randomFor(`${name}, numbers`);
  const logProb = normalRows(random, rows.counts, rows.capacity, 1);
  for (let i = 0; i < logProb.data.length; i++) {
    const value = -Math.abs(logProb.data[i]);
    logProb.data[i] = differences.length > 0 ? Math.round(value) - 0.5 : value - 0.05;
  }
  const context = contextOf(rows);
  return {
    context,
    logProb,
    near: (deviation, roles) =>
      denseOfRows(rows, context, ({ p, r, role }) => {
        const here = logProb.data[p * rows.capacity + r];
        if (!roles.includes(role)) return Number.NaN;
        // Exact, because both numbers are multiples of ½.
        if (differences.length > 0) return here - differences[r % differences.length];
        return r % 7 === 3 ? here : here + deviation * random.normal();
      }),
  };
}

function regulariseCase(name: string, members: readonly HyperOptions[], rows: PackedRows, d?: number[]): ParityCase {
  const { context, logProb, near } = tokenNumbers(name, rows, d);
  const random = randomFor(name);
  const { capacity, counts } = rows;
  const weight = denseOfRows(rows, context, ({ r, role }) => {
    if (!isDrawn(role)) return Number.NaN;
    return r % WEIGHTLESS === 0 ? 0 : (1 + random.unit()) / 64;
  });
  const compared = rowMask(counts, capacity, 1);
  return {
    operation: 'regularise',
    name,
    members: rows.members,
    tensors: {
      ...rows.tensors,
      logProb,
      referenceLogProb: near(0.6, DRAWN),
      oldLogProb: near(0.4, DRAWN),
      entropy: normalRows(random, counts, capacity, 1),
      actionWeight: weight,
      dLogProb: normalRows(random, counts, capacity, 1),
      dEntropy: unwritten(rows.members, capacity),
      terms: unwritten(rows.members, capacity * TERM_COLUMNS),
      hyper: hyperTensor(...members),
    },
    build: (ops, t) => recordRegularise(ops, t, context),
    outputs: [
      { tensor: 'dLogProb', ...LOSS, compared },
      { tensor: 'dEntropy', atol: 1e-7, rtol: 1e-6, compared, exactZeros: true },
      { tensor: 'terms', ...LOSS, compared: termMask(rows, ['kl', 'regulariserLoss', 'klEstimate']), exactZeros: true },
    ],
  };
}

export function recordRegularise(ops: Parameters<ParityCase['build']>[0], t: CaseTensors, context: number): void {
  const inputs = {
    logProb: t.f32('logProb'),
    referenceLogProb: t.f32('referenceLogProb'),
    oldLogProb: t.f32('oldLogProb'),
    entropy: t.f32('entropy'),
    actionWeight: t.f32('actionWeight'),
  };
  const [dLogProb, dEntropy, terms] = [t.f32('dLogProb'), t.f32('dEntropy'), t.f32('terms')];
  ops.regularise(dLogProb, dEntropy, terms, t.rows(), inputs, t.f32('hyper'), context);
}

function regulariseCases(): ParityCase[] {
  const every = 'regularise, every estimator and clamp';
  const extreme = 'regularise of huge log-ratios';
  const P = KL_MEMBERS.length;
  return [
    ...SHAPES.map(({ name: shape, lengths }) => {
      const name = `regularise ${shape}`;
      const own = [KL_MEMBERS.at(-1), KL_MEMBERS[2], KL_MEMBERS.at(-4)].slice(0, lengths.length) as HyperOptions[];
      return regulariseCase(name, own, packRows(randomFor(name), lengths, { vocabulary: 16 }));
    }),
    regulariseCase(every, KL_MEMBERS, packRows(randomFor(every), lengthsFor(P, 40, 11), { vocabulary: 16 })),
    // Nothing overflows: exp's argument ends at 85, which float32 still holds, and coefficients and weights are small.
    regulariseCase(
      extreme,
      [
        ...KL_MEMBERS.map((own) => ({ ...own, klRatioWeighted: 0 })),
        { ...estimator('k1'), klRatioWeighted: 1, klCoefficient: 1 },
      ],
      packRows(randomFor(extreme), lengthsFor(P + 1, 60, 30), { vocabulary: 16 }),
      [0, 0.5, -0.5, 2.5, -2.5, 10, -10, 10.5, -10.5, 20, -20, 20.5, -20.5, 84, -84, 200, -200],
    ),
  ];
}

function crossEntropyCases(): ParityCase[] {
  const every = 'crossEntropyObjective, every form';
  const huge = [200, -200, 20, -20, 20.5, -20.5, 0, 0.5, -0.5];
  const shapes: readonly { name: string; lengths: Lengths; own: readonly HyperOptions[]; d?: number[] }[] = [
    ...SHAPES.map(({ name, lengths }, i) => ({
      name: `crossEntropyObjective ${name}`,
      lengths,
      own: lengths.map((_, p) => FORM_MEMBERS[(i + p) % FORM_MEMBERS.length]),
    })),
    { name: every, lengths: lengthsFor(FORM_MEMBERS.length, 50, 13), own: FORM_MEMBERS },
    {
      name: 'crossEntropyObjective of huge log-ratios',
      lengths: lengthsFor(FORM_MEMBERS.length, 60, 13),
      own: FORM_MEMBERS,
      d: huge,
    },
  ];
  return shapes.flatMap(({ name: shape, lengths, own, d }) =>
    [false, true].map((accumulate): ParityCase => {
      const name = `${shape}${accumulate ? ', accumulated' : ''}`;
      const random = randomFor(name);
      const rows = packRows(random, lengths, { vocabulary: 16 });
      const { members, capacity, counts } = rows;
      const { context, logProb, near } = tokenNumbers(name, rows, d);
      const compared = rowMask(counts, capacity, 1);
      const metrics = ['mismatch', 'crossEntropyLoss', 'entropy', 'observationNll', 'warningNll'] as const;
      return {
        operation: 'crossEntropyObjective',
        name,
        members,
        tensors: {
          ...rows.tensors,
          logProb,
          entropy: normalRows(random, counts, capacity, 1),
          oldLogProb: near(0.4, [...DRAWN, ROLE.observation, ROLE.warning]),
          behaviourLogProb: near(0.01, DRAWN),
          // Prompt tokens have no weight here, and their old log-prob is not read.
          crossEntropyWeight: denseOfRows(rows, context, ({ r, role }) =>
            role === ROLE.prompt || r % WEIGHTLESS === 0 ? 0 : (1 + random.unit()) / 16,
          ),
          dLogProb: accumulate ? normalRows(random, counts, capacity, 1) : unwritten(members, capacity),
          terms: unwritten(members, capacity * TERM_COLUMNS),
          hyper: hyperTensor(...own),
        },
        build: (ops, t) => recordCrossEntropy(ops, t, context, accumulate),
        outputs: [
          { tensor: 'dLogProb', ...LOSS, compared, exactZeros: true },
          { tensor: 'terms', ...LOSS, compared: termMask(rows, metrics), exactZeros: true },
        ],
      };
    }),
  );
}

export function recordCrossEntropy(
  ops: Parameters<ParityCase['build']>[0],
  t: CaseTensors,
  context: number,
  accumulate: boolean,
): void {
  const inputs = {
    logProb: t.f32('logProb'),
    entropy: t.f32('entropy'),
    oldLogProb: t.f32('oldLogProb'),
    behaviourLogProb: t.f32('behaviourLogProb'),
    crossEntropyWeight: t.f32('crossEntropyWeight'),
  };
  const [dLogProb, terms] = [t.f32('dLogProb'), t.f32('terms')];
  ops.crossEntropyObjective(dLogProb, terms, t.rows(), inputs, t.f32('hyper'), context, { accumulate });
}

export const WORLD_MODEL_CASES: readonly ParityCase[] = [...regulariseCases(), ...crossEntropyCases()];
