/**
 * The tensor contract on WebGPU, met by the kernels in shaders/. A program is recorded once, into dispatches with their
 * bind groups and parameters; running it encodes one compute pass, submits it and allocates nothing. The matrix kernels
 * come in two variants with the same bindings: `plain` (no barriers) for software adapters, `tiled` for GPUs.
 */
import { MIB } from '../../foundation/bytes';
import { LabError } from '../../foundation/errors';
import { pulse } from '../../foundation/pulse';
import { ParameterSlots } from '../../gpu/parameterSlots';
import type { PassTimer } from '../../gpu/passTimer';
import type { CompiledKernel } from '../../gpu/pipelines';
import { type GpuState, gpuState } from '../../gpu/state';
import {
  type Backend,
  type BackendLimits,
  type CopiedRange,
  ELEMENT_BYTES,
  type ElementType,
  type Operations,
  type Program,
  type SharedGpu,
  type Tensor,
  type TensorData,
} from '../backend';
import { flopsOf, submissionMeter } from '../flops';
import { validated } from '../validate/validate';
import { advantageOperations } from './advantageOperations';
import { formulaOperations } from './formulaOperations';
import { llamaOperations } from './llamaOperations';
import { logProbOperations } from './logProbOperations';
import { normOperations } from './normOperations';
import { optimiserOperations } from './optimiserOperations';
import { policyObjectiveOperations } from './policyObjectiveOperations';
import { matrixOperations, policyOperations } from './policyOperations';
import { type Dispatch, Recorder } from './recorder';
import { samplingOperations } from './samplingOperations';
import { ShownBuffer, WebGpuTensor, webGpuTensor } from './storage';
import { valueHeadOperations } from './valueHeadOperations';
import { worldModelOperations } from './worldModelOperations';

export type KernelVariant = 'plain' | 'tiled';

export interface WebGpuBackendOptions {
  readonly device: GPUDevice;
  /** The adapter computes on the processor. */
  readonly software: boolean;
  readonly description?: string;
  /** Default: plain on software adapters, tiled on GPUs. */
  readonly variant?: KernelVariant;
  /** Most flops of a dispatch. Default: 5·10⁹ on GPUs, no bound on software adapters. */
  readonly maxOperationFlops?: number;
  /** Bytes of a tensor that a dispatch may bind. Default: the device's. */
  readonly maxBindingBytes?: number;
  /** Makes every program of a run a pass of its own, timed under the program's label. */
  readonly timer?: PassTimer | null;
  /** Called by dispose() when the backend owns the device. */
  release?(): void;
}

interface WebGpuProgram extends Program {
  readonly dispatches: readonly Dispatch[];
  readonly flops: readonly number[];
  /** True if it reads a buffer of another program. */
  readonly borrows: boolean;
}

export function createWebGpuBackend(options: WebGpuBackendOptions): WebGpuBackend {
  return new WebGpuBackend(options);
}

export class WebGpuBackend implements Backend {
  readonly kind = 'webgpu';
  readonly description: string;
  readonly limits: BackendLimits;
  readonly variant: KernelVariant;
  readonly lost: Promise<LabError>;
  readonly sharedGpu: SharedGpu;
  readonly #options: WebGpuBackendOptions;
  readonly #device: GPUDevice;
  readonly #gpu: GpuState;
  readonly #slots: ParameterSlots;
  readonly #tensors: WebGpuTensor[] = [];
  readonly #needed = new Set<CompiledKernel>();
  #allocatedBytes = 0;
  #disposed = false;
  /** Commands that wait for the copies of a read, or for the end of the caller's turn. */
  #held: GPUCommandBuffer | null = null;

  constructor(options: WebGpuBackendOptions) {
    const { device, software } = options;
    this.#options = options;
    this.#device = device;
    this.#gpu = gpuState(device);
    this.#slots = new ParameterSlots(device);
    this.lost = this.#gpu.errors.lost;
    this.description = options.description ?? (software ? 'software WebGPU' : 'GPU');
    this.variant = options.variant ?? (software ? 'plain' : 'tiled');
    this.sharedGpu = {
      device,
      description: this.description,
      borrowed: (label, stride) => new ShownBuffer(label, stride),
      copy: (target, source, ranges) => this.#copy(target, source, ranges),
    };
    this.limits = {
      maxTensorBytes: device.limits.maxBufferSize,
      maxBindingBytes: options.maxBindingBytes ?? device.limits.maxStorageBufferBindingSize,
      // A GPU that gives a quarter of a gigabyte in one piece is a small one. Less is planned where this proves too much.
      memoryBudgetBytes: software ? 1024 * MIB : Math.min(2048 * MIB, 2 * device.limits.maxBufferSize),
      // Some 50 ms on a slow integrated GPU, and 100; watchdogs reset a device after a few times that. Software has none.
      maxOperationFlops: options.maxOperationFlops ?? (software ? Number.POSITIVE_INFINITY : 5e9),
      maxSubmissionFlops: software ? Number.POSITIVE_INFINITY : 1e10,
    };
  }

  get allocatedBytes(): number {
    return this.#allocatedBytes;
  }

  tensor<E extends ElementType>(label: string, type: E, members: number, stride: number): Tensor<E> {
    this.#check();
    const { maxTensorBytes } = this.limits;
    const tensor = new WebGpuTensor(this.#device, this.#gpu.errors, maxTensorBytes, label, type, members, stride);
    this.#tensors.push(tensor);
    this.#allocatedBytes += tensor.buffer.size;
    return tensor;
  }

  write<E extends ElementType>(tensor: Tensor<E>, data: TensorData<E>, offset = 0): void {
    this.#check();
    const { buffer, type, label, members, stride } = webGpuTensor(tensor);
    if (offset + data.length > members * stride) {
      throw new LabError(
        'internal',
        `write: ${data.length} values at ${offset} do not fit into "${label}" of ${members * stride}.`,
        'Please report this with the link of the experiment.',
      );
    }
    this.#submit();
    this.#device.queue.writeBuffer(buffer, ELEMENT_BYTES[type] * offset, elementsOf(type, data));
  }

  async read<const L extends readonly Tensor[]>(...tensors: L): Promise<{ [I in keyof L]: TensorData<L[I]['type']> }> {
    this.#check();
    const held = this.#held;
    this.#held = null;
    const buffers = await this.#gpu.readback.read(tensors.map(webGpuTensor), held);
    const results = tensors.map(({ type }, i) => {
      const bytes = buffers[i] ?? new ArrayBuffer(0);
      return new ARRAYS[type](bytes);
    });
    return results as unknown as { [I in keyof L]: TensorData<L[I]['type']> };
  }

  record(label: string, members: number, build: (operations: Operations) => void): Program {
    this.#check();
    const { maxOperationFlops, maxBindingBytes } = this.limits;
    const { pipelines } = this.#gpu;
    const recorder = new Recorder(this.#device, pipelines, this.#slots, members, this.variant, maxBindingBytes);
    const operations: Operations = {
      ...policyOperations(recorder),
      ...normOperations(recorder),
      ...llamaOperations(recorder),
      ...matrixOperations(recorder),
      ...samplingOperations(recorder),
      ...optimiserOperations(recorder),
      ...logProbOperations(recorder),
      ...valueHeadOperations(recorder),
      ...advantageOperations(recorder),
      ...policyObjectiveOperations(recorder),
      ...formulaOperations(recorder),
      ...worldModelOperations(recorder),
    };
    const counted = (name: string, operation: (...args: readonly unknown[]) => void) => {
      return (...args: readonly unknown[]): void => {
        recorder.begin(flopsOf({ name: name as keyof Operations, args }, members));
        operation(...args);
      };
    };
    const methods = Object.entries(operations).map(([name, operation]) => [name, counted(name, operation)] as const);
    build(validated(Object.fromEntries(methods) as unknown as Operations, members));
    const { dispatches, flops } = recorder.finish(maxOperationFlops);
    this.#slots.flush();
    for (const { compiled } of dispatches) if (!compiled.pipeline) this.#needed.add(compiled);
    const { borrows } = recorder;
    const program: WebGpuProgram = { label, operations: dispatches.length, dispatches, flops, borrows };
    return program;
  }

  async prepare(onProgress?: (done: number, total: number) => void): Promise<void> {
    // Errors of allocation come first: before kernels are compiled for nothing, and before the errors that follow from
    // them.
    await this.#gpu.errors.settled();
    this.#check();
    const needed = [...this.#needed].filter(({ pipeline }) => !pipeline);
    let done = 0;
    onProgress?.(0, needed.length);
    await Promise.all(
      needed.map(async (compiled) => {
        await this.#gpu.pipelines.compile(compiled);
        this.#needed.delete(compiled);
        done++;
        onProgress?.(done, needed.length);
      }),
    );
    await this.#gpu.errors.settled();
  }

  run(...programs: readonly Program[]): void {
    pulse();
    this.#check();
    const label = programs[0]?.label ?? 'empty';
    const { timer } = this.#options;
    const isFull = submissionMeter(this.limits.maxSubmissionFlops);
    let encoder = this.#device.createCommandEncoder({ label });
    let pass: GPUComputePassEncoder | null = null;
    const next = (): void => {
      pass?.end();
      pass = null;
      this.#submit();
      this.#held = encoder.finish();
    };
    for (const program of programs) {
      const { dispatches, flops } = program as WebGpuProgram;
      if (timer) {
        (pass as GPUComputePassEncoder | null)?.end();
        pass = null;
      }
      for (const [i, { compiled, bindGroup, x, y, z }] of dispatches.entries()) {
        if (!compiled.pipeline) {
          throw new LabError(
            'internal',
            `The program "${program.label}" was run before it was compiled.`,
            'Await prepare() after recording.',
          );
        }
        if (isFull(flops[i] as number)) {
          next();
          encoder = this.#device.createCommandEncoder({ label });
        }
        pass ??= encoder.beginComputePass(timer?.pass(program.label));
        pass.setPipeline(compiled.pipeline);
        pass.setBindGroup(0, bindGroup());
        pass.dispatchWorkgroups(x, y, z);
      }
    }
    next();
    // A timer submits by itself, and buffers of others may change as soon as this returns.
    if (timer || programs.some((program) => (program as WebGpuProgram).borrows)) this.#submit();
    else queueMicrotask(() => this.#submit());
  }

  /** Submits the held recordings. */
  #submit(): void {
    if (this.#held === null) return;
    this.#device.queue.submit([this.#held]);
    this.#held = null;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#submit();
    this.#disposed = true;
    for (const { buffer } of this.#tensors.splice(0)) buffer.destroy();
    this.#slots.destroy();
    this.#allocatedBytes = 0;
    this.#options.release?.();
  }

  #copy(target: Tensor<'f32'>, source: GPUBuffer, ranges: readonly CopiedRange[]): void {
    this.#check();
    this.#submit();
    const { buffer } = webGpuTensor(target);
    const encoder = this.#device.createCommandEncoder({ label: target.label });
    for (const { from, to, length } of ranges) encoder.copyBufferToBuffer(source, 4 * from, buffer, 4 * to, 4 * length);
    this.#device.queue.submit([encoder.finish()]);
  }

  #check(): void {
    if (this.#disposed) throw new LabError('internal', 'This backend was disposed of.', 'Create another one.');
    this.#gpu.errors.check();
  }
}

/** Names of the kernels that a program dispatches, in order, each once; none for programs of other backends. */
export function kernelsOf(program: Program): string[] {
  const { dispatches = [] } = program as Partial<WebGpuProgram>;
  return [...new Set(dispatches.map(({ compiled }) => compiled.kernel.name.replace(/\.wgsl$/, '')))];
}

const ARRAYS = { f32: Float32Array, u32: Uint32Array, bf16: Uint16Array, f16: Uint16Array } as const;

type Elements = InstanceType<(typeof ARRAYS)[ElementType]>;

/** Values in the tensor's type, rounded if necessary, never in shared memory. */
function elementsOf(type: ElementType, data: TensorData<ElementType>): Elements {
  const arrayOf = ARRAYS[type];
  if (data instanceof arrayOf && data.buffer instanceof ArrayBuffer) return data as Elements;
  return arrayOf.from(data as ArrayLike<number>);
}
