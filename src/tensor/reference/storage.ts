/**
 * Storage of the reference: one typed array a tensor, one view of it a member; a tensor with one member is shared by
 * all. Reading outside an array throws, so an operation that reads too far (or a test with wrong sizes) fails where it
 * does.
 */
import { LabError } from '../../foundation/errors';
import type { ElementType, Operations, ParameterView, Rows, Sequences, Tensor } from '../backend';
import { type HalfType, widened } from '../halves';
import { GRADIENT_CHUNK, metaLegalSet, metaRole, metaSequence, ROW_FIELDS } from '../layout';

/** An operation of the contract as a function that is also told the number of members. */
export type Written<K extends keyof Operations> = (members: number, ...args: Parameters<Operations[K]>) => void;

const ARRAYS = { f32: Float64Array, u32: Uint32Array, bf16: Uint16Array, f16: Uint16Array } as const;

export type TensorArray<E extends ElementType> = InstanceType<(typeof ARRAYS)[E]>;

export class ReferenceTensor<E extends ElementType = ElementType> implements Tensor<E> {
  readonly label: string;
  readonly type: E;
  readonly members: number;
  readonly stride: number;
  readonly values: TensorArray<E>;

  constructor(label: string, type: E, members: number, stride: number) {
    this.label = label;
    this.type = type;
    this.members = members;
    this.stride = stride;
    this.values = new ARRAYS[type](members * stride) as TensorArray<E>;
  }
}

/** The whole tensor, [members · stride]. */
export function values<E extends ElementType>(tensor: Tensor<E>): TensorArray<E> {
  if (tensor instanceof ReferenceTensor) return tensor.values as TensorArray<E>;
  throw new LabError(
    'internal',
    `The tensor "${tensor.label}" belongs to another backend.`,
    'Use tensors only with the backend that made them.',
  );
}

/** A member's part of a tensor. */
export function member<E extends ElementType>(tensor: Tensor<E>, p: number): TensorArray<E> {
  const first = tensor.members === 1 ? 0 : p * tensor.stride;
  return values(tensor).subarray(first, first + tensor.stride) as TensorArray<E>;
}

/** A member's values of one parameter; of one that is kept in two bytes a number, a copy. */
export function parameter(view: ParameterView, p: number): Float64Array<ArrayBuffer> {
  const { tensor, offset } = view;
  const values = member(tensor, p).subarray(offset, offset + size(view));
  return values instanceof Uint16Array ? Float64Array.from(widened(values, tensor.type as HalfType)) : values;
}

/** A parameter's place in one chunk of partials [P, chunks, N]. */
export function parameterPartial(
  partials: Tensor<'f32'>,
  view: ParameterView,
  p: number,
  chunk: number,
): Float64Array<ArrayBuffer> {
  const first = chunk * view.tensor.stride + view.offset;
  return member(partials, p).subarray(first, first + size(view));
}

function size(view: ParameterView): number {
  return view.shape.reduce((a, b) => a * b, 1);
}

/** array[index], which must exist. */
export function at(array: Float64Array | Uint32Array, index: number): number {
  const value = array[index];
  if (value === undefined) throw new RangeError(`Element ${index} of an array of ${array.length} was read.`);
  return value;
}

/** array[index] += value. */
export function add(array: Float64Array | Uint32Array, index: number, value: number): void {
  array[index] = at(array, index) + value;
}

export interface TokenRow {
  /** Index of the row, r. */
  readonly index: number;
  readonly token: number;
  readonly position: number;
  readonly keyBase: number;
  readonly role: number;
  readonly legalSet: number;
  readonly sequence: number;
}

/** The rows in use of a member. */
export function rowsInUse(rows: Rows, p: number): TokenRow[] {
  const table = member(rows.table, p);
  const count = Math.min(at(member(rows.count, p), 0), rows.capacity);
  return Array.from({ length: count }, (_, index) => {
    const first = index * ROW_FIELDS;
    const meta = at(table, first + 3);
    return {
      index,
      token: at(table, first),
      position: at(table, first + 1),
      keyBase: at(table, first + 2),
      role: metaRole(meta),
      legalSet: metaLegalSet(meta),
      sequence: metaSequence(meta),
    };
  });
}

/** The rows in use, sequence by sequence of the microbatch. */
export function rowsBySequence(rows: Sequences, p: number): TokenRow[][] {
  const used = rowsInUse(rows, p);
  const start = member(rows.start, p);
  return Array.from({ length: rows.sequences }, (_, s) => used.slice(at(start, s), at(start, s + 1)));
}

/** The rows in use, chunk by chunk of GRADIENT_CHUNK trajectories; a chunk may be empty. */
export function rowsByChunk(rows: Sequences, p: number): TokenRow[][] {
  const sequences = rowsBySequence(rows, p);
  const chunks: TokenRow[][] = [];
  for (let s = 0; s < sequences.length; s += GRADIENT_CHUNK) chunks.push(sequences.slice(s, s + GRADIENT_CHUNK).flat());
  return chunks;
}
