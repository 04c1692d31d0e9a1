/**
 * What the page of kernels asks its Worker for, and what comes back: plain data that survives postMessage. Times are
 * seconds, sizes bytes, work flops.
 */
import type { CaseReport } from '../../check/run';
import type { Ceilings } from '../bench/report';
import type { BackendKind } from '../protocol';

/** Of the kernels that come twice: for software adapters, or for GPUs. */
export type Variant = 'plain' | 'tiled';

export interface KernelText {
  /** Path in shaders/ without `.wgsl`: `log_prob/masked`. */
  readonly name: string;
  readonly family: string;
  /** Of the contract in src/tensor/operations. */
  readonly operations: readonly string[];
  /** The variant that dispatches it; null where both do. */
  readonly variant: Variant | null;
  /** The head of the file: formula, shapes, what a workgroup does. */
  readonly about: string;
  /** The least it could move and compute, as the head says. */
  readonly floor: string;
  /** The file as it is. */
  readonly file: string;
  /** What the device compiles: includes in their places, loops written out for `sizes`. */
  readonly code: string;
  readonly sizes: Readonly<Record<string, number>>;
  readonly storageBindings: number;
  /** As the shader says: `64`, `16, 16`. */
  readonly workgroup: string;
  /** How its time is measured; null where it is not. */
  readonly sweep: SweepName | null;
}

/** Operations that are timed over sizes. */
export const SWEEPS = [
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
export type SweepName = (typeof SWEEPS)[number];

export type KernelJob =
  | { readonly type: 'list' }
  /** The parity cases of these kernels' operations. */
  | { readonly type: 'check'; readonly kernels: readonly string[] }
  | { readonly type: 'time'; readonly kernel: string }
  | { readonly type: 'fixtures'; readonly name: string; readonly file: Blob };

/** What the kernels run on, and why. */
export interface DeviceLine {
  readonly kind: BackendKind;
  readonly description: string;
  readonly software: boolean;
  /** A full sentence. */
  readonly reason: string;
}

export interface CheckedCase {
  readonly name: string;
  readonly members: number;
  /** Numbers compared. */
  readonly compared: number;
  /** The largest difference from the float64 reference, as a part of the tolerance there. */
  readonly worst: number;
  /** Where: `out[0, 17]`; empty where nothing differs. */
  readonly where: string;
  /** The difference itself. */
  readonly error: number;
  /** What is beyond tolerance, the first few; or what was thrown. */
  readonly failures: readonly string[];
  /** What it dispatched; empty on the CPU. */
  readonly kernels: readonly string[];
}

/** All parity cases of one operation, on one device. */
export interface OperationCheck {
  readonly operation: string;
  /** Null on the CPU. */
  readonly variant: Variant | null;
  readonly device: DeviceLine;
  readonly cases: readonly CheckedCase[];
  readonly seconds: number;
}

export interface TimedSize {
  /** What varies, as a number to draw it at, and in words with all that does not. */
  readonly at: number;
  readonly words: string;
  /** Of one run, the best of several; null where it was skipped. */
  readonly seconds: number | null;
  /** Why it was skipped; else empty. */
  readonly skipped: string;
  /** The least it must compute and move. */
  readonly flops: number;
  readonly bytes: number;
  /** What it dispatched; empty on the CPU. */
  readonly kernels: readonly string[];
}

export interface KernelTiming {
  readonly sweep: SweepName;
  readonly variant: Variant | null;
  readonly device: DeviceLine;
  /** What varies: "vocabulary V". */
  readonly axis: string;
  readonly clock: 'timestamp queries' | 'host clock';
  /** Which ceiling the operation is held against. */
  readonly bound: 'compute' | 'memory';
  readonly ceilings: Ceilings;
  readonly sizes: readonly TimedSize[];
}

export interface FixtureReport {
  /** Of the file. */
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
  /** Grows size by size. */
  | { readonly type: 'timed'; readonly timing: KernelTiming }
  | { readonly type: 'fixtures'; readonly report: FixtureReport }
  /** The job is over. */
  | { readonly type: 'done' };
