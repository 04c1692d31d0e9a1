/** The gradient of one operation of the reference against central finite differences of its forward operation. */
import {
  allocate,
  type CaseTensors,
  normal,
  type ParameterPlan,
  partialsFor,
  randomFor,
  rowMask,
  type TensorSpec,
  unwritten,
} from '../../src/parity/cases/case';
import type { PackedRows } from '../../src/parity/cases/rows';
import type { Operations } from '../../src/tensor/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { checkGradients, weightedSum } from './finiteDifference';

interface OperationCheck {
  readonly rows: PackedRows;
  readonly tensors: Record<string, TensorSpec>;
  readonly forward: (ops: Operations, t: CaseTensors) => void;
  readonly backward: (ops: Operations, t: CaseTensors) => void;
  /** Terms of the loss Σ cotangent·output. */
  readonly outputs: readonly { readonly output: string; readonly cotangent: string }[];
  /** Inputs with a value for each row, and the tensors of their gradients. */
  readonly inputs?: readonly { readonly tensor: string; readonly gradient: string; readonly columns: number }[];
  /** Parameters in the tensor `parameters`; their gradients are in `partials`. */
  readonly parameters?: ParameterPlan;
}

/** Fails where the two differ. */
export async function check(own: OperationCheck): Promise<void> {
  const backend = new ReferenceBackend({ poison: true });
  const { members, counts, capacity, sequences } = own.rows;
  const chunks = Math.ceil(sequences / 16);
  const plan = own.parameters;
  const t = allocate(backend, {
    ...own.rows.tensors,
    ...own.tensors,
    ...(plan && {
      parameters: normal(randomFor('parameters'), members, plan.size, 0.5),
      partials: partialsFor(members, chunks, plan),
      gradients: unwritten(members, plan.size),
    }),
  });
  const isParameter = (element: number): boolean =>
    plan?.places.some(({ offset, shape }) => {
      const size = shape.reduce((a, b) => a * b, 1);
      return element >= offset && element < offset + size;
    }) ?? false;
  const rowInputs = (own.inputs ?? []).map(({ tensor, gradient, columns }) => {
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
    forward: backend.record('forward', members, (ops) => own.forward(ops, t)),
    backward: backend.record('backward', members, (ops) => {
      own.backward(ops, t);
      if (plan) ops.reduceChunks(t.f32('gradients'), t.f32('partials'), chunks, { accumulate: false });
    }),
    losses: async () => {
      const tensors = own.outputs.flatMap(({ output, cotangent }) => [t.f32(output), t.f32(cotangent)]);
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
