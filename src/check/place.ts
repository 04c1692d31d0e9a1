/**
 * Tokens of a fixture in the layout of the operations: row b of a [B,T] array is a trajectory, its column t the token at
 * position t + 1, because nothing predicts a trajectory's first token. Numbers exist packed by rows for a pass, and densely
 * for the batch; they are NaN where the fixture has no token.
 */
import type { Backend, Sequences, Tensor } from '../tensor/backend';
import { NO_ROLE, OUTCOME, OUTCOME_COLUMNS } from '../tensor/columns';
import { HYPER, HYPER_COLUMNS, packMeta, ROW_FIELDS } from '../tensor/layout';
import type { Batch } from '../tensor/operations/batch';

export interface PlacedTokens {
  readonly rows: Sequences;
  readonly batch: Batch;
  /** Tokens with the beginning, T + 1. */
  readonly context: number;
  /** Tensor [1, R] with one number a token, NaN at the first row of each trajectory. */
  packed(label: string, values: ArrayLike<number>): Tensor<'f32'>;
  /** Tensor [1, B, T + 1] with one number a token, NaN at the first place of each trajectory. */
  dense(label: string, values: ArrayLike<number>): Tensor<'f32'>;
  /** Index of a row's token among B·T; −1 at a trajectory's first row, which has none. */
  tokenAt(row: number): number;
  /** One number a token from a tensor's values: column `column` of `columns` (default: the only one). */
  tokens(values: ArrayLike<number>, columns?: number, column?: number): Float64Array;
}

export interface Placing {
  /** Shape [B, T]. */
  readonly shape: readonly [trajectories: number, tokens: number];
  /** Trajectories of each group, adjacent; one group if left out. */
  readonly groups?: readonly number[];
}

/** Places tokens. roles: one for each token, NO_ROLE for those that are no targets. */
export function placeTokens(backend: Backend, roles: ArrayLike<number>, { shape, groups }: Placing): PlacedTokens {
  const [B, T] = shape;
  const context = T + 1;
  const capacity = B * context;
  const table = new Uint32Array(capacity * ROW_FIELDS);
  const dense = new Uint32Array(capacity).fill(NO_ROLE);
  for (let row = 0; row < capacity; row++) {
    const [b, position] = [Math.floor(row / context), row % context];
    const role = position === 0 ? NO_ROLE : roles[b * T + position - 1];
    dense[row] = role;
    table.set([0, position, b * context, packMeta(role, 0, b)], row * ROW_FIELDS);
  }
  const sizes = groups ?? [B];
  const groupStart = [0];
  for (const size of sizes) groupStart.push((groupStart.at(-1) as number) + size);
  const outcomes = new Float32Array(B * OUTCOME_COLUMNS);
  for (let b = 0; b < B; b++) {
    outcomes[b * OUTCOME_COLUMNS + OUTCOME.usable] = 1;
    outcomes[b * OUTCOME_COLUMNS + OUTCOME.valid] = 1;
  }
  const u32 = (label: string, values: ArrayLike<number>): Tensor<'u32'> => {
    const tensor = backend.tensor(label, 'u32', 1, values.length);
    backend.write(tensor, Uint32Array.from(values));
    return tensor;
  };
  // Packed and dense are the same here: one microbatch, and all trajectories equally long.
  const put = (label: string, values: ArrayLike<number>): Tensor<'f32'> =>
    tensorOf(
      backend,
      label,
      Array.from({ length: capacity }, (_, row) => {
        const [b, position] = [Math.floor(row / context), row % context];
        return position === 0 ? Number.NaN : values[b * T + position - 1];
      }),
    );
  return {
    rows: {
      table: u32('table', table),
      count: u32('count', [capacity]),
      capacity,
      start: u32(
        'start',
        Array.from({ length: B + 1 }, (_, b) => b * context),
      ),
      sequences: B,
    },
    batch: {
      roles: u32('roles', dense),
      trajectories: B,
      context,
      groupStart: u32('groupStart', groupStart),
      groups: sizes.length,
      outcomes: tensorOf(backend, 'outcomes', outcomes),
    },
    context,
    tokenAt: (row) => (row % context === 0 ? -1 : row - Math.floor(row / context) - 1),
    packed: put,
    dense: put,
    tokens: (values, columns = 1, column = 0) =>
      Float64Array.from({ length: B * T }, (_, i) => {
        const row = Math.floor(i / T) * context + (i % T) + 1;
        return values[row * columns + column];
      }),
  };
}

/** Tensor of one member with these numbers. */
export function tensorOf(backend: Backend, label: string, values: ArrayLike<number>): Tensor<'f32'> {
  const tensor = backend.tensor(label, 'f32', 1, values.length);
  backend.write(tensor, Float32Array.from(values));
  return tensor;
}

/** Hyperparameters of one member, by column; temperature 1, all others 0. */
export function hyperTensor(backend: Backend, ...columns: readonly (readonly [column: number, value: number])[]) {
  const row = new Float32Array(HYPER_COLUMNS);
  row[HYPER.temperature] = 1;
  for (const [column, value] of columns) row[column] = value;
  return tensorOf(backend, 'hyper', row);
}
