/** The gradient of one operation of the reference against central finite differences of its forward operation. */
import type { RandomStream } from '../../src/foundation/philox';
import {
  allocate,
  type CaseTensors,
  normal,
  normalRows,
  type ParameterPlan,
  partialsFor,
  randomFor,
  rowMask,
  type TensorSpec,
  unwritten,
} from '../../src/parity/cases/case';
import { type Lengths, type PackedRows, packRows } from '../../src/parity/cases/rows';
import type { Operations, ParameterView } from '../../src/tensor/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { checkGradients, weightedSum } from './finiteDifference';

interface OperationCheck {
  /** Values are drawn by it. */
  readonly name: string;
  /** Rows of the trajectories of each member. */
  readonly lengths?: Lengths;
  readonly vocabulary?: number;
  readonly legalSets?: number;
  /** Columns of normal values, by tensor. */
  readonly given: Readonly<Record<string, number>>;
  /** Columns of what the operations write, by tensor. */
  readonly written: Readonly<Record<string, number>>;
  /** Tensors besides. */
  readonly tensors?: (rows: PackedRows, random: RandomStream) => Record<string, TensorSpec>;
  readonly forward: Recorded;
  readonly backward: Recorded;
  /** Terms of the loss Σ cotangent·output: the cotangent by its output; `dOut` of `out` where none are said. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** Tensors of gradients, by the input among `given`. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Parameters in the tensor `parameters`; their gradients are in `partials`. */
  readonly parameters?: ParameterPlan;
}

/** Records an operation with the check's tensors, and the views of its parameters. */
type Recorded = (ops: Operations, t: CaseTensors, ...views: ParameterView[]) => void;

/** Two members of different sizes. */
const LENGTHS: Lengths = [
  [4, 0, 3],
  [1, 5, 3],
];

/** Fails where the two differ. */
export async function check(own: OperationCheck): Promise<void> {
  const backend = new ReferenceBackend({ poison: true });
  const random = randomFor(own.name);
  const { lengths = LENGTHS, vocabulary = 8, legalSets = 1, outputs = { out: 'dOut' } } = own;
  const rows = packRows(random, lengths, { vocabulary, legalSets });
  const { members, counts, capacity, sequences } = rows;
  const chunks = Math.ceil(sequences / 16);
  const plan = own.parameters;
  const each = (columns: Readonly<Record<string, number>>, spec: (count: number) => TensorSpec) =>
    Object.fromEntries(Object.entries(columns).map(([name, count]) => [name, spec(count)]));
  const t = allocate(backend, {
    ...own.tensors?.(rows, random),
    ...rows.tensors,
    ...each(own.given, (count) => normalRows(random, counts, capacity, count)),
    ...each(own.written, (count) => unwritten(members, capacity * count)),
    ...(plan && {
      parameters: normal(randomFor('parameters'), members, plan.size, 0.5),
      partials: partialsFor(members, chunks, plan),
      gradients: unwritten(members, plan.size),
    }),
  });
  const views = plan?.places.map(t.view) ?? [];
  const isParameter = (element: number): boolean =>
    plan?.places.some(({ offset, shape }) => {
      const size = shape.reduce((a, b) => a * b, 1);
      return element >= offset && element < offset + size;
    }) ?? false;
  const rowInputs = Object.entries(own.inputs ?? {}).map(([tensor, gradient]) => {
    const columns = own.given[tensor] as number;
    const used = rowMask(counts, capacity, columns);
    return {
      tensor: t.f32(tensor),
      gradient: t.f32(gradient),
      checked: (p: number, i: number) => used[p * capacity * columns + i] === 1,
    };
  });
  await checkGradients({
    backend,
    members,
    forward: backend.record('forward', members, (ops) => own.forward(ops, t, ...views)),
    backward: backend.record('backward', members, (ops) => {
      own.backward(ops, t, ...views);
      if (plan) ops.reduceChunks(t.f32('gradients'), t.f32('partials'), chunks, { accumulate: false });
    }),
    losses: async () => {
      const tensors = Object.entries(outputs).flatMap((pair) => pair.map(t.f32));
      const values = await backend.read(...tensors);
      const losses = new Array<number>(members).fill(0);
      for (let k = 0; k < values.length; k += 2) {
        weightedSum(values[k] as Float64Array, values[k + 1] as Float64Array, members).forEach((loss, p) => {
          losses[p] = (losses[p] as number) + loss;
        });
      }
      return losses;
    },
    inputs: plan
      ? [...rowInputs, { tensor: t.f32('parameters'), gradient: t.f32('gradients'), checked: (_, i) => isParameter(i) }]
      : rowInputs,
  });
}
