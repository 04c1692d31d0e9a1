/**
 * Least flops (tensor/flops.ts) and bytes of an operation, from its arguments. Bytes: every tensor but scratch read or written
 * once, 4 bytes an element. Rows are assumed full, and trajectories as long as the context.
 */
import type { Sequences, Tensor } from '../../tensor/backend';
import { flopsOf, isRows, isTensor, isView } from '../../tensor/flops';
import { GRADIENT_CHUNK } from '../../tensor/layout';
import type { Call } from './apart';

export interface Cost {
  readonly flops: number;
  readonly bytes: number;
  /** Shape that tells calls of one operation apart, "64×256"; empty where the name is enough. */
  readonly shape: string;
}

const product = (numbers: readonly number[]): number => numbers.reduce((a, b) => a * b, 1);
const sizeOf = ({ members, stride }: Tensor): number => members * stride;

/** Elements of all arguments, each tensor once; of a parameter only its own part of the tensor. */
function elements(args: readonly unknown[], members: number): number {
  const seen = new Set<unknown>();
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
    seen.add(value);
    if (isTensor(value)) return value.label === 'partials' ? 0 : sizeOf(value);
    if (isView(value)) return product(value.shape) * members;
    if (isRows(value)) return count(value.table);
    return Object.values(value).reduce((sum: number, part) => sum + count(part), 0);
  };
  return args.reduce((sum: number, value) => sum + count(value), 0);
}

export function costOf({ name, args }: Call, members: number, context: number): Cost {
  const rows = args.find(isRows);
  const views = args.filter(isView);
  const [K = 0, N = 0] = views[0]?.shape ?? [];
  const chunks =
    rows !== undefined && 'sequences' in rows ? Math.ceil((rows as Sequences).sequences / GRADIENT_CHUNK) : 0;
  const options = args.at(-1) as { accumulate?: boolean; inputActivation?: string } | undefined;
  const once = elements(args, members);
  const first = isTensor(args[0]) ? sizeOf(args[0]) : 0;
  const accumulated = options?.accumulate === true ? first : 0;
  const shape = `${K}×${N}${options?.inputActivation === undefined ? '' : `, ${options.inputActivation}`}`;
  const flops = flopsOf({ name, args }, members, context);
  const cost = (extra: number, text = ''): Cost => ({ flops, bytes: 4 * (once + extra), shape: text });
  switch (name) {
    case 'linear':
    case 'linearBackwardInput':
      return cost(accumulated, shape);
    case 'linearBackwardWeight':
      // The weight itself is not read; its gradient is written a chunk at a time.
      return cost((chunks - 1) * members * (K * N + N), shape);
    case 'embedBackward':
    case 'layerNormBackward':
      return cost((chunks - 1) * members * views.reduce((sum, view) => sum + product(view.shape), 0) + accumulated);
    case 'reduceChunks':
      return cost(accumulated + sizeOf(args[1] as Tensor));
    case 'maskedLogProbBackward':
      return cost(first);
    case 'adamW':
      // Parameters and both moments are read and written.
      return cost(3 * first);
    case 'embed': {
      // Only the rows looked up in each table, at most one for each token.
      const looked = views.reduce((sum, view) => sum + Math.min(product(view.shape) * members, first), 0);
      return { flops, bytes: 4 * (first + (rows ? sizeOf(rows.table) : 0) + looked), shape: '' };
    }
    default:
      return cost(accumulated);
  }
}
