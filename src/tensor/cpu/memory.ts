/**
 * The kernels' linear memory, which holds the tensors. Tensors are made while a run is planned and are freed together
 * with the backend, so allocation only moves forward. Fresh WebAssembly memory is zero, and so are new tensors. One
 * scratch area, shared by all kernels, lies among them.
 */
import { LabError } from '../../foundation/errors';
import { ELEMENT_BYTES, type ElementType, type Tensor } from '../backend';
import type { Address } from './kernels';

const PAGE = 65_536;
const ALIGNMENT = 16;
const FLOAT_BYTES = 4;
/** Smallest growth: 4 MiB at a time. */
const LEAST_PAGES = 64;

export class CpuTensor<E extends ElementType = ElementType> implements Tensor<E> {
  readonly label: string;
  readonly type: E;
  readonly members: number;
  readonly stride: number;
  readonly home: LinearMemory;
  readonly address: Address;

  constructor(label: string, type: E, members: number, stride: number, home: LinearMemory) {
    this.label = label;
    this.type = type;
    this.members = members;
    this.stride = stride;
    this.home = home;
    this.address = home.reserve(this.bytes, label);
  }

  get bytes(): number {
    return this.members * this.stride * ELEMENT_BYTES[this.type];
  }
}

export class LinearMemory {
  readonly maxBytes: number;
  readonly #memory: WebAssembly.Memory;
  #next: Address;
  #f32 = new Float32Array(0);
  #u32 = new Uint32Array(0);
  #scratch: Address = 0;
  #scratchFloats = 0;

  constructor(memory: WebAssembly.Memory, heapBase: Address, maxBytes: number) {
    this.#memory = memory;
    this.#next = align(heapBase);
    this.maxBytes = maxBytes;
  }

  /** All of memory as floats, valid until memory grows. */
  get f32(): Float32Array<ArrayBuffer> {
    const buffer = this.#memory.buffer as ArrayBuffer;
    if (this.#f32.buffer !== buffer) this.#f32 = new Float32Array(buffer);
    return this.#f32 as Float32Array<ArrayBuffer>;
  }

  get u32(): Uint32Array<ArrayBuffer> {
    const buffer = this.#memory.buffer as ArrayBuffer;
    if (this.#u32.buffer !== buffer) this.#u32 = new Uint32Array(buffer);
    return this.#u32 as Uint32Array<ArrayBuffer>;
  }

  /** The `count` numbers of two bytes from an address on, valid until memory grows. */
  u16(address: Address, count: number): Uint16Array<ArrayBuffer> {
    return new Uint16Array(this.#memory.buffer as ArrayBuffer, address, count);
  }

  /** Address of the scratch area, until it grows. */
  get scratch(): Address {
    return this.#scratch;
  }

  /** Makes the scratch area at least so large. */
  needScratch(floats: number): void {
    if (floats <= this.#scratchFloats) return;
    this.#scratch = this.reserve(floats * FLOAT_BYTES, 'scratch');
    this.#scratchFloats = floats;
  }

  /** Takes an aligned range of zeros. Throws LabError 'out-of-memory'. */
  reserve(bytes: number, label: string): Address {
    const address = this.#next;
    const end = align(address + bytes);
    if (end > this.maxBytes) throw outOfMemory(label, bytes);
    const missing = Math.ceil((end - this.#memory.buffer.byteLength) / PAGE);
    if (missing > 0) this.#grow(missing, label, bytes);
    this.#next = end;
    return address;
  }

  /** Grows by `missing` pages, or a little more when there is room. */
  #grow(missing: number, label: string, bytes: number): void {
    for (const pages of [Math.max(missing, LEAST_PAGES), missing]) {
      try {
        this.#memory.grow(pages);
        return;
      } catch (cause) {
        if (pages === missing) throw outOfMemory(label, bytes, cause);
      }
    }
  }
}

function align(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}

function outOfMemory(label: string, bytes: number, cause?: unknown): LabError {
  const megabytes = Math.ceil(bytes / 2 ** 20);
  return new LabError(
    'out-of-memory',
    `There is no memory left for "${label}" (${megabytes} MB).`,
    'Choose a smaller batch, fewer seeds or a smaller policy, or close other tabs.',
    { cause },
  );
}
