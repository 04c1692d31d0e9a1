/**
 * Parity cases of the policy's backward operations, on shapes with few and with many trajectories, whose weight gradients
 * fill one to three chunks. Gradients of parameters are compared along with all elements around them, which must not
 * change; gradients of activations in used rows alone.
 */
import type { RandomStream } from '../../foundation/philox';
import { headWidths } from '../../tensor/heads';
import { HEADS, headsInWords } from './attention';
import {
  normal,
  normalRows,
  type ParityCase,
  partialsFor,
  placeParameters,
  randomFor,
  rowMask,
  type TensorSpec,
  unwritten,
} from './case';
import { chunksOf, type Lengths, manyShort, type PackedRows, packRows, SHAPES } from './rows';

/** Tolerance of sums over up to 70 rows of float32 products of unit size. */
const SUMS = { atol: 2e-5, rtol: 2e-5 };
const ATTENTION = { atol: 5e-5, rtol: 1e-4 };

interface Shape {
  readonly name: string;
  readonly lengths: Lengths;
}

/** Shapes: those of rows.ts, and 1, 16, 17 and 35 trajectories. */
function shapes(): readonly Shape[] {
  const random = randomFor('trajectories per chunk');
  const chunked = [
    { members: 3, sequences: 1 },
    { members: 1, sequences: 16 },
    { members: 2, sequences: 17 },
    { members: 2, sequences: 35 },
  ].map(({ members, sequences }) => ({
    name: `${members} × ${sequences} trajectories`,
    lengths: manyShort(random, members, sequences),
  }));
  return [...SHAPES, ...chunked];
}

/** Parity cases of one operation, one for each shape. */
function forShapes(
  label: string,
  vocabulary: number,
  make: (random: RandomStream, rows: PackedRows) => Omit<ParityCase, 'name' | 'members'>,
): ParityCase[] {
  return shapes().map(({ name: shape, lengths }) => {
    const name = `${label}, ${shape}`;
    const random = randomFor(name);
    const rows = packRows(random, lengths, { vocabulary });
    return { name, members: rows.members, ...make(random, rows) };
  });
}

function target(random: RandomStream, rows: PackedRows, columns: number, accumulate: boolean): TensorSpec {
  return accumulate
    ? normalRows(random, rows.counts, rows.capacity, columns)
    : unwritten(rows.members, rows.capacity * columns);
}

function embedBackwardCases(): ParityCase[] {
  return [true, false].flatMap((learned) =>
    forShapes(`embedBackward, ${learned ? 'learned' : 'no'} positions`, 16, (random, rows) => {
      const [V, T, C] = [16, 210, learned ? 16 : 48];
      const plan = learned ? placeParameters('parameters', [V, C], [T, C]) : placeParameters('parameters', [V, C]);
      return {
        operation: 'embedBackward',
        tensors: {
          ...rows.tensors,
          parameters: unwritten(rows.members, plan.size),
          partials: partialsFor(rows.members, chunksOf(rows), plan),
          dx: normalRows(random, rows.counts, rows.capacity, C),
        },
        build: (ops, t) => {
          const [tokens, positions] = plan.places.map(t.view);
          ops.embedBackward(t.f32('partials'), t.f32('dx'), t.sequences(), tokens!, positions ?? null);
        },
        outputs: [{ tensor: 'partials', ...SUMS, exactZeros: true }],
      };
    }),
  );
}

function layerNormBackwardCases(): ParityCase[] {
  return [16, 48, 132].flatMap((C) =>
    forShapes(`layerNormBackward, width ${C}${C === 48 ? ', accumulated' : ''}`, 16, (random, rows) => {
      const plan = placeParameters('parameters', [C], [C]);
      const columns = (count: number): TensorSpec => normalRows(random, rows.counts, rows.capacity, count);
      return {
        operation: 'layerNormBackward',
        tensors: {
          ...rows.tensors,
          parameters: normal(random, rows.members, plan.size),
          partials: partialsFor(rows.members, chunksOf(rows), plan),
          x: columns(C),
          dOut: columns(C),
          out: unwritten(rows.members, rows.capacity * C),
          stats: unwritten(rows.members, rows.capacity * 2),
          dx: target(random, rows, C, C === 48),
        },
        build: (ops, t) => {
          const [gamma, beta] = plan.places.map(t.view);
          ops.layerNorm(t.f32('out'), t.f32('stats'), t.f32('x'), t.rows(), gamma!, beta!);
          ops.layerNormBackward(
            t.f32('dx'),
            t.f32('partials'),
            t.f32('dOut'),
            t.f32('x'),
            t.f32('stats'),
            t.sequences(),
            gamma!,
            beta!,
            { accumulate: C === 48 },
          );
        },
        outputs: [
          { tensor: 'dx', ...SUMS, compared: rowMask(rows.counts, rows.capacity, C) },
          { tensor: 'partials', ...SUMS, exactZeros: true },
        ],
      };
    }),
  );
}

const LINEAR_VARIANTS = [
  { K: 16, N: 48, bias: true, inputActivation: 'none', accumulate: false },
  { K: 64, N: 16, bias: true, inputActivation: 'gelu', accumulate: true },
  { K: 20, N: 84, bias: false, inputActivation: 'relu', accumulate: false },
  { K: 4, N: 4, bias: false, inputActivation: 'none', accumulate: true },
  { K: 132, N: 260, bias: true, inputActivation: 'none', accumulate: false },
] as const;

function linearBackwardInputCases(): ParityCase[] {
  return LINEAR_VARIANTS.flatMap(({ K, N, inputActivation, accumulate }) =>
    forShapes(
      `linearBackwardInput ${K} → ${N}, ${inputActivation}${accumulate ? ', accumulated' : ''}`,
      16,
      (random, rows) => {
        const plan = placeParameters('parameters', [K, N]);
        return {
          operation: 'linearBackwardInput',
          tensors: {
            ...rows.tensors,
            parameters: normal(random, rows.members, plan.size, 0.5),
            // Not read without an activation.
            x:
              inputActivation === 'none'
                ? unwritten(rows.members, rows.capacity * K)
                : normalRows(random, rows.counts, rows.capacity, K, 1.5),
            dOut: normalRows(random, rows.counts, rows.capacity, N),
            dx: target(random, rows, K, accumulate),
          },
          build: (ops, t) => {
            const weight = t.view(plan.places[0]!);
            ops.linearBackwardInput(t.f32('dx'), t.f32('dOut'), t.f32('x'), t.rows(), weight, {
              inputActivation,
              accumulate,
            });
          },
          outputs: [{ tensor: 'dx', ...SUMS, compared: rowMask(rows.counts, rows.capacity, K) }],
        };
      },
    ),
  );
}

function linearBackwardWeightCases(): ParityCase[] {
  return LINEAR_VARIANTS.flatMap(({ K, N, bias, inputActivation }) =>
    forShapes(`linearBackwardWeight ${K} → ${N}${bias ? ' with bias' : ''}, ${inputActivation}`, 16, (random, rows) => {
      const plan = bias ? placeParameters('parameters', [K, N], [N]) : placeParameters('parameters', [K, N]);
      return {
        operation: 'linearBackwardWeight',
        tensors: {
          ...rows.tensors,
          parameters: unwritten(rows.members, plan.size),
          partials: partialsFor(rows.members, chunksOf(rows), plan),
          x: normalRows(random, rows.counts, rows.capacity, K, 1.5),
          dOut: normalRows(random, rows.counts, rows.capacity, N),
        },
        build: (ops, t) => {
          const [weight, offset] = plan.places.map(t.view);
          ops.linearBackwardWeight(
            t.f32('partials'),
            t.f32('x'),
            t.f32('dOut'),
            t.sequences(),
            weight!,
            offset ?? null,
            {
              inputActivation,
            },
          );
        },
        outputs: [{ tensor: 'partials', ...SUMS, exactZeros: true }],
      };
    }),
  );
}

/** Turned: with the gradient of rotary positions after it, which GPUs take in the same dispatch. */
function attentionBackwardCases(): ParityCase[] {
  const turned = { heads: { queries: 4, keys: 2, width: 8 }, isTurned: true };
  return [...HEADS.map((heads) => ({ heads, isTurned: false })), turned].flatMap(({ heads, isTurned }) => {
    const { queries: C, row } = headWidths(heads);
    const name = `attentionBackward, ${headsInWords(heads)}${isTurned ? ', turned' : ''}`;
    return forShapes(name, 16, (random, rows) => ({
      operation: 'attentionBackward',
      tensors: {
        ...rows.tensors,
        qkv: normalRows(random, rows.counts, rows.capacity, row),
        dOut: normalRows(random, rows.counts, rows.capacity, C),
        out: unwritten(rows.members, rows.capacity * C),
        logSumExp: unwritten(rows.members, rows.capacity * heads.queries),
        dqkv: unwritten(rows.members, rows.capacity * row),
      },
      build: (ops, t) => {
        ops.attention(t.f32('out'), t.f32('logSumExp'), t.f32('qkv'), null, t.rows(), heads);
        ops.attentionBackward(
          t.f32('dqkv'),
          t.f32('dOut'),
          t.f32('out'),
          t.f32('logSumExp'),
          t.f32('qkv'),
          t.sequences(),
          heads,
        );
        if (isTurned) ops.rotary(t.f32('dqkv'), t.sequences(), heads, -1);
      },
      outputs: [{ tensor: 'dqkv', ...ATTENTION, compared: rowMask(rows.counts, rows.capacity, row) }],
    }));
  });
}

function reduceChunksCases(): ParityCase[] {
  return [1, 3].flatMap((chunks) =>
    [false, true].map((accumulate): ParityCase => {
      const name = `reduceChunks of ${chunks}${accumulate ? ', accumulated' : ''}`;
      const random = randomFor(name);
      const [P, N] = [chunks, 1036];
      return {
        operation: 'reduceChunks',
        name,
        members: P,
        tensors: {
          partials: normal(random, P, chunks * N),
          gradients: accumulate ? normal(random, P, N) : unwritten(P, N),
        },
        build: (ops, t) => ops.reduceChunks(t.f32('gradients'), t.f32('partials'), chunks, { accumulate }),
        outputs: [{ tensor: 'gradients', atol: 1e-6, rtol: 1e-6 }],
      };
    }),
  );
}

export const POLICY_BACKWARD_CASES: readonly ParityCase[] = [
  ...embedBackwardCases(),
  ...layerNormBackwardCases(),
  ...linearBackwardInputCases(),
  ...linearBackwardWeightCases(),
  ...attentionBackwardCases(),
  ...reduceChunksCases(),
];
