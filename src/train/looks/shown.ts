/** Data that a person looks at between two updates: a trajectory, its tokens' numbers, linear probes, dreams. */
import type { BoardScene } from '../../environments/scene';
import type { Arm } from '../../experiment/experiment';
import type { Attention } from '../../rl/look/attention';
import type { Dream, DreamSampling } from '../../rl/look/dream/dreams';
import type { TreeBranch } from '../../rl/look/groupTree';
import type { TokenNumber } from '../../rl/look/inspection';
import type { Probe } from '../../rl/look/probes/linear';
import type { TriedBelief } from '../../rl/look/steering/steering';

/** One trajectory, for drawing. Arrays are per token. */
export interface EpisodeView {
  arm: string;
  seed: number;
  update: number;
  group: number;
  /** Index in the group. */
  trajectory: number;
  /** Task that was learned from: in a relabelled or replayed episode the one it solved, not the one that was set. */
  task: Int32Array;
  relabelled: boolean;
  /** Supervised step of the warm start, from 0, that learns from a demonstration; absent for a policy's episode. */
  imitated?: number;
  /** Updates since a replayed success was played; absent for a new episode. */
  replayed?: number;
  tokens: Uint16Array;
  roles: Uint8Array;
  /** Log-prob of each token under the policy that acted, nats; NaN where it is not scored. */
  logProb: Float32Array;
  /** Policy-gradient weight of each token times |advantage|; 0 under GRPO if all rewards of the group are equal. */
  policyWeight: Float32Array;
  /** Cross-entropy weight of this token. */
  crossEntropyWeight: Float32Array;
  advantage: number;
  reward: number;
  success: boolean;
}

/** One trajectory of the last batch, in every arm. */
export interface InspectionChoice {
  readonly seed: number;
  /** Index in the batch. */
  readonly group: number;
  /** Index in the group. */
  readonly trajectory: number;
}

/** Inspected trajectory. The loss and its terms are under the new policy, after the update's last optimiser step. */
export interface Inspection {
  /** The arm's settings in this update. */
  readonly arm: Arm;
  readonly seed: number;
  readonly update: number;
  readonly group: number;
  readonly trajectory: number;
  readonly tokens: Uint16Array;
  readonly roles: Uint8Array;
  /** Numbers of each token; NaN where it is not scored. `logProb` is that of the new policy. */
  readonly numbers: Readonly<Record<TokenNumber, Float32Array>>;
  /** Attention of the new policy; without layers for a fixed policy, whose attention is not known. */
  readonly attention: Attention;
  /** Rewards and successes of every trajectory of the group. */
  readonly rewards: Float32Array;
  readonly successes: Uint8Array;
  /** Rollouts of the group as a tree of their shared parts. */
  readonly tree: readonly TreeBranch[];
  /** True if all rewards of the group are exactly equal. */
  readonly isEqual: boolean;
  /** True if the group filter kept the group; always true without a filter. */
  readonly isKept: boolean;
}

/** Schedule of linear probes. */
export interface ProbeWatch {
  /** Seed whose members are probed; null for all. */
  readonly seed: number | null;
  /** Updates from one fit to the next. */
  readonly every: number;
}

/** Linear probes of one member. */
export interface MemberProbes {
  readonly arm: string;
  readonly seed: number;
  readonly probes: readonly Probe[];
}

/** Linear probes of several members at one time. */
export interface Probed {
  /** Updates finished at the time of the probes. */
  readonly update: number;
  /** Probes in the order of the arms. */
  readonly members: readonly MemberProbes[];
}

/** Request for dreams, of at most one episode of each arm and seed. */
export interface DreamRequest {
  /** Id that the answer repeats. */
  id: number;
  sampling: DreamSampling;
  episodes: Pick<EpisodeView, 'arm' | 'seed' | 'task' | 'tokens' | 'roles'>[];
}

/** Dream of one episode by the policy of an arm. */
export interface DreamView extends Dream {
  arm: string;
}

/** Request to change a member's belief of its cell. Cells are named as probes name them; null for any. */
export interface BeliefRequest {
  readonly arm: string;
  readonly seed: number;
  /** Index of the task, among those that are drawn for it. */
  readonly ground: number;
  readonly present: string | null;
  readonly believed: string | null;
}

/** One belief changed, and the places in which one can be in its task. */
export interface BeliefView {
  /** Updates that the policy has had. */
  readonly update: number;
  readonly ground: number;
  readonly grounds: number;
  /** Board with the agent on its present cell. */
  readonly board: BoardScene;
  readonly cells: readonly {
    readonly cell: string;
    readonly at: readonly [x: number, y: number];
    /** The likeliest action of the policy that truly is there, in words. */
    readonly likeliest: string;
  }[];
  readonly present: string;
  readonly believed: string;
  /** Words of the actions that decisions are about, in their order. */
  readonly actions: readonly string[];
  readonly tried: TriedBelief;
}
