/**
 * Passes through low-rank adapters (LoRA, arXiv 2106.09685): what a block's map adds to some columns of its output is
 * factor·(x·A)·B, A [K,r] and B [r,n] with gradients of their own, while the map itself is frozen.
 */
import type { Operations, ParameterView, Rows, Sequences, Tensor } from '../tensor/backend';
import type { Activations } from './activations';
import { adaptedMaps, type BlockMap, type PolicyConfiguration } from './configuration';

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
}

/** Finder of the adapters of a layer's map; none where it has none. */
export function adaptersOf(
  configuration: PolicyConfiguration,
  parameter: (name: string) => ParameterView,
  activations: Activations,
): (layer: number, map: BlockMap) => readonly Adapter[] {
  const { factor = 0 } = configuration.adapters ?? {};
  const maps = adaptedMaps(configuration);
  const tensor = <K>(tensors: ReadonlyMap<K, F32> | undefined, key: K): F32 => {
    const found = tensors?.get(key);
    if (found === undefined) throw new RangeError(`The activations have no room for the adapter ${String(key)}.`);
    return found;
  };
  return (layer, map) =>
    maps
      .filter((adapted) => adapted.map === map)
      .map(({ name, first, outputs }) => ({
        A: parameter(`layer${layer}.${name}.A`),
        B: parameter(`layer${layer}.${name}.B`),
        factor,
        first,
        low: tensor(activations.layers[layer]?.low, name),
        wide: tensor(activations.wide, outputs),
      }));
}

/** out += the adapters' products. */
export function recordAdapters(ops: Operations, adapters: readonly Adapter[], out: F32, x: F32, rows: Rows): void {
  for (const { A, B, factor, first, low, wide } of adapters) {
    ops.linear(low, x, rows, A, null);
    ops.linear(wide, low, rows, B, null);
    ops.addColumns(out, wide, rows, first, factor);
  }
}

/** dx += the gradient through the adapters; those by A and B per chunk into partials. dLow: scratch [P,R,r]. */
export function recordAdaptersBackward(
  ops: Operations,
  adapters: readonly Adapter[],
  dx: F32,
  partials: F32,
  dOut: F32,
  x: F32,
  rows: Sequences,
  dLow: F32 | null,
): void {
  for (const { A, B, factor, first, low, wide } of adapters) {
    if (dLow === null) throw new RangeError('The adapters have no room for gradients.');
    ops.takeColumns(wide, dOut, rows, first, factor);
    ops.linearBackwardWeight(partials, low, wide, rows, B, null);
    ops.linearBackwardInput(dLow, wide, low, rows, B);
    ops.linearBackwardWeight(partials, x, dLow, rows, A, null);
    ops.linearBackwardInput(dx, dLow, x, rows, A, { accumulate: true });
  }
}
