/**
 * The only bridge between the page and the trainer: two discriminated unions. Training is a stream of events, so there
 * are no replies, only events. Metrics travel in batches as transferable arrays; nothing here holds a GPU object.
 */
import type { Arm, Change, Experiment } from '../experiment/experiment';
import type { BackendKind, MachineEntry } from '../experiment/machines';
import type { LabErrorCode } from '../foundation/errors';
import type { Attention } from '../rl/attention';
import type { Diagnosis } from '../rl/diagnosis/table';
import type { Dream, DreamSampling } from '../rl/dream';
import type { TokenNumber } from '../rl/inspection';
import type { Probe } from '../rl/probes';
import type { BenchmarkReport, Subject } from './bench/report';
import type { KernelJob, KernelNews } from './kernels/report';
import type { PlayedEpisode, PlayedTasks } from './policies/player';
import type { TextReading, TextRequest } from './reading/readText';

export type { BackendKind } from '../experiment/machines';
export type { DreamSampling } from '../rl/dream';
export type { TokenNumber } from '../rl/inspection';
export type { ProbeMoment } from '../rl/probes';
export type { TextReading };
export type BackendChoice = 'auto' | BackendKind;

export type Command =
  /** Builds a trainer for the experiment (replacing any other); begins to train when `run`. */
  /** `files`: those that the experiment names. */
  | { type: 'start'; experiment: Experiment; backend: BackendChoice; run: boolean; files: readonly Blob[] }
  | { type: 'pause' }
  | { type: 'resume' }
  /** Runs one update, then pauses. */
  | { type: 'step' }
  /** After `stranded`: goes on from the last snapshot with this backend. */
  | { type: 'continue'; backend: BackendChoice }
  /** Only asks what `start` would run on, for so many members; answered by `backend`. */
  | { type: 'probe'; backend: BackendChoice; members: number }
  /** Acts from the next update; answered by `changed` with the update it acts from. */
  | { type: 'change'; changes: readonly Omit<Change, 'update'>[] }
  /** Trains up to this many updates instead; no restart. */
  | { type: 'updates'; updates: number }
  /** Which seed and which group of the batch the episodes shown come from. */
  | { type: 'watch'; seed: number; group: number }
  /** Every token of a trajectory of the last batch, or of the next if none was trained on yet; answered by `inspected`. */
  | { type: 'inspect'; choice: InspectionChoice }
  /** Linear probes from now on, or no more: now and after every so many updates; answered by `probed` each time. */
  | { type: 'watch-probes'; watch: ProbeWatch | null }
  /** The arms' policies, as they are after the present update, dream of episodes they played; answered by `dreams`. */
  | { type: 'dream'; request: DreamRequest }
  /**
   * Measures how fast this device trains, one subject after the other; answered by `measuring` and `measured`. It computes
   * without a pause for other commands: a Worker that measures does nothing else, and is ended to stop it.
   */
  | { type: 'measure'; subjects: readonly Subject[]; backend: BackendChoice; quick: boolean }
  /** Something for the page of kernels; answered by `kernels`, ended with its `done`. Stopped like `measure`. */
  | { type: 'kernels'; job: KernelJob; backend: BackendChoice }
  /** What a file holds, and whether it fits an experiment; answered by `policy` or an error. */
  | { type: 'read-policy'; file: Blob; experiment: Experiment }
  /** A policy's file plays 64 episodes; answered by `played` or an error. */
  | { type: 'play'; file: Blob; backend: BackendChoice }
  /** A model of anybody's reads a text; answered by `text-read` or an error. */
  | { type: 'read-text'; request: TextRequest; backend: BackendChoice }
  /** A policy as it is between two updates; answered by `exported` or `not-exported`. Training goes on. */
  | ({ type: 'export' } & PolicyRequest)
  | { type: 'dispose' };

/** Which member, and whether with a key-value cache as inputs and outputs. */
export interface PolicyRequest {
  readonly arm: string;
  readonly seed: number;
  readonly cached: boolean;
  /** An SPDX expression. */
  readonly licence: string;
}

/** What a policy's file says of itself. */
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
  /** Why arms of the experiment asked about cannot begin from it; null where they can. */
  readonly misfit: string | null;
  /** Why it cannot play there as it is; null where it can. */
  readonly strangeness: string | null;
}

/** What a policy out of a file did where it was trained. */
export interface PlayedPolicy {
  readonly sha256: string;
  readonly environment: Experiment['environment'];
  readonly played: PlayedTasks;
  /** What ran it, where and why there, for the person. */
  readonly runtime: string;
  /** What the lab's own kernels ran on, and why. */
  readonly kernels: string;
  /** The first one of the last batch. */
  readonly episode: PlayedEpisode;
}

/** `stranded`: the device is gone and no other came; the run waits for `continue`. */
export type Phase = 'preparing' | 'ready' | 'running' | 'paused' | 'finished' | 'stranded' | 'failed';

/** One trajectory, for drawing. Arrays are per token. */
export interface EpisodeView {
  arm: string;
  seed: number;
  update: number;
  group: number;
  /** Index in the group. */
  trajectory: number;
  /** As it was learned from: a relabelled episode is that of the task it solved, not of the one that was set. */
  task: Int32Array;
  relabelled: boolean;
  tokens: Uint16Array;
  roles: Uint8Array;
  /** log-prob of each token under the policy that acted; NaN where nothing predicts it. */
  logProb: Float32Array;
  /** What actually trained this token: policy-gradient weight × |advantage| > 0, so a zero-variance group gives 0. */
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
  /** Of the batch: the task. */
  readonly group: number;
  /** Of the group. */
  readonly trajectory: number;
}

/** `new`: under the policy after the update's last optimiser step; everything of the loss is worked out with it. */
export interface Inspection {
  /** As it was in this update. */
  readonly arm: Arm;
  readonly seed: number;
  readonly update: number;
  readonly group: number;
  readonly trajectory: number;
  readonly tokens: Uint16Array;
  readonly roles: Uint8Array;
  /** Per token; NaN where nothing predicts it or scores it. `logProb` is the new one. */
  readonly numbers: Readonly<Record<TokenNumber, Float32Array>>;
  /** Under the new policy, as all else; of no layer where what runs a fixed policy keeps it to itself. */
  readonly attention: Attention;
  /** Of every trajectory of the group. */
  readonly rewards: Float32Array;
  readonly successes: Uint8Array;
  /** All rewards of the group are exactly equal. */
  readonly isEqual: boolean;
  /** A group filter let the group through. */
  readonly isKept: boolean;
}

/** When linear probes are fitted, and to whom. */
export interface ProbeWatch {
  /** Null: all. */
  readonly seed: number | null;
  /** Updates from one to the next. */
  readonly every: number;
}

/** What can be read off one member's policy. */
export interface MemberProbes {
  readonly arm: string;
  readonly seed: number;
  readonly probes: readonly Probe[];
}

/** What linear probes found, once. */
export interface Probed {
  /** Updates the policies had had. */
  readonly update: number;
  /** In the order of the arms. */
  readonly members: readonly MemberProbes[];
}

/** What an arm's policy is to dream of: at most one episode of each arm and seed. */
export interface DreamRequest {
  /** Comes back with the answer. */
  id: number;
  sampling: DreamSampling;
  episodes: Pick<EpisodeView, 'arm' | 'seed' | 'task' | 'tokens' | 'roles'>[];
}

/** What an arm's policy dreamed of an episode. */
export interface DreamView extends Dream {
  arm: string;
}

export interface Throughput {
  updatesPerSecond: number;
  /** Tokens processed in rollouts per second, all members. */
  tokensPerSecond: number;
}

export type TrainerEvent =
  | { type: 'backend'; kind: BackendKind; description: string; software: boolean; reason: string }
  | {
      type: 'phase';
      phase: Phase;
      /** Updates finished. */
      update: number;
      updates: number;
      /** What is happening, for the person: "compiling 12 of 27 kernels". */
      detail: string;
    }
  | {
      type: 'metrics';
      /** First update in the batch. */
      update: number;
      count: number;
      members: number;
      /** [count, members, METRICS.length]; member = arm index · seeds + seed; NaN = undefined. */
      values: Float32Array;
      /** Training time of each update, [count], seconds; pauses do not count. */
      seconds: Float32Array;
      throughput: Throughput;
    }
  | { type: 'episodes'; update: number; episodes: EpisodeView[] }
  /** Every Experiment.diagnosticsEvery updates; members as in `metrics`. */
  | { type: 'diagnosis'; diagnosis: Diagnosis }
  /** In the order of the arms. */
  | { type: 'inspected'; choice: InspectionChoice; inspections: Inspection[] }
  /** id: of the request. update: updates the policies had had. */
  | { type: 'dreams'; id: number; update: number; dreams: DreamView[] }
  | ({ type: 'probed' } & Probed)
  /** The device was lost meanwhile; `dreams` may still follow, once training goes on. */
  | { type: 'not-dreamed'; id: number; update: number; text: string; advice: string }
  | { type: 'changed'; changes: Change[] }
  /** What the run goes on with, from this entry's update: said at its beginning and after every change of device. */
  | { type: 'machine'; entry: MachineEntry }
  /** What runs each arm that is a fixed policy, for the person; by the arm's id. Said with `machine`. */
  | { type: 'runtimes'; runtimes: Readonly<Record<string, string>> }
  /** `done` of `of` subjects are measured; `text`: what is being timed. */
  | { type: 'measuring'; subject: Subject; done: number; of: number; text: string }
  | { type: 'measured'; report: BenchmarkReport }
  | { type: 'kernels'; news: KernelNews }
  /** `name`: of the file; `update`: how many the policy has behind it. */
  | { type: 'exported'; name: string; bytes: Uint8Array<ArrayBuffer>; update: number }
  | { type: 'not-exported'; message: string; advice: string }
  | { type: 'policy'; policy: PolicySummary }
  | { type: 'played'; played: PlayedPolicy }
  | { type: 'text-read'; reading: TextReading }
  /** Something the person should know; training goes on. */
  | {
      type: 'notice';
      kind: 'recovered' | 'switched' | 'not-finite' | 'smaller-plan' | 'no-memory';
      update: number;
      text: string;
    }
  /** The device is gone and could not be had again. */
  | { type: 'stranded'; update: number; text: string; advice: string }
  | { type: 'error'; code: LabErrorCode; message: string; advice: string };
