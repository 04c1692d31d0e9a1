/** Recorder of operations: closures that run once for each member, and addresses of a member's part of tensors. */
import { LabError } from '../../foundation/errors';
import { ELEMENT_BYTES, type ParameterView, type Rows, type Sequences, type Tensor } from '../backend';
import { GRADIENT_CHUNK } from '../layout';
import type { Address, Kernels } from './kernels';
import { CpuTensor, type LinearMemory } from './memory';

const BYTES = 4;

/** One member's part of tensors. The methods need no `this`. */
export interface MemberAddresses {
  /** Address of its part of a tensor or of its values of a parameter; 0 for none. */
  readonly at: (given: Tensor | ParameterView | null) => Address;
  /** Address of row `row` in a tensor of `width` floats a row. */
  readonly row: (tensor: Tensor, row: number, width: number) => Address;
  /** Number of rows in use. */
  readonly count: (rows: Rows) => number;
  /** First element of the member's part. */
  readonly scalar: (tensor: Tensor<'f32'>) => number;
  readonly setScalar: (tensor: Tensor<'f32'>, value: number) => void;
  readonly word: (tensor: Tensor<'u32'>) => number;
  readonly setWord: (tensor: Tensor<'u32'>, value: number) => void;
}

/** A chunk of GRADIENT_CHUNK trajectories of one member. */
export interface ChunkAddresses {
  readonly at: MemberAddresses['at'];
  /** Number of rows in use. */
  readonly count: number;
  /** Address of the chunk's first row in a tensor of `width` floats a row. */
  readonly first: (tensor: Tensor, width: number) => Address;
  /** Address of a parameter in the chunk's partials, of [P, chunks, N]; 0 for none. */
  readonly partial: (partials: Tensor<'f32'>, view: ParameterView | null) => Address;
}

export class CpuRecorder {
  readonly kernels: Kernels;
  readonly memory: LinearMemory;
  readonly members: number;
  readonly steps: (() => void)[] = [];
  readonly #own: readonly MemberAddresses[];

  constructor(kernels: Kernels, memory: LinearMemory, members: number) {
    this.kernels = kernels;
    this.memory = memory;
    this.members = members;
    this.#own = Array.from({ length: members }, (_, p) => this.#ownOf(p));
  }

  /** Appends an operation. */
  record(step: () => void): void {
    this.steps.push(step);
  }

  /** Appends an operation that works member by member. */
  each(step: (own: MemberAddresses) => void): void {
    this.steps.push(() => {
      for (const own of this.#own) step(own);
    });
  }

  /** Appends an operation that works chunk by chunk. */
  eachChunk(rows: Sequences, step: (chunk: ChunkAddresses) => void): void {
    const chunks = Math.ceil(rows.sequences / GRADIENT_CHUNK);
    this.each(({ at, row, count }) => {
      const inUse = count(rows);
      const start = at(rows.start) / BYTES;
      const boundary = (sequence: number): number =>
        Math.min(this.memory.u32[start + Math.min(sequence, rows.sequences)], inUse);
      for (let chunk = 0; chunk < chunks; chunk++) {
        const from = boundary(chunk * GRADIENT_CHUNK);
        const end = boundary((chunk + 1) * GRADIENT_CHUNK);
        step({
          at,
          count: Math.max(0, end - from),
          first: (tensor, width) => row(tensor, from, width),
          partial: (partials, view) =>
            view === null ? 0 : row(partials, chunk, view.tensor.stride) + view.offset * BYTES,
        });
      }
    });
  }

  /** The storage of a tensor of this backend. */
  storage(tensor: Tensor): CpuTensor {
    if (tensor instanceof CpuTensor && tensor.home === this.memory) return tensor;
    throw new LabError(
      'internal',
      `The tensor "${tensor.label}" belongs to another backend.`,
      'Use tensors only with the backend that made them.',
    );
  }

  /** Address of member p's part of a tensor. */
  at(tensor: Tensor, p: number): Address {
    const { address, members, stride, type } = this.storage(tensor);
    return members === 1 ? address : address + p * stride * ELEMENT_BYTES[type];
  }

  #ownOf(p: number): MemberAddresses {
    const { memory } = this;
    const word = (tensor: Tensor<'u32'>): number => memory.u32[this.at(tensor, p) / BYTES];
    return {
      at: (given) => {
        if (given === null) return 0;
        if (!('shape' in given)) return this.at(given, p);
        const { tensor, offset } = given;
        return this.at(tensor, p) + offset * ELEMENT_BYTES[tensor.type];
      },
      row: (tensor, row, width) => this.at(tensor, p) + row * width * BYTES,
      count: (rows) => Math.min(word(rows.count), rows.capacity),
      scalar: (tensor) => memory.f32[this.at(tensor, p) / BYTES],
      setScalar: (tensor, value) => {
        memory.f32[this.at(tensor, p) / BYTES] = value;
      },
      word,
      setWord: (tensor, value) => {
        memory.u32[this.at(tensor, p) / BYTES] = value;
      },
    };
  }
}
