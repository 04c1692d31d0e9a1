/**
 * Report of a benchmark: plain data that survives JSON and postMessage, the same from the command line and from a Worker.
 * Times are seconds, sizes bytes, work flops; shares lie between 0 and 1.
 */
export const SUBJECTS = ['train', 'rollout', 'kernels', 'environments', 'population', 'latency', 'machine'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** The highest rate seen in this run, and the subject that reached it. */
export interface Ceiling {
  readonly perSecond: number;
  readonly by: string;
}

export interface Ceilings {
  /** Flops per second of the best matrix product or kernel. */
  readonly compute: Ceiling;
  /** Bytes per second, read and written, of the best copy or kernel. */
  readonly memory: Ceiling;
}

export interface KernelRow {
  readonly operation: string;
  readonly shape: string;
  /** Calls in a training step. */
  readonly calls: number;
  /** Time of one call, the best of several. */
  readonly seconds: number;
  /** Least flops and bytes of a call (costs.ts). */
  readonly flops: number;
  readonly bytes: number;
  /** Ceiling that is nearer. */
  readonly bound: 'compute' | 'memory';
  /** Share of that ceiling. */
  readonly share: number;
}

export interface KernelsReport {
  readonly subject: 'kernels';
  readonly sizes: string;
  readonly ceilings: Ceilings;
  readonly rows: readonly KernelRow[];
  /** One whole step in one submission. */
  readonly step: { readonly seconds: number; readonly flops: number; readonly share: number };
}

export type UpdatePhase =
  | 'decode'
  | 'readback'
  | 'environment'
  | 'pack and upload'
  | 'forward'
  | 'log-prob and objective'
  | 'backward'
  | 'optimiser'
  | 'rest';

export interface PhaseTime {
  readonly part: UpdatePhase;
  readonly seconds: number;
  readonly share: number;
}

/** Way in which the device's time was divided among parts. */
export type Timing = 'host clock' | 'timestamp queries' | 'parts run alone';

/**
 * Work that a device is asked for, arithmetic apart: on a GPU each has a price of its own, which no clock of software WebGPU
 * shows. Submissions are programs run together, and the copies that readbacks begin with; a readback waits for everything
 * before it. On the CPU a dispatch is an operation.
 */
export type DeviceWork = 'dispatches' | 'submissions' | 'uploads' | 'bytes uploaded' | 'readbacks' | 'bytes read back';
export type Counts = Readonly<Record<DeviceWork, number>>;

export interface UpdateReport {
  readonly subject: 'train' | 'rollout';
  readonly experiment: string;
  readonly members: number;
  /** Time of one update (or of its rollout), the median. */
  readonly seconds: number;
  readonly tokens: number;
  readonly tokensPerSecond: number;
  readonly timing: Timing;
  /** Parts of the update whose time that is; together they are its whole, or more where parts ran alone. */
  readonly parts: readonly PhaseTime[];
  /** Counts of one update, rollout included, the median of each. */
  readonly counts: Counts;
}

export interface PopulationReport {
  readonly subject: 'population';
  readonly experiment: string;
  readonly rows: readonly {
    readonly members: number;
    /** Time of one update, the median. */
    readonly seconds: number;
    readonly tokensPerSecond: number;
    /** Time relative to that of one member. */
    readonly relative: number;
  }[];
}

export interface LatencyReport {
  readonly subject: 'latency';
  readonly experiment: string;
  readonly rows: readonly {
    readonly cohorts: number;
    /** Lateness of every readback, injected. */
    readonly latency: number;
    /** Time of one update, the mean. */
    readonly seconds: number;
    /** Time of it spent waiting, beyond that of as many cohorts without latency, and the most that it may be (latency.ts). */
    readonly growth: number;
    readonly bound: number;
  }[];
}

export interface EnvironmentsReport {
  readonly subject: 'environments';
  readonly rows: readonly {
    readonly environment: string;
    readonly slots: number;
    /** Environment steps per second on one core, observations written into trajectories included. */
    readonly stepsPerSecond: number;
    readonly resetsPerSecond: number;
  }[];
}

/** A part of a machine's report, or why there is none. */
export type OrFailed<T> = T | { readonly failed: string };

export interface MachineGpu {
  readonly description: string;
  /** True where it computes on the processor. */
  readonly software: boolean;
  readonly limits: Readonly<Record<string, number>>;
  readonly hasTimestamps: boolean;
}

interface Timed {
  /** Updates measured, and the median of their times. */
  readonly updates: number;
  readonly seconds: number;
  /** Tokens of an update, the mean. */
  readonly tokens: number;
}

export interface MachineReport {
  readonly subject: 'machine';
  readonly gpu: OrFailed<MachineGpu>;
  /** Times of a dispatch, a submission and a readback of 16 bytes, the least of some. */
  readonly latency: OrFailed<{
    readonly dispatch: number;
    readonly submission: number;
    readonly readback: number;
  }>;
  /** Parity cases computed, of all; the largest error, as a share of the allowed one; and those beyond it, 20 at most. */
  readonly checks: OrFailed<{
    readonly cases: number;
    readonly of: number;
    readonly worst: number;
    readonly beyond: readonly { readonly name: string; readonly worst: number; readonly first: string }[];
  }>;
  readonly presets: readonly {
    readonly preset: string;
    readonly members: number;
    readonly gpu: OrFailed<
      Timed & {
        readonly cohorts: number;
        readonly compiling: { readonly kernels: number; readonly seconds: number };
        readonly counts: Counts;
      }
    >;
    readonly cpu: OrFailed<Timed & { readonly kind: string; readonly on: string }>;
  }[];
  /** Bytes filled, of those that the lab would take; `stopped`: why not all. */
  readonly memory: OrFailed<{ readonly reached: number; readonly asked: number; readonly stopped?: string }>;
}

export type SubjectReport =
  | KernelsReport
  | UpdateReport
  | PopulationReport
  | LatencyReport
  | EnvironmentsReport
  | MachineReport;

export type BenchmarkReport = SubjectReport & {
  readonly backend: string;
  readonly adapter: string;
  /** Remarks for the reader on how the numbers were measured. */
  readonly notes: readonly string[];
};
