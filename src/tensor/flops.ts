/**
 * Floating-point operations of an operation, from its arguments: 2 a multiply-add of matrix products and attention; nothing else
 * counts. Rows are assumed full, and trajectories as long as the context.
 */
import type { Operations, ParameterView, Rows, Sequences, Tensor } from './backend';

export interface Called {
  readonly name: keyof Operations;
  readonly args: readonly unknown[];
}

const has = (value: unknown, ...keys: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && keys.every((key) => key in value);

export const isTensor = (value: unknown): value is Tensor => has(value, 'stride', 'members');
export const isView = (value: unknown): value is ParameterView => has(value, 'tensor', 'shape');
export const isRows = (value: unknown): value is Rows => has(value, 'table', 'capacity');
const isSequences = (value: unknown): value is Sequences => isRows(value) && 'sequences' in value;

/** Products of a row and the matrix that an operation makes. */
const PRODUCTS: Partial<Record<keyof Operations, number>> = {
  linear: 1,
  linearBackwardInput: 1,
  linearBackwardWeight: 1,
  fusedLogProb: 1,
  // The logits again, and both gradients.
  fusedLogProbBackward: 3,
};

/** `context`: tokens of a trajectory; those of the rows, or none where they are no whole trajectories, if left out. */
export function flopsOf({ name, args }: Called, members: number, context?: number): number {
  const rows = args.find(isRows);
  const [K = 0, N = 0] = args.find(isView)?.shape ?? [];
  const products = PRODUCTS[name];
  if (products !== undefined) return 2 * products * members * (rows?.capacity ?? 0) * K * N;
  if (name !== 'attention' && name !== 'attentionBackward') return 0;
  const [first, , , cache] = args;
  const size = isTensor(first) ? first.members * first.stride : 0;
  const tokens = context ?? (isSequences(rows) ? rows.capacity / rows.sequences : null);
  // A cache is read whole at most: every key and value once.
  if (tokens === null) return name === 'attention' && isTensor(cache) ? 2 * cache.members * cache.stride : 0;
  const pairs = (tokens + 1) / 2;
  return name === 'attention' ? 4 * size * pairs : 10 * (size / 3) * pairs;
}

/** Meter of submissions: true before an operation that would take the present one beyond `most`, which begins another. */
export function submissionMeter(most: number): (flops: number) => boolean {
  let spent = 0;
  return (flops) => {
    const isFull = spent > 0 && spent + flops > most;
    spent = isFull ? flops : spent + flops;
    return isFull;
  };
}
