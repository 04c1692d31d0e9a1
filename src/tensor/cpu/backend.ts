/**
 * The tensor contract met by WebAssembly SIMD in float32, on the calling thread: the lab's backend where there is no
 * real GPU. A program is a list of closures that call kernels; run() has done the work when it returns.
 */
import { mebibytes } from '../../foundation/bytes';
import { type CpuKind, cpuOn } from '../../foundation/cpuVariants';
import { LabError } from '../../foundation/errors';
import { pulse } from '../../foundation/pulse';
import {
  type Backend,
  type BackendLimits,
  ELEMENT_BYTES,
  type ElementType,
  type Operations,
  type Program,
  type Tensor,
  type TensorData,
} from '../backend';
import { objectiveOperations } from '../objective/operations';
import { validated } from '../validate/validate';
import { backwardOperations } from './backward';
import { forwardOperations } from './forward';
import type { Kernels } from './kernels';
import { CPU_LIMITS, MAX_BYTES } from './limits';
import { instantiateKernels } from './load';
import { logProbOperations } from './logProb';
import { CpuTensor, LinearMemory, type SharedMemory } from './memory';
import { objectiveHost } from './objectiveHost';
import { CpuRecorder } from './recorder';
import { RotaryAngles } from './rotaryAngles';
import { samplingOperations } from './sample';

export interface CpuBackendOptions {
  /** Variant; plain unless another is asked for. */
  readonly kind?: CpuKind;
  /** Largest linear memory to take, bytes; at most MAX_BYTES. */
  readonly maxBytes?: number;
  /** Memory that is shared with other backends, each in a thread of its own; one of its own without. */
  readonly shared?: SharedMemory | null;
}

interface Machine {
  readonly kernels: Kernels;
  readonly memory: LinearMemory;
  readonly rotaryAngles: RotaryAngles;
}

interface CpuProgram extends Program {
  readonly home: LinearMemory;
  readonly steps: readonly (() => void)[];
}

export async function createCpuBackend(options: CpuBackendOptions = {}): Promise<CpuBackend> {
  return new CpuBackend(await instantiateKernels(options.kind ?? 'cpu', options.shared?.memory), options);
}

export class CpuBackend implements Backend {
  readonly kind: CpuKind;
  readonly description: string;
  readonly limits: BackendLimits;
  readonly sharedGpu = null;
  readonly lost = new Promise<LabError>(() => {});
  /** Machine; null once disposed of, so that the memory is freed. */
  #machine: Machine | null;
  #allocatedBytes = 0;

  constructor(kernels: Kernels, options: CpuBackendOptions = {}) {
    this.kind = options.kind ?? 'cpu';
    this.description = cpuOn(this.kind, 'one thread');
    const maxBytes = Math.min(options.maxBytes ?? MAX_BYTES, MAX_BYTES);
    const memory = new LinearMemory(kernels.memory, kernels.heapBase(), maxBytes, options.shared?.bytes);
    this.#machine = { kernels, memory, rotaryAngles: new RotaryAngles(memory) };
    this.limits = {
      ...CPU_LIMITS,
      maxTensorBytes: Math.min(CPU_LIMITS.maxTensorBytes, maxBytes),
      memoryBudgetBytes: Math.min(CPU_LIMITS.memoryBudgetBytes, maxBytes),
    };
  }

  get allocatedBytes(): number {
    return this.#allocatedBytes;
  }

  tensor<E extends ElementType>(label: string, type: E, members: number, stride: number, isAlike = false): Tensor<E> {
    const bytes = members * stride * ELEMENT_BYTES[type];
    if (!(Number.isInteger(members) && Number.isInteger(stride) && members > 0 && stride >= 0)) {
      throw new LabError('internal', `"${label}" cannot have ${members} × ${stride} elements.`, REPORT);
    }
    if (bytes > this.limits.maxTensorBytes) {
      throw new LabError(
        'limits',
        `"${label}" needs ${mebibytes(bytes)}, the CPU backend allows ${mebibytes(this.limits.maxTensorBytes)}.`,
        'Choose a smaller batch, fewer seeds or a smaller policy.',
      );
    }
    const tensor = new CpuTensor(label, type, members, stride, this.#running().memory, isAlike);
    this.#allocatedBytes += bytes;
    return tensor;
  }

  write<E extends ElementType>(tensor: Tensor<E>, data: TensorData<E>, offset = 0): void {
    const length = tensor.members * tensor.stride;
    if (!(offset >= 0 && offset + data.length <= length)) {
      throw new LabError(
        'internal',
        `write: ${data.length} values at ${offset} do not fit into "${tensor.label}" of ${length}.`,
        REPORT,
      );
    }
    this.#elements(tensor).set(data, offset);
  }

  read<const L extends readonly Tensor[]>(...tensors: L): Promise<{ [I in keyof L]: TensorData<L[I]['type']> }> {
    const copies = tensors.map((tensor) => this.#elements(tensor).slice());
    return Promise.resolve(copies as unknown as { [I in keyof L]: TensorData<L[I]['type']> });
  }

  record(label: string, members: number, build: (operations: Operations) => void): Program {
    const { kernels, memory, rotaryAngles } = this.#running();
    const recorder = new CpuRecorder(kernels, memory, members);
    const host = objectiveHost(recorder);
    const operations: Operations = {
      ...forwardOperations(recorder, rotaryAngles),
      ...backwardOperations(recorder),
      ...samplingOperations(recorder),
      ...logProbOperations(recorder),
      ...objectiveOperations(host),
    };
    build(validated(operations, members));
    const program: CpuProgram = { label, operations: recorder.steps.length, home: memory, steps: recorder.steps };
    return program;
  }

  prepare(onProgress?: (done: number, total: number) => void): Promise<void> {
    onProgress?.(0, 0);
    return Promise.resolve();
  }

  run(...programs: readonly Program[]): void {
    const { memory } = this.#running();
    for (const program of programs as readonly CpuProgram[]) {
      if (program.home !== memory) {
        throw new LabError('internal', `The program "${program.label}" belongs to another backend.`, REPORT);
      }
      for (const step of program.steps) {
        step();
        pulse();
      }
    }
  }

  /** Frees all memory, once the caller keeps no tensor and no program either. */
  dispose(): void {
    this.#machine = null;
    this.#allocatedBytes = 0;
  }

  #running(): Machine {
    if (this.#machine !== null) return this.#machine;
    throw new LabError('internal', 'The CPU backend has been disposed of.', REPORT);
  }

  /** A view of a tensor's elements, valid until memory grows. */
  #elements(tensor: Tensor): Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> {
    const { memory } = this.#running();
    if (!(tensor instanceof CpuTensor && tensor.home === memory)) {
      throw new LabError('internal', `The tensor "${tensor.label}" belongs to another backend.`, REPORT);
    }
    const { address } = tensor;
    const type: ElementType = tensor.type;
    const count = tensor.members * tensor.stride;
    if (type === 'bf16' || type === 'f16') return memory.u16(address, count);
    const first = address / ELEMENT_BYTES[type];
    return (type === 'f32' ? memory.f32 : memory.u32).subarray(first, first + count);
  }
}

const REPORT = 'Please report this with the link of the experiment.';
