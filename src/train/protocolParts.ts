/** Parts of the messages in protocol.ts, which is where other folders import them from. */
import type { Change, Experiment } from '../experiment/experiment';
import type { BackendKind } from '../experiment/machines';
import type { CpuKind } from '../foundation/cpuVariants';
import type { PlayedEpisode, PlayedTasks } from './policies/player';

/** Seconds of an update of one shape, on a GPU and on the CPU beside it. */
export interface RaceNumbers {
  /** Name of the GPU. */
  readonly adapter: string;
  readonly cpu: CpuKind;
  readonly gpuSeconds: number;
  readonly cpuSeconds: number;
}

/** Earlier knowledge that decides between GPU and CPU without another race. */
export interface Foreknown {
  /** Earlier races as the page keeps them; any value. */
  readonly remembered: unknown;
  /** Side that a result at hand was computed on; null where there is none. */
  readonly takes: 'gpu' | 'cpu' | null;
}

export type BackendChoice = 'auto' | 'auto-plain' | BackendKind;

/**
 * End of a trainer whose run another trainer goes on with: in the experiment of that moment, from the run's newest kept
 * state, or from the beginning; answered by `resumed` and a notice.
 */
export interface TrainerEnded {
  /** Description of the end, a sentence. */
  readonly what: string;
  /** Updates finished by then, if told. */
  readonly update: number;
  /** Function of the world that ended trainers after this update, for which the run rests; null: it goes on. */
  readonly restsFor: string | null;
}

/** Place in this browser that keeps a run's states. */
export interface KeepRequest {
  /** Id of the run. */
  readonly run: string;
  /** True to go on from its newest state, false to begin. */
  readonly resume: boolean;
}

/** Branch of an arm, and the measurements of the run without it. */
export interface BranchRequest {
  /** Ids of the arm and of its copy. */
  readonly parent: string;
  readonly branch: string;
  /** Update from which the two differ. */
  readonly update: number;
  /** [updates, members, METRICS.length], of the run without the branch. */
  readonly curves: Float32Array;
  /** Training time of each update, [updates]. */
  readonly seconds: Float32Array;
}

/** Request for a member's policy as a file; cached: with a key-value cache as inputs and outputs. */
export interface PolicyRequest {
  readonly arm: string;
  readonly seed: number;
  readonly cached: boolean;
  /** Licence, an SPDX expression. */
  readonly licence: string;
  /**
   * Folder of the language model that it began from, packed (llama/packed.ts): it is wanted as a zipped folder, not as ONNX. Its
   * weights are read only where `merged`.
   */
  readonly base?: Blob | undefined;
  /** True where adapters are wanted merged into the weights, as a whole model. */
  readonly merged?: boolean | undefined;
}

/** Summary of a policy's file. */
export interface PolicySummary {
  readonly sha256: string;
  readonly environment: string;
  readonly member: { readonly arm: string; readonly seed: number };
  readonly update: number;
  readonly parameters: number;
  readonly results: Readonly<Record<string, number | null>>;
  readonly licence: string;
  /** The experiment it comes from, as the fragment of a link. */
  readonly experiment: string;
  /** Reason why arms of the given experiment cannot begin from the policy; null where they can. */
  readonly misfit: string | null;
  /** Reason why it cannot play there unchanged; null where it can. */
  readonly strangeness: string | null;
}

/** Results of a policy out of a file in the world it was trained in. */
export interface PlayedPolicy {
  readonly sha256: string;
  readonly environment: Experiment['environment'];
  readonly played: PlayedTasks;
  /** Description of the policy's runtime: device and reason, for the person. */
  readonly runtime: string;
  /** Description of the device of the lab's own kernels, and the reason for it. */
  readonly kernels: string;
  /** First episode of the last batch. */
  readonly episode: PlayedEpisode;
}

/**
 * `stranded`: the device is gone and no other came, and the run waits for `continue`; or its world went wrong, and it waits for
 * `mend`. `diverged`: no policy trains any more, and the run has paused.
 */
export type Phase = 'preparing' | 'ready' | 'running' | 'paused' | 'diverged' | 'finished' | 'stranded' | 'failed';

/** Policies whose gradients stay non-finite, and the way back to the last healthy state. */
export interface DivergenceView {
  /** All that diverged so far: since which update, and why (a clause). */
  readonly members: readonly {
    readonly arm: string;
    readonly seed: number;
    readonly update: number;
    readonly cause: string;
  }[];
  /** True if no policy trains any more. */
  readonly isAll: boolean;
  /** Updates of the last healthy state. */
  readonly to: number;
  /** Changes to go on with from there. */
  readonly changes: readonly Change[];
}

export interface Throughput {
  updatesPerSecond: number;
  /** Tokens processed in rollouts per second, all members. */
  tokensPerSecond: number;
}

/** Backend of a run, or the one that a run would have. */
export interface BackendLine {
  readonly kind: BackendKind;
  readonly description: string;
  readonly software: boolean;
  readonly reason: string;
  /** Times of the race that decided; absent where none was run. */
  readonly raced?: RaceNumbers;
}
