/** Ceiling of this lab's CPU backend: the rate of a product of 1024³, flops per second of processor time. */
import type { CpuKind } from '../../src/foundation/cpuVariants';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { filledTensor } from '../../src/train/bench/ceilings';
import { timed } from './byTurns';

const SIZE = 1024;
const REPETITIONS = 6;

export async function ourProduct(kind: CpuKind): Promise<number> {
  const backend = await createCpuBackend({ kind });
  const x = filledTensor(backend, 'x', SIZE * SIZE);
  const out = backend.tensor('out', 'f32', 1, SIZE * SIZE);
  const weight = { tensor: filledTensor(backend, 'weight', SIZE * SIZE), offset: 0, shape: [SIZE, SIZE] };
  const count = backend.tensor('count', 'u32', 1, 1);
  backend.write(count, Uint32Array.of(SIZE));
  const rows = { table: backend.tensor('rows', 'u32', 1, SIZE * 4), count, capacity: SIZE };
  const program = backend.record('product', 1, (ops) => ops.linear(out, x, rows, weight, null));
  await backend.prepare();
  const times: number[] = [];
  for (let i = 0; i < REPETITIONS; i++) times.push((await timed(async () => backend.run(program))).processor);
  return (2 * SIZE ** 3) / Math.min(...times);
}
