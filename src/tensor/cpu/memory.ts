/**
 * The kernels' linear memory, which holds the tensors. Tensors are made while a run is planned and are freed together
 * with the backend, so allocation only moves forward. Threads may share a memory: at its beginning is the frozen model, which all
 * of them hold alike, and behind it each takes what it needs. Fresh WebAssembly memory is zero, and so are new tensors. One
 * scratch area, which all kernels use, lies among them.
 */
import { mebibytes } from '../../foundation/bytes';
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

  constructor(label: string, type: E, members: number, stride: number, home: LinearMemory, isAlike: boolean) {
    this.label = label;
    this.type = type;
    this.members = members;
    this.stride = stride;
    this.home = home;
    this.address = isAlike ? home.reserveAlike(this.bytes, label) : home.reserve(this.bytes, label);
  }

  get bytes(): number {
    return this.members * this.stride * ELEMENT_BYTES[this.type];
  }
}

const MAX_PAGES = 65_536;

export const createMemory = (shared: boolean): WebAssembly.Memory =>
  new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared });

/** Memory that threads share. */
export interface SharedMemory {
  readonly memory: WebAssembly.Memory;
  /** Bytes of all tensors that every thread holds alike, at most. */
  readonly bytes: number;
}

/** Bytes of such tensors, where each of `sizes` bytes is one. */
export const bytesAlike = (sizes: readonly number[]): number =>
  sizes.reduce((sum, bytes) => sum + align(bytes), ALIGNMENT);

/** Shared memory for tensors that all threads hold alike; null where threads cannot share one. */
export function createShared(bytes: number): SharedMemory | null {
  if (!canShare()) return null;
  try {
    return { memory: createMemory(true), bytes };
  } catch {
    // There is no room for so many addresses: each thread then has a memory of its own, and the same numbers.
    return null;
  }
}

/** False on a page that its server does not isolate. */
export const canShare = (): boolean =>
  typeof SharedArrayBuffer !== 'undefined' && globalThis.crossOriginIsolated !== false;

export class LinearMemory {
  readonly maxBytes: number;
  readonly #memory: WebAssembly.Memory;
  /** First free byte of a memory that is not shared, or of what all threads hold alike. */
  #next: Address;
  /** First byte behind that. */
  readonly #alikeEnd: Address;
  /** Bytes that threads have taken behind it, where they share a memory; else null. */
  readonly #taken: Uint32Array | null;
  #f32 = new Float32Array(0);
  #u32 = new Uint32Array(0);
  #scratch: Address = 0;
  #scratchFloats = 0;

  /** alike: bytes of what all threads hold alike, where they share the memory. */
  constructor(memory: WebAssembly.Memory, heapBase: Address, maxBytes: number, alike: number | null = null) {
    const first = align(heapBase);
    this.#memory = memory;
    this.#taken = alike === null ? null : new Uint32Array(memory.buffer, first, 1);
    this.#next = alike === null ? first : first + ALIGNMENT;
    this.#alikeEnd = first + ALIGNMENT + align(alike ?? 0);
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
    if (this.#taken === null) return this.reserveAlike(bytes, label);
    const size = align(bytes);
    for (;;) {
      const taken = Atomics.load(this.#taken, 0);
      const address = this.#alikeEnd + taken;
      // Only a range that there is room for is counted: the counter would go round, and hand out others' ranges again.
      this.#have(address + size, label, bytes);
      if (Atomics.compareExchange(this.#taken, 0, taken, taken + size) === taken) return address;
    }
  }

  /** Takes a range at the place where every thread takes it that asks for the same ranges in the same order. */
  reserveAlike(bytes: number, label: string): Address {
    const address = this.#next;
    const end = align(address + bytes);
    if (this.#taken !== null && end > this.#alikeEnd) throw outOfMemory(label, bytes);
    this.#have(end, label, bytes);
    this.#next = end;
    return address;
  }

  /** Grows until the memory ends behind an address. */
  #have(end: Address, label: string, bytes: number): void {
    if (end > this.maxBytes) throw outOfMemory(label, bytes);
    const missing = Math.ceil(end / PAGE) - this.#pages;
    if (missing > 0) this.#grow(missing, label, bytes);
  }

  /** Other threads may have made a shared memory grow, which its buffer may not show yet. */
  get #pages(): number {
    return this.#taken === null ? this.#memory.buffer.byteLength / PAGE : this.#memory.grow(0);
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
  return new LabError(
    'out-of-memory',
    `There is no memory left for "${label}" (${mebibytes(bytes)}).`,
    'Choose a smaller batch, fewer seeds or a smaller policy, or close other tabs.',
    { cause },
  );
}
