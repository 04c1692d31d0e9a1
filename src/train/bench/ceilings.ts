/**
 * Ceilings: the best rates of this device in this run, from plain matrix products and copies of several sizes. (Small
 * copies stay in caches, as a small policy's tensors do.) A kernel measured later that is faster raises the ceiling, so no
 * share exceeds 1.
 */
import type { Backend, Tensor } from '../../tensor/backend';
import type { Ceiling } from './report';
import type { Stopwatch } from './stopwatch';

const PRODUCTS: readonly (readonly [rows: number, inner: number, width: number])[] = [
  [1024, 256, 256],
  [2048, 512, 512],
];
const QUICK_PRODUCTS = [[512, 128, 128]] as const;
const COPIES = [2 ** 18, 2 ** 20, 2 ** 22, 2 ** 24];
const QUICK_COPIES = [2 ** 16, 2 ** 20];

/** Products large enough to fill a GPU, where matrix units would show. */
const GPU_PRODUCTS = [[8192, 1024, 1024]] as const;
const GPU_COPIES = [2 ** 26];

export interface CeilingSizes {
  readonly quick: boolean;
  /** True for a real GPU, which small sizes cannot fill. */
  readonly gpu: boolean;
}

export async function measureCompute(backend: Backend, clock: Stopwatch, sizes: CeilingSizes): Promise<Ceiling> {
  let best: Ceiling = { perSecond: 0, by: 'nothing' };
  const tried = sizes.quick ? QUICK_PRODUCTS : sizes.gpu ? [...PRODUCTS, ...GPU_PRODUCTS] : PRODUCTS;
  for (const [R, K, N] of tried) {
    const [x, out] = [filledTensor(backend, 'x', R * K), backend.tensor('out', 'f32', 1, R * N)];
    const weight = { tensor: filledTensor(backend, 'weight', K * N), offset: 0, shape: [K, N] };
    const count = backend.tensor('count', 'u32', 1, 1);
    backend.write(count, Uint32Array.of(R));
    const rows = { table: backend.tensor('rows', 'u32', 1, R * 4), count, capacity: R };
    const seconds = await clock.time((ops) => ops.linear(out, x, rows, weight, null));
    best = higher(best, { perSecond: (2 * R * K * N) / seconds, by: `product ${R}×${K}·${K}×${N}` });
  }
  return best;
}

export async function measureMemory(backend: Backend, clock: Stopwatch, sizes: CeilingSizes): Promise<Ceiling> {
  let best: Ceiling = { perSecond: 0, by: 'nothing' };
  const tried = sizes.quick ? QUICK_COPIES : sizes.gpu ? [...COPIES, ...GPU_COPIES] : COPIES;
  for (const floats of tried) {
    const [source, target] = [filledTensor(backend, 'source', floats), backend.tensor('target', 'f32', 1, floats)];
    const seconds = await clock.time((ops) => ops.copy(target, source));
    best = higher(best, { perSecond: (8 * floats) / seconds, by: `copy of ${floats / 2 ** 18} MiB` });
  }
  return best;
}

export const higher = (a: Ceiling, b: Ceiling): Ceiling => (b.perSecond > a.perSecond ? b : a);

/** Tensor filled with varying numbers; one block is repeated to save time. */
export function filledTensor(backend: Backend, label: string, stride: number, scale = 0.5): Tensor<'f32'> {
  const tensor = backend.tensor(label, 'f32', 1, stride);
  const block = Float32Array.from({ length: Math.min(stride, 2 ** 16) }, (_, i) => Math.sin(i * 0.37 + 0.1) * scale);
  for (let at = 0; at < stride; at += block.length) {
    backend.write(tensor, at + block.length > stride ? block.subarray(0, stride - at) : block, at);
  }
  return tensor;
}
