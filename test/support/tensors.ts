/** Tensors of one backend: made with values in them, and read after operations that were recorded and run once. */
import type { Backend, Operations, Sequences, Tensor } from '../../src/tensor/backend';
import { ROW_FIELDS } from '../../src/tensor/layout';

export function f32Tensor(backend: Backend, values: ArrayLike<number>): Tensor<'f32'> {
  const tensor = backend.tensor('numbers', 'f32', 1, values.length);
  backend.write(tensor, Float64Array.from(values));
  return tensor;
}

export function u32Tensor(backend: Backend, values: ArrayLike<number>): Tensor<'u32'> {
  const tensor = backend.tensor('words', 'u32', 1, values.length);
  backend.write(tensor, Uint32Array.from(values));
  return tensor;
}

export const emptyTensor = (backend: Backend, length: number): Tensor<'f32'> =>
  backend.tensor('result', 'f32', 1, length);

/** Rows of one sequence, all of them used; `table` has ROW_FIELDS words of each. */
export const rowsTensor = (backend: Backend, table: ArrayLike<number>): Sequences => {
  const capacity = table.length / ROW_FIELDS;
  const [count, start] = [[capacity], [0, capacity]].map((values) => u32Tensor(backend, values));
  return { table: u32Tensor(backend, table), count: count!, capacity, start: start!, sequences: 1 };
};

/** Values of tensors, in their order, after operations over so many members. */
export async function ran<const L extends readonly Tensor[]>(
  backend: Backend,
  members: number,
  record: (ops: Operations) => void,
  tensors: L,
) {
  const program = backend.record('a test', members, record);
  await backend.prepare();
  backend.run(program);
  return backend.read(...tensors);
}
