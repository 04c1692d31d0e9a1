/**
 * Messages between the page of kernels and its Worker: plain data that survives postMessage. Times are seconds, sizes bytes,
 * work flops.
 */
import type { CaseReport } from '../../check/run';
import type { Ceilings } from '../bench/report';
import type { BackendKind } from '../protocol';

/** Variant of kernels that exist twice: `plain` for software adapters, `tiled` for GPUs. */
export type Variant = 'plain' | 'tiled';

export interface KernelText {
  /** Path in shaders/ without `.wgsl`: `log_prob/masked`. */
  readonly name: string;
  readonly family: string;
  /** Operations of the contract in src/tensor/operations that it serves. */
  readonly operations: readonly string[];
  /** Variant that dispatches it; null where both do. */
  readonly variant: Variant | null;
  /** Head of the file: formula, shapes, the work of a workgroup. */
  readonly about: string;
  /** Least bytes and flops, from the head. */
  readonly floor: string;
  /** Text of the file. */
  readonly file: string;
  /** Text that the device compiles: includes in their places, loops written out for `sizes`. */
  readonly code: string;
  readonly sizes: Readonly<Record<string, number>>;
  readonly storageBindings: number;
  /** Workgroup size as in the shader: `64`, `16, 16`. */
  readonly workgroup: string;
  /** Series that times it; null where there is none. */
  readonly series: SeriesName | null;
}

/** Operations that are timed over sizes. */
export const SERIES_NAMES = [
  'maskedLogProb',
  'maskedLogProbBackward',
  'sumOfSquares',
  'fusedLogProb',
  'fusedLogProbBackward',
  'linear',
  'linearBackwardInput',
  'linearBackwardWeight',
  'attention',
  'attentionBackward',
  'adamW',
  'copy',
] as const;
export type SeriesName = (typeof SERIES_NAMES)[number];

export type KernelJob =
  | { readonly type: 'list' }
  /** The parity cases of these kernels' operations. */
  | { readonly type: 'check'; readonly kernels: readonly string[] }
  | { readonly type: 'time'; readonly kernel: string }
  | { readonly type: 'fixtures'; readonly name: string; readonly file: Blob };

/** Device that the kernels run on, and why. */
export interface DeviceLine {
  readonly kind: BackendKind;
  readonly description: string;
  readonly software: boolean;
  /** Reason for this device, a full sentence. */
  readonly reason: string;
}

export interface CheckedCase {
  readonly name: string;
  readonly members: number;
  /** Number of compared elements. */
  readonly compared: number;
  /** Largest difference from the float64 reference, in units of the tolerance there. */
  readonly worst: number;
  /** Place of that difference: `out[0, 17]`; empty where nothing differs. */
  readonly where: string;
  /** Absolute difference. */
  readonly error: number;
  /** The first few differences beyond tolerance, or the error thrown. */
  readonly failures: readonly string[];
  /** Kernels dispatched; empty on the CPU. */
  readonly kernels: readonly string[];
}

/** All parity cases of one operation, on one device. */
export interface OperationCheck {
  readonly operation: string;
  /** Variant; null on the CPU. */
  readonly variant: Variant | null;
  readonly device: DeviceLine;
  readonly cases: readonly CheckedCase[];
  readonly seconds: number;
}

export interface TimedSize {
  /** The size as a number on the axis, and all sizes in words. */
  readonly at: number;
  readonly words: string;
  /** Time of one run, the best of several; null where it was skipped. */
  readonly seconds: number | null;
  /** Reason for skipping it, otherwise empty. */
  readonly skipped: string;
  /** Least flops and bytes. */
  readonly flops: number;
  readonly bytes: number;
  /** Kernels dispatched; empty on the CPU. */
  readonly kernels: readonly string[];
}

export interface KernelTiming {
  readonly series: SeriesName;
  readonly variant: Variant | null;
  readonly device: DeviceLine;
  /** The size that varies: "vocabulary V". */
  readonly axis: string;
  readonly clock: 'timestamp queries' | 'host clock';
  /** Ceiling that the operation is compared with. */
  readonly bound: 'compute' | 'memory';
  readonly ceilings: Ceilings;
  readonly sizes: readonly TimedSize[];
}

export interface FixtureReport {
  /** Name of the file. */
  readonly name: string;
  readonly device: DeviceLine;
  readonly seconds: number;
  readonly cases: readonly CaseReport[];
}

export type KernelNews =
  | { readonly type: 'list'; readonly kernels: readonly KernelText[] }
  | { readonly type: 'device'; readonly device: DeviceLine }
  | { readonly type: 'progress'; readonly done: number; readonly of: number; readonly text: string }
  | { readonly type: 'checked'; readonly check: OperationCheck }
  /** Sent again after each size, with one more. */
  | { readonly type: 'timed'; readonly timing: KernelTiming }
  | { readonly type: 'fixtures'; readonly report: FixtureReport }
  /** End of the job. */
  | { readonly type: 'done' };
