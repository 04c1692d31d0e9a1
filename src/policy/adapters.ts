/**
 * Low-rank adapters (LoRA, arXiv 2106.09685): what a block's map adds to some columns of its output is factor·(x·A)·B, A [K,r] and
 * B [r,n] with gradients of their own, while the map itself may be frozen.
 */
import type { Operations, ParameterView, Rows, Sequences, Tensor } from '../tensor/backend';

type F32 = Tensor<'f32'>;

export interface Adapter {
  readonly A: ParameterView;
  readonly B: ParameterView;
  readonly factor: number;
  /** First of the map's columns that it adds to. */
  readonly first: number;
  /** x·A, [P,R,r]; kept for the backward pass. */
  readonly low: F32;
  /** [P,R,n], which adapters of one width share. */
  readonly wide: F32;
  /** Gradient by `low`, likewise; null in passes that are not differentiated. */
  readonly dLow: F32 | null;
}

/** Adapters of a map by its name, `layer0.qkv`; none where it has none. */
export type Adapters = (map: string) => readonly Adapter[];

export const NO_ADAPTERS: Adapters = () => [];

/** out += what the adapters add. */
export function recordAdapters(ops: Operations, adapters: readonly Adapter[], out: F32, x: F32, rows: Rows): void {
  for (const { A, B, factor, first, low, wide } of adapters) {
    ops.linear(low, x, rows, A, null);
    ops.linear(wide, low, rows, B, null);
    ops.addColumns(out, wide, rows, first, factor);
  }
}

/** dx += the gradient through the adapters; those by A and B per chunk into partials. */
export function recordAdaptersBackward(
  ops: Operations,
  adapters: readonly Adapter[],
  dx: F32,
  partials: F32 | null,
  dOut: F32,
  x: F32,
  rows: Sequences,
): void {
  for (const { A, B, factor, first, low, wide, dLow } of adapters) {
    if (dLow === null || partials === null) throw new RangeError('The adapters have no room for gradients.');
    ops.takeColumns(wide, dOut, rows, first, factor);
    ops.linearBackwardWeight(partials, low, wide, rows, B, null);
    ops.linearBackwardInput(dLow, wide, low, rows, B);
    ops.linearBackwardWeight(partials, x, dLow, rows, A, null);
    ops.linearBackwardInput(dx, dLow, x, rows, A, { accumulate: true });
  }
}
