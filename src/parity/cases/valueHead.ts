/** Parity cases of the value head. Hidden states that predict no target are NaN. */
import type { RandomStream } from '../../foundation/philox';
import { GRADIENT_CHUNK, ROW_FIELDS } from '../../tensor/layout';
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
import { type Lengths, manyShort, type PackedRows, packRows, SHAPES } from './rows';

const shapes = (): readonly { readonly name: string; readonly lengths: Lengths }[] => [
  ...SHAPES,
  { name: '2 × 35 trajectories', lengths: manyShort(randomFor('value head'), 2, 35) },
];

/** Hidden states: random in rows whose next row is a target and `isUsed`, NaN in all others. */
function predictors(
  random: RandomStream,
  { members, counts, capacity, tensors }: PackedRows,
  C: number,
  isUsed: (p: number, r: number) => boolean,
): TensorSpec {
  const hidden = normal(random, members, capacity * C);
  const table = tensors['rows.table'].data;
  counts.forEach((count, p) => {
    for (let r = 0; r < capacity; r++) {
      const next = p * capacity + r + 1;
      const predicts = r + 1 < count && table[next * ROW_FIELDS + 1] !== 0 && isUsed(p, r + 1);
      if (!predicts) hidden.data.fill(Number.NaN, (next - 1) * C, next * C);
    }
  });
  return hidden;
}

function valueHeadCases(): ParityCase[] {
  return shapes().map(({ name: shape, lengths }, i): ParityCase => {
    const C = [4, 16, 20, 132][i % 4];
    const name = `valueHead, width ${C}, ${shape}`;
    const random = randomFor(name);
    const rows = packRows(random, lengths, { vocabulary: 16 });
    const plan = placeParameters('parameters', [C], [1]);
    return {
      operation: 'valueHead',
      name,
      members: rows.members,
      tensors: {
        ...rows.tensors,
        parameters: normal(random, rows.members, Math.ceil(plan.size / 4) * 4),
        hidden: predictors(random, rows, C, () => true),
        value: unwritten(rows.members, rows.capacity),
      },
      build: (ops, t) => {
        const [weight, bias] = plan.places.map(t.view);
        ops.valueHead(t.f32('value'), t.f32('hidden'), t.rows(), weight!, bias!);
      },
      outputs: [
        {
          tensor: 'value',
          atol: 1e-5,
          rtol: 1e-5,
          compared: rowMask(rows.counts, rows.capacity, 1),
          exactZeros: true,
        },
      ],
    };
  });
}

/** Cases in which every fourth row has no derivative; the hidden states before those are not read. */
function valueHeadBackwardCases(): ParityCase[] {
  return shapes().map(({ name: shape, lengths }, i): ParityCase => {
    const C = [16, 4, 132, 20][i % 4];
    const name = `valueHeadBackward, width ${C}, ${shape}`;
    const random = randomFor(name);
    const rows = packRows(random, lengths, { vocabulary: 16 });
    const { members, capacity, counts, sequences } = rows;
    const plan = placeParameters('parameters', [C], [1]);
    const padded = { ...plan, size: Math.ceil(plan.size / 4) * 4 };
    const dValue = normalRows(random, counts, capacity, 1);
    for (let r = 3; r < members * capacity; r += 4) dValue.data[r] = 0;
    return {
      operation: 'valueHeadBackward',
      name,
      members,
      tensors: {
        ...rows.tensors,
        parameters: normal(random, members, padded.size),
        partials: partialsFor(members, Math.ceil(sequences / GRADIENT_CHUNK), padded),
        hidden: predictors(random, rows, C, (p, r) => dValue.data[p * capacity + r] !== 0),
        dValue,
        dHidden: normalRows(random, counts, capacity, C),
      },
      build: (ops, t) => {
        const [weight, bias] = plan.places.map(t.view);
        const [dHidden, partials] = [t.f32('dHidden'), t.f32('partials')];
        ops.valueHeadBackward(dHidden, partials, t.f32('dValue'), t.f32('hidden'), t.sequences(), weight!, bias!);
      },
      outputs: [
        { tensor: 'dHidden', atol: 1e-5, rtol: 1e-5, compared: rowMask(counts, capacity, C) },
        { tensor: 'partials', atol: 2e-5, rtol: 2e-5, exactZeros: true },
      ],
    };
  });
}

export const VALUE_HEAD_CASES: readonly ParityCase[] = [...valueHeadCases(), ...valueHeadBackwardCases()];
