/**
 * What recording an operation needs: closures that run once for each member, and addresses of a member's part of a tensor.
 */
import { LabError } from '../../foundation/errors';
import type { ParameterView, Rows, Sequences, Tensor } from '../backend';
import { GRADIENT_CHUNK } from '../layout';
import type { Address, Kernels } from './kernels';
import { CpuTensor, type LinearMemory } from './memory';

const BYTES = 4;

export class Recorder {
  readonly kernels: Kernels;
  readonly memory: LinearMemory;
  readonly members: number;
  readonly steps: (() => void)[] = [];

  constructor(kernels: Kernels, memory: LinearMemory, members: number) {
    this.kernels = kernels;
    this.memory = memory;
    this.members = members;
  }

  /** Appends an operation. */
  record(step: () => void): void {
    this.steps.push(step);
  }

  /** Appends an operation that works member by member. */
  each(step: (p: number) => void): void {
    const { members } = this;
    this.steps.push(() => {
      for (let p = 0; p < members; p++) step(p);
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
    const { address, members, stride } = this.storage(tensor);
    return members === 1 ? address : address + p * stride * BYTES;
  }

  /** Address of member p's values of a parameter; 0 for none. */
  parameter(view: ParameterView | null, p: number): Address {
    return view === null ? 0 : this.at(view.tensor, p) + view.offset * BYTES;
  }

  /** Address of the same parameter in one chunk of partials [P, chunks, N]; 0 for none. */
  partial(partials: Tensor<'f32'>, view: ParameterView | null, p: number, chunk: number): Address {
    return view === null ? 0 : this.at(partials, p) + (chunk * view.tensor.stride + view.offset) * BYTES;
  }

  /** Address of row `row` in a tensor of `width` floats a row. */
  row(tensor: Tensor, p: number, row: number, width: number): Address {
    return this.at(tensor, p) + row * width * BYTES;
  }

  /** The first element of member p. */
  scalar(tensor: Tensor<'f32'>, p: number): number {
    return this.memory.f32[this.at(tensor, p) / BYTES];
  }

  setScalar(tensor: Tensor<'f32'>, p: number, value: number): void {
    this.memory.f32[this.at(tensor, p) / BYTES] = value;
  }

  word(tensor: Tensor<'u32'>, p: number): number {
    return this.memory.u32[this.at(tensor, p) / BYTES];
  }

  setWord(tensor: Tensor<'u32'>, p: number, value: number): void {
    this.memory.u32[this.at(tensor, p) / BYTES] = value;
  }

  /** Rows in use. */
  count(rows: Rows, p: number): number {
    return Math.min(this.word(rows.count, p), rows.capacity);
  }

  /** Appends an operation that works chunk by chunk of GRADIENT_CHUNK trajectories: rows `first` … `first + count − 1`. */
  eachChunk(rows: Sequences, step: (p: number, chunk: number, first: number, count: number) => void): void {
    const chunks = Math.ceil(rows.sequences / GRADIENT_CHUNK);
    this.each((p) => {
      const inUse = this.count(rows, p);
      const start = this.at(rows.start, p) / BYTES;
      const boundary = (sequence: number): number =>
        Math.min(this.memory.u32[start + Math.min(sequence, rows.sequences)], inUse);
      for (let chunk = 0; chunk < chunks; chunk++) {
        const first = boundary(chunk * GRADIENT_CHUNK);
        const end = boundary((chunk + 1) * GRADIENT_CHUNK);
        step(p, chunk, first, Math.max(0, end - first));
      }
    });
  }
}
