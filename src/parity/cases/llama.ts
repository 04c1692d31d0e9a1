/**
 * Parity cases of what only decoders of the Llama family and adapters need, on few and on many trajectories. Gradients of
 * parameters are compared along with all elements around them, which must not change.
 */
import type { RandomStream } from '../../foundation/philox';
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
import { chunksOf, manyShort, type PackedRows, packRows, SHAPES } from './rows';

const SUMS = { atol: 2e-5, rtol: 2e-5 };
const VOCABULARY = 20;

interface Scene {
  readonly random: RandomStream;
  readonly rows: PackedRows;
  /** Random values in the rows in use. */
  columns(count: number, deviation?: number): TensorSpec;
  blank(columns: number): TensorSpec;
  /** 1 where rows are in use. */
  used(columns: number): Uint8Array;
}

/** Cases of one operation on each shape: those of rows.ts, and trajectories of three chunks. */
function forShapes(
  operation: ParityCase['operation'],
  label: string,
  make: (scene: Scene) => Omit<ParityCase, 'name' | 'members' | 'operation'>,
): ParityCase[] {
  const many = { name: '2 × 35 trajectories', lengths: manyShort(randomFor('many'), 2, 35) };
  return [...SHAPES, many].map(({ name: shape, lengths }) => {
    const name = `${operation}${label}, ${shape}`;
    const random = randomFor(name);
    const rows = packRows(random, lengths, { vocabulary: VOCABULARY });
    const { counts, capacity, members } = rows;
    const { tensors, ...rest } = make({
      random,
      rows,
      columns: (count, deviation) => normalRows(random, counts, capacity, count, deviation),
      blank: (count) => unwritten(members, capacity * count),
      used: (count) => rowMask(counts, capacity, count),
    });
    return { operation, name, members, tensors: { ...rows.tensors, ...tensors }, ...rest };
  });
}

function tiedCases(): ParityCase[] {
  return [8, 12].flatMap((C) => {
    const plan = placeParameters('parameters', [C, VOCABULARY]);
    return [
      ...forShapes('embedTied', `, width ${C}`, ({ random, rows, blank, used }) => ({
        tensors: { parameters: normal(random, C === 8 ? 1 : rows.members, plan.size), out: blank(C) },
        build: (ops, t) => ops.embedTied(t.f32('out'), t.rows(), t.view(plan.places[0]!)),
        outputs: [{ tensor: 'out', atol: 0, rtol: 0, compared: used(C) }],
      })),
      ...forShapes('embedTiedBackward', `, width ${C}`, ({ random, rows, columns }) => ({
        tensors: {
          parameters: unwritten(rows.members, plan.size),
          partials: normal(random, rows.members, chunksOf(rows) * plan.size),
          dx: columns(C),
        },
        build: (ops, t) =>
          ops.embedTiedBackward(t.f32('partials'), t.f32('dx'), t.sequences(), t.view(plan.places[0]!)),
        outputs: [{ tensor: 'partials', ...SUMS }],
      })),
    ];
  });
}

function rmsNormCases(): ParityCase[] {
  return [16, 48, 132].flatMap((C) => {
    const [plan, epsilon] = [placeParameters('parameters', [C]), C === 16 ? 1e-6 : 1e-5];
    const frozen = C === 132;
    return [
      ...forShapes('rmsNorm', `, width ${C}`, ({ random, rows, columns, blank, used }) => {
        const x = columns(C, 2);
        // A row of zeros: rstd is 1/√ε.
        x.data.fill(0, 0, C);
        return {
          tensors: { parameters: normal(random, rows.members, plan.size), x, out: blank(C), stats: blank(2) },
          build: (ops, t) =>
            ops.rmsNorm(t.f32('out'), t.f32('stats'), t.f32('x'), t.rows(), t.view(plan.places[0]!), epsilon),
          outputs: [
            { tensor: 'out', ...SUMS, compared: used(C) },
            { tensor: 'stats', ...SUMS, compared: used(2) },
          ],
        };
      }),
      ...forShapes('rmsNormBackward', `, width ${C}`, ({ random, rows, columns, blank, used }) => ({
        tensors: {
          parameters: normal(random, rows.members, plan.size),
          partials: partialsFor(rows.members, chunksOf(rows), plan),
          x: columns(C),
          dOut: columns(C),
          out: blank(C),
          stats: blank(2),
          dx: C === 48 ? columns(C) : blank(C),
        },
        build: (ops, t) => {
          const [x, stats, gamma] = [t.f32('x'), t.f32('stats'), t.view(plan.places[0]!)];
          const partials = frozen ? null : t.f32('partials');
          ops.rmsNorm(t.f32('out'), stats, x, t.rows(), gamma, epsilon);
          const options = { accumulate: C === 48 };
          ops.rmsNormBackward(t.f32('dx'), partials, t.f32('dOut'), x, stats, t.sequences(), gamma, options);
        },
        outputs: [
          { tensor: 'dx', ...SUMS, compared: used(C) },
          ...(frozen ? [] : [{ tensor: 'partials', ...SUMS, exactZeros: true }]),
        ],
      })),
    ];
  });
}

/** Gates as large as ±100, where the sigmoid is 0 or 1. */
function gates(scene: Scene, F: number): TensorSpec {
  const x = scene.columns(2 * F, 2);
  [-100, -30, 30, 100].forEach((gate, f) => {
    x.data[f] = gate;
  });
  return x;
}

function swigluCases(): ParityCase[] {
  return [8, 44].flatMap((F) => [
    ...forShapes('swiglu', `, width ${F}`, (scene) => ({
      tensors: { x: gates(scene, F), out: scene.blank(F) },
      build: (ops, t) => ops.swiglu(t.f32('out'), t.f32('x'), t.rows()),
      outputs: [{ tensor: 'out', ...SUMS, compared: scene.used(F) }],
    })),
    ...forShapes('swigluBackward', `, width ${F}`, (scene) => ({
      tensors: { x: gates(scene, F), dOut: scene.columns(F), dx: scene.blank(2 * F) },
      build: (ops, t) => ops.swigluBackward(t.f32('dx'), t.f32('dOut'), t.f32('x'), t.rows()),
      outputs: [{ tensor: 'dx', ...SUMS, compared: scene.used(2 * F) }],
    })),
  ]);
}

function columnCases(): ParityCase[] {
  const [N, n] = [20, 8];
  return [0, 12].flatMap((first) => [
    ...forShapes('addColumns', ` from ${first}`, ({ columns, used }) => ({
      tensors: { x: columns(n), out: columns(N) },
      build: (ops, t) => ops.addColumns(t.f32('out'), t.f32('x'), t.rows(), first, 1.5),
      outputs: [{ tensor: 'out', ...SUMS, compared: used(N) }],
    })),
    ...forShapes('takeColumns', ` from ${first}`, ({ columns, blank, used }) => ({
      tensors: { x: columns(N), out: blank(n) },
      build: (ops, t) => ops.takeColumns(t.f32('out'), t.f32('x'), t.rows(), first, 1.5),
      outputs: [{ tensor: 'out', ...SUMS, compared: used(n) }],
    })),
  ]);
}

export const LLAMA_CASES: readonly ParityCase[] = [
  ...tiedCases(),
  ...rmsNormCases(),
  ...swigluCases(),
  ...columnCases(),
];
