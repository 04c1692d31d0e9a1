/**
 * Parity cases of the masked log-prob, its gradient, Σ p², and decoding. The tolerance is 2e-6 + 2.5e-7·max|logit|, because
 * WGSL has log to 2⁻²¹ near 1 and exp to 3 + 2|x| units in the last place.
 */
import type { RandomStream } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import type { Operations } from '../../tensor/backend';
import { ROW_FIELDS } from '../../tensor/layout';
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
import { DECODING_CASES } from './decoding';
import { ACTION_MASK, EVERYTHING, type HyperOptions, hyperTensor, WORLD_MODEL } from './hyper';
import { HUGE, INFINITE, LEGAL_SETS, LOGITS, type Logits, ORDINARY } from './logits';
import { batchSize, type Lengths, legalSetTensor, makeTokensLegal, type PackedRows, packRows, SHAPES } from './rows';

/** Length of a row of logits: the vocabulary, or 5 to 7 more where that is no multiple of 4. */
const rowLength = (V: number): number => (V % 4 === 0 ? V : (Math.ceil(V / 4) + 1) * 4);

interface Setting {
  readonly shape: string;
  readonly lengths: Lengths;
  readonly V: number;
  readonly kind: Logits;
  /** Number of given target tokens of a row; 0: its own token. */
  readonly K: number;
}

/** Every shape with short and middling vocabularies, and long ones of a few rows, over kinds of logits and targets. */
const SETTINGS: readonly Setting[] = [
  ...SHAPES.flatMap(({ name, lengths }, i) =>
    [7, 33, 80, 513].map((V, j) => ({
      shape: name,
      lengths,
      V,
      kind: LOGITS[(i + j) % 3],
      K: [0, 1, 4][(i + 2 * j + Math.floor(j / 2)) % 3],
    })),
  ),
  ...[
    { V: 1, kind: ORDINARY, K: 0 },
    { V: 1000, kind: INFINITE, K: 4 },
    { V: 20_003, kind: HUGE, K: 0 },
    { V: 20_003, kind: INFINITE, K: 4 },
    { V: 151_936, kind: ORDINARY, K: 4 },
  ].map((own) => ({
    shape: '6 and 2 rows',
    lengths: [
      [4, 2],
      [2, 0],
    ],
    ...own,
  })),
];

const settingName = ({ shape, V, kind, K }: Setting): string =>
  `${shape}, vocabulary ${V}, ${kind.name} logits${K === 0 ? '' : `, ${K} targets`}`;

interface SettingTensors {
  readonly rows: PackedRows;
  readonly tensors: Readonly<Record<string, TensorSpec>>;
}

/** Tensors of a setting. Logits are NaN beyond the vocabulary and in rows that predict no needed target. */
function setting(random: RandomStream, { lengths, V, kind, K }: Setting): SettingTensors {
  const rows = packRows(random, lengths, { vocabulary: V, legalSets: LEGAL_SETS });
  const { members, capacity } = rows;
  const S = rowLength(V);
  const legalSets = legalSetTensor(random, LEGAL_SETS, V);
  makeTokensLegal(rows, legalSets, V);
  const options: readonly HyperOptions[] = [ACTION_MASK, EVERYTHING, WORLD_MODEL].slice(0, members);
  const table = rows.tensors['rows.table'].data;
  const logits = new Float32Array(members * capacity * S).fill(Number.NaN);
  rows.counts.forEach((count, p) => {
    for (let r = 1; r < count; r++) {
      const first = (p * capacity + r) * ROW_FIELDS;
      const promptIsNeeded = options[p] === EVERYTHING;
      if (table[first + 1] === 0) continue;
      if ((table[first + 3] & 15) === ROLE.prompt && !promptIsNeeded) continue;
      const row = (p * capacity + r - 1) * S;
      for (let v = 0; v < V; v++) logits[row + v] = kind.draw(random, v);
    }
  });
  const targets = Array.from({ length: members * capacity * K }, () => random.below(V));
  return {
    rows,
    tensors: {
      ...rows.tensors,
      legalSets,
      logits: f32(members, logits),
      hyper: hyperTensor(...options),
      ...(K > 0 && { targets: u32(members, targets) }),
      logProb: unwritten(members, capacity * Math.max(K, 1)),
      entropy: unwritten(members, capacity),
      logSumExp: unwritten(members, capacity * 2),
    },
  };
}

const recordLogProb = (ops: Operations, t: CaseTensors, { V, K }: Setting): void => {
  ops.maskedLogProb(
    t.f32('logProb'),
    t.f32('entropy'),
    t.f32('logSumExp'),
    t.f32('logits'),
    t.rows(),
    t.u32('legalSets'),
    t.f32('hyper'),
    V,
    ...(K > 0 ? [t.u32('targets')] : []),
  );
};

function maskedLogProbCases(): ParityCase[] {
  return SETTINGS.map((own): ParityCase => {
    const name = `maskedLogProb ${settingName(own)}`;
    const { rows, tensors } = setting(randomFor(name), own);
    const { members, capacity, counts } = rows;
    const tolerance = { atol: 2e-6 + 2.5e-7 * own.kind.largest, rtol: 2e-6, exactZeros: own.V > 1 };
    const columns = { logProb: Math.max(own.K, 1), entropy: 1, logSumExp: 2 };
    return {
      operation: 'maskedLogProb',
      name,
      members,
      tensors,
      build: (ops, t) => recordLogProb(ops, t, own),
      outputs: Object.entries(columns).map(([tensor, width]) => ({
        tensor,
        ...tolerance,
        compared: rowMask(counts, capacity, width),
      })),
    };
  });
}

/** Cases with the log-probs at their places in the batch: GPUs put them there in the same dispatch. */
function scatteredCases(): ParityCase[] {
  return SETTINGS.filter(({ K }) => K === 0).map((own): ParityCase => {
    const name = `maskedLogProb, scattered, ${settingName(own)}`;
    const random = randomFor(name);
    const { rows, tensors } = setting(random, own);
    const context = 211;
    const tolerance = { atol: 2e-6 + 2.5e-7 * own.kind.largest, rtol: 2e-6 };
    return {
      operation: 'maskedLogProb',
      name,
      members: rows.members,
      tensors: { ...tensors, dense: normal(random, rows.members, batchSize(rows.sequences) * context) },
      build: (ops, t) => {
        recordLogProb(ops, t, own);
        ops.scatterRows(t.f32('dense'), t.f32('logProb'), t.rows(), context);
      },
      outputs: [
        { tensor: 'logProb', ...tolerance, compared: rowMask(rows.counts, rows.capacity, 1) },
        { tensor: 'dense', ...tolerance },
      ],
    };
  });
}

/** Random derivatives: 0 in every fifth row, and by entropy in every third row too. */
function derivatives(
  random: RandomStream,
  rows: PackedRows,
  K: number,
): { dLogProb: TensorSpec; dEntropy: TensorSpec } {
  const dLogProb = normalRows(random, rows.counts, rows.capacity, K);
  const dEntropy = normalRows(random, rows.counts, rows.capacity, 1, 0.3);
  rows.counts.forEach((count, p) => {
    for (let r = 0; r < count; r++) {
      const row = p * rows.capacity + r;
      if (r % 5 === 4) dLogProb.data.fill(0, row * K, (row + 1) * K);
      if (r % 3 === 2 || r % 5 === 4) dEntropy.data[row] = 0;
    }
  });
  return { dLogProb, dEntropy };
}

function maskedLogProbBackwardCases(): ParityCase[] {
  return SETTINGS.map((own): ParityCase => {
    const name = `maskedLogProbBackward ${settingName(own)}`;
    const random = randomFor(name);
    const { rows, tensors } = setting(random, own);
    const { members, capacity, counts } = rows;
    return {
      operation: 'maskedLogProbBackward',
      name,
      members,
      tensors: { ...tensors, ...derivatives(random, rows, Math.max(own.K, 1)) },
      build: (ops, t) => {
        // With one target the forward pass takes the rows' own tokens.
        recordLogProb(ops, t, own.K === 1 ? { ...own, K: 0 } : own);
        ops.maskedLogProbBackward(
          t.f32('logits'),
          t.f32('dLogProb'),
          t.f32('dEntropy'),
          t.f32('entropy'),
          t.f32('logSumExp'),
          t.rows(),
          t.u32('legalSets'),
          t.f32('hyper'),
          own.V,
          ...(own.K > 0 ? [t.u32('targets')] : []),
        );
      },
      outputs: [
        {
          tensor: 'logits',
          atol: 3e-6,
          rtol: 2e-5,
          compared: rowMask(counts, capacity, rowLength(own.V)),
          // With several targets, contributions may cancel exactly in float64 only.
          exactZeros: own.K <= 1 && own.V > 1,
        },
      ],
    };
  });
}

function sumOfSquaresCases(): ParityCase[] {
  return SETTINGS.filter(({ K, V }) => K !== 1 && V > 1).map((own): ParityCase => {
    const name = `sumOfSquares ${settingName(own)}`;
    const { rows, tensors } = setting(randomFor(name), own);
    const { members, capacity, counts } = rows;
    return {
      operation: 'sumOfSquares',
      name,
      members,
      tensors: { ...tensors, out: unwritten(members, capacity) },
      build: (ops, t) => {
        recordLogProb(ops, t, own);
        const inputs = [t.rows(), t.u32('legalSets'), t.f32('hyper'), own.V] as const;
        ops.sumOfSquares(t.f32('out'), t.f32('logSumExp'), t.f32('logits'), ...inputs);
      },
      outputs: [{ tensor: 'out', atol: 1e-6, rtol: 1e-5, compared: rowMask(counts, capacity, 1), exactZeros: true }],
    };
  });
}

/** Cases that compare the whole dense tensor: elements without a target must not change. */
function scatterRowsCases(): ParityCase[] {
  return SHAPES.map(({ name: shape, lengths }): ParityCase => {
    const name = `scatterRows ${shape}`;
    const random = randomFor(name);
    const rows = packRows(random, lengths, { vocabulary: 16 });
    const context = 211;
    return {
      operation: 'scatterRows',
      name,
      members: rows.members,
      tensors: {
        ...rows.tensors,
        x: normalRows(random, rows.counts, rows.capacity, 1),
        dense: normal(random, rows.members, batchSize(rows.sequences) * context),
      },
      build: (ops, t) => ops.scatterRows(t.f32('dense'), t.f32('x'), t.rows(), context),
      outputs: [{ tensor: 'dense', atol: 0, rtol: 0 }],
    };
  });
}

export const LOG_PROB_CASES: readonly ParityCase[] = [
  ...maskedLogProbCases(),
  ...scatteredCases(),
  ...maskedLogProbBackwardCases(),
  ...sumOfSquaresCases(),
  ...scatterRowsCases(),
  ...DECODING_CASES,
];
