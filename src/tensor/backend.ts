/**
 * The contract between the lab's mathematics and the machine that runs it: tensors with a population axis, about 40
 * operations, and programs recorded once and run many times. `reference/` meets it in plain float64 TypeScript and is
 * the oracle of every test; `webgpu/` meets it with the kernels in shaders/; `cpu/` with WebAssembly SIMD.
 *
 * Shapes: P members, R row capacity, S sequences (trajectories) of a microbatch, C width, H heads, V vocabulary,
 * T context, N parameters of a member. Every tensor is [members, stride]; a tensor with one member is shared by all.
 * Rows (layout.ts) are packed: row r of member p is in use when r < rowCount[p]. Rows beyond hold anything, and no
 * operation with a `rows` argument reads them. Order: write, run and read take effect in the order of their calls.
 * Members: no operation on a member depends on another one, so its numbers are the same bit for bit alone and in a
 * population. Sums have a fixed order; there are no float atomics.
 */
import type { CpuKind } from '../foundation/cpuVariants';
import type { LabError } from '../foundation/errors';
import type { HalfType } from './halves';
import type { AdvantageOperations } from './operations/advantage';
import type { DistillationOperations } from './operations/distillation';
import type { FormulaOperations } from './operations/formula';
import type { LogProbOperations, MaskedLogProbOperations } from './operations/logProb';
import type { OptimiserOperations } from './operations/optimiser';
import type { PolicyBackwardOperations } from './operations/policyBackward';
import type { PolicyForwardOperations } from './operations/policyForward';
import type { PolicyObjectiveOperations } from './operations/policyObjective';
import type { SamplingOperations } from './operations/sampling';
import type { WorldModelOperations } from './operations/worldModel';

/** Types of a parameter: a frozen one may be kept in two bytes a number, which are widened where it is multiplied. */
export type WeightType = 'f32' | HalfType;

export type ElementType = 'u32' | WeightType;

export const ELEMENT_BYTES: Readonly<Record<ElementType, number>> = { f32: 4, u32: 4, bf16: 2, f16: 2 };

/** Opaque storage owned by one backend. */
export interface Tensor<E extends ElementType = ElementType> {
  readonly label: string;
  readonly type: E;
  readonly members: number;
  /** Elements per member. */
  readonly stride: number;
}

/**
 * A parameter inside a [P, N] tensor: member p's values are at p·N + offset (offset is a multiple of 4). Maps, embeddings and heads
 * may be of any type, vectors and what has a gradient are float32.
 */
export interface ParameterView {
  readonly tensor: Tensor<WeightType>;
  readonly offset: number;
  readonly shape: readonly number[];
}

export type FloatData = Float32Array<ArrayBufferLike> | Float64Array<ArrayBufferLike>;
export type TensorData<E extends ElementType> = E extends 'f32'
  ? FloatData
  : E extends 'u32'
    ? Uint32Array<ArrayBufferLike>
    : Uint16Array<ArrayBufferLike>;

/** 'gelu' is the tanh form of GPT-2: x/2 · (1 + tanh(√(2/π)·(x + 0.044715·x³))). relu′(0) = 0. */
export type Activation = 'none' | 'relu' | 'gelu';

/** Tokens that a pass processes, one a row. */
export interface Rows {
  /** u32 [P, capacity, 4], see layout.ts. */
  readonly table: Tensor<'u32'>;
  /** u32 [P, 1]: number of rows in use. */
  readonly count: Tensor<'u32'>;
  readonly capacity: number;
}

/**
 * Rows grouped into whole trajectories: sequence s of member p owns rows start[p, s] … start[p, s + 1] − 1. s counts
 * within this microbatch. The sequence index in a row's meta counts within the whole batch (it addresses advantages),
 * so it is no index of `start`. In training rows, keyBase = start[p, s]: rows of one sequence share their keyBase.
 */
export interface Sequences extends Rows {
  /** First row of each trajectory, u32 [P, S + 1]. */
  readonly start: Tensor<'u32'>;
  readonly sequences: number;
}

/** Recorded list of operations; each run repeats them on the tensors' present contents. */
export interface Program {
  readonly label: string;
  readonly operations: number;
  /** Floating-point operations of each, if counted (flops.ts); absent where submissions are not bounded. */
  readonly flops?: readonly number[];
}

/** Tensor without memory of its own: it shows a buffer that another program on the same device has filled. */
export interface BorrowedTensor extends Tensor<'f32'> {
  /**
   * Makes programs read this buffer from now on; nothing is copied. Its first elements are the tensor's; the buffer may
   * be shorter where only rows in use are read. It may be destroyed once the programs that read it were submitted.
   */
  show(buffer: GPUBuffer): void;
}

/** Range of elements to copy, four bytes each. */
export interface CopiedRange {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** Device of a backend, for another program that leaves its results there. */
export interface SharedGpu {
  readonly device: GPUDevice;
  /** Name of the device: "Apple M2", "SwiftShader (software)". */
  readonly description: string;
  /**
   * Tensor of one member, which programs may only read. `stride`: largest number of elements to be shown, a multiple of 4.
   */
  borrowed(label: string, stride: number): BorrowedTensor;
  /** Copies from the other program's buffer into a tensor, on the device. */
  copy(target: Tensor<'f32'>, source: GPUBuffer, ranges: readonly CopiedRange[]): void;
}

export interface BackendLimits {
  /** Largest single tensor, bytes. */
  readonly maxTensorBytes: number;
  /** Largest part of a tensor that an operation may use, bytes: a parameter, or all of what is no parameter, gradient or moment. */
  readonly maxBindingBytes: number;
  /** Largest memory of a training plan in total, bytes. */
  readonly memoryBudgetBytes: number;
  /** Largest number of floating-point operations of one operation, where a watchdog resets slow devices; else Infinity. */
  readonly maxOperationFlops: number;
  /** Largest number of floating-point operations of a submission; a longer list is submitted in parts. */
  readonly maxSubmissionFlops: number;
}

export interface Backend {
  readonly kind: 'webgpu' | CpuKind | 'reference';
  /** Name of the device as the person reads it: "Apple M2 GPU", "SwiftShader (software)". */
  readonly description: string;
  readonly limits: BackendLimits;
  /** GPU shared with other programs; null where there is none. */
  readonly sharedGpu: SharedGpu | null;
  /** Bytes of tensors alive. */
  readonly allocatedBytes: number;
  /** Resolves when the device is gone for a reason other than dispose(). Never rejects. */
  readonly lost: Promise<LabError>;

  /**
   * Makes a tensor of zeros. isAlike: backends that share a memory hold it once, which need all make the same such tensors, in the
   * same order, and write the same to them. Throws LabError 'limits' or 'out-of-memory'.
   */
  tensor<E extends ElementType>(label: string, type: E, members: number, stride: number, isAlike?: boolean): Tensor<E>;
  /** Copies `data` to elements offset … of the whole tensor ([members · stride] flat). */
  write<E extends ElementType>(tensor: Tensor<E>, data: TensorData<E>, offset?: number): void;
  /** Values after everything submitted so far, flat [members · stride]; one transfer for all tensors asked for. */
  read<const L extends readonly Tensor[]>(...tensors: L): Promise<{ [I in keyof L]: TensorData<L[I]['type']> }>;
  /** Records operations for a population of `members`; allocates no tensor. */
  record(label: string, members: number, build: (operations: Operations) => void): Program;
  /** Compiles the kernels of the programs recorded so far. */
  prepare(onProgress?: (done: number, total: number) => void): Promise<void>;
  /**
   * Submits the programs in order, at the latest when the caller returns to the event loop; with the copies of a read that follows.
   */
  run(...programs: readonly Program[]): void;
  dispose(): void;
}

/**
 * The operations. Argument order: outputs, inputs, sizes. "=" writes every row in use; "+=" adds to what is there.
 * Where `accumulate` is given, true means "+=".
 */
export interface Operations
  extends PolicyForwardOperations,
    PolicyBackwardOperations,
    MaskedLogProbOperations,
    LogProbOperations,
    DistillationOperations,
    SamplingOperations,
    AdvantageOperations,
    PolicyObjectiveOperations,
    FormulaOperations,
    WorldModelOperations,
    OptimiserOperations {
  /** Every element = value. */
  fill(tensor: Tensor<'f32'>, value: number): void;
  /** target = source; same type, members and stride. */
  copy(target: Tensor<'f32' | 'u32'>, source: Tensor<'f32' | 'u32'>): void;
  /** target[p] = source[p] where active[p] ≠ 0; same members and stride. */
  copyMembers(target: Tensor<'f32'>, source: Tensor<'f32'>, active: Tensor<'u32'>): void;
}
