/**
 * Interface of a population in training, however it is computed: one Trainer on one backend, or several in Workers of their
 * own (pool/pool.ts). The session and the command line drive a run through it.
 */

import { baseWeights, trainedPolicies } from '../../experiment/arm/policyFiles';
import type { Change, Experiment } from '../../experiment/experiment';
import type { LabError } from '../../foundation/errors';
import type { ImportedPolicy } from '../../onnx/importOnnx';
import type { StoredWeights } from '../../policy/frozen';
import type { WarmStartProgress } from '../../rl/learn/warmStart';
import type { Diagnosis } from '../../rl/look/diagnosis/table';
import type { SolvedRecord } from '../../rl/play/solvedMemory';
import type { TaskRecord } from '../../rl/play/taskMemory';
import { type Member, membersOf } from '../../rl/population';
import type { OptimiserState } from '../../rl/updatePrograms';
import type { FloatData } from '../../tensor/backend';
import type { Watch } from '../looks/episodes';
import type { DreamRequest, DreamView, EpisodeView, Inspection, InspectionChoice, MemberProbes } from '../looks/shown';

export interface TrainerUpdate {
  /** Index of this update, from 0. */
  readonly update: number;
  /** Tokens of its trajectories, all members. */
  readonly tokens: number;
  /** [P, METRICS.length], once the device has it. */
  readonly metrics: Promise<Float64Array>;
  /** The watched episode of every arm, when asked for. */
  readonly episodes: Promise<EpisodeView[]> | null;
  /** Diagnosis of the update's batch, when asked for and due (Experiment.diagnosticsEvery). */
  readonly diagnosis: Promise<Diagnosis | null> | null;
}

/** Tensors of a snapshot, [P, …] each: the optimiser's, and earlier policies where rollouts are stale. */
export type StateTensors = Readonly<Record<keyof OptimiserState, FloatData> & { [past: `past${number}`]: FloatData }>;

/** Tensors that every snapshot has. */
export const STATE_TENSORS = [
  'parameters',
  'firstMoment',
  'secondMoment',
  'step',
  'reference',
] as const satisfies readonly (keyof OptimiserState)[];

/** State on the host that determines the rest of the run. */
export interface Snapshot {
  /** Updates finished. */
  readonly update: number;
  readonly members: readonly Member[];
  readonly timeline: readonly Change[];
  /** Tensors in the backend's own precision, one row for each member that trains, in their order. */
  readonly tensors: StateTensors;
  /**
   * Each member's memories, [P]: of tasks, where its arm's choice of tasks needs one, then of solved episodes, where it
   * replays them.
   */
  readonly tasks: readonly (readonly (TaskRecord | SolvedRecord)[])[];
  /** Each member's running success rate (RunningSuccess), [P]; empty in states from before there was one. */
  readonly successRates: readonly number[];
}

export interface Training {
  readonly members: readonly Member[];
  /** Updates finished. */
  readonly finished: number;
  /** The experiment with every live change so far in its timeline. */
  readonly experiment: Experiment;
  /** Microbatches of each batch, to fit in memory; known once prepared. The cut changes no number. */
  readonly microbatches: number;
  /** Resolves when the device or a Worker is gone; never rejects, and stays unresolved after dispose(). */
  readonly lost: Promise<LabError>;
  /** Does the slow part of starting; call it first. */
  prepare(onProgress?: (done: number, total: number) => void): Promise<void>;
  /**
   * Makes one supervised update of the warm start and returns the progress, with what was measured on the way; done = total when
   * none is left. runUpdate() and snapshot() first make those that are left; restore() ends the warm start.
   */
  warmUp(): Promise<WarmStartProgress>;
  /**
   * Rolls out and optimises once. Resolves when the rollout is done and the optimisation is submitted. Neither `watch` nor
   * `diagnose` changes a number.
   */
  runUpdate(watch?: Watch, diagnose?: boolean): Promise<TrainerUpdate>;
  /**
   * The tokens of a trajectory that the last update learned from, in the order of the arms; null before the first update
   * here. Changes no number of the training. Await it before the next update.
   */
  inspect(choice: InspectionChoice): Promise<Inspection[] | null>;
  /**
   * Linear probes of the present policies, of members of this seed or of all (null), in the order of the arms. They are
   * fitted to the trajectories that the last update learned from; null before the first update here. Changes no number of
   * the training. Await it before the next update.
   */
  probe(seed: number | null): Promise<MemberProbes[] | null>;
  /** Lets the present policies dream of episodes. Call between two updates; changes none of their numbers. */
  dream(request: DreamRequest): Promise<DreamView[]>;
  /** Replaces the timeline from the next update on; the caller has validated it. */
  setTimeline(timeline: readonly Change[]): void;
  /** Copies the whole state to the host. */
  snapshot(): Promise<Snapshot>;
  /** Continues from a snapshot of the same experiment and members. */
  restore(snapshot: Snapshot): Promise<void>;
  /** Frees the backend, or ends the Workers. */
  dispose(): void;
}

/** Choice of an experiment's members to train: all by default. */
export interface MemberChoice {
  /** Every arm with each of these seeds. */
  readonly seeds?: readonly number[];
  /** Exactly these, in this order, instead of `seeds`. */
  readonly members?: readonly Member[];
}

/** Weights out of files, by the SHA-256 of the file: those of policies, and of a language model. */
export type FileWeights = ReadonlyMap<string, Float32Array | StoredWeights>;

/** Weights of a language model, which are no policy of a world. */
export interface BaseWeights {
  readonly weights: StoredWeights;
}

/** Policies out of files, and weights that they begin from, by the SHA-256 of the file. */
export type FilePolicies = ReadonlyMap<string, ImportedPolicy | BaseWeights>;

export function weightsOf(policies: FilePolicies): FileWeights {
  return new Map(Array.from(policies, ([hash, one]) => [hash, 'weights' in one ? one.weights : one.parameters]));
}

/** Weights that these members begin from or are measured against. A Worker gets a copy of no more than these. */
export function weightsFor(experiment: Experiment, members: readonly Member[], weights: FileWeights): FileWeights {
  const used = experiment.arms.filter((_, i) => members.some(({ armIndex }) => armIndex === i));
  const named = new Set([...baseWeights(experiment), ...trainedPolicies({ arms: used })]);
  return new Map(Array.from(weights).filter(([hash]) => named.has(hash)));
}

/** Members to train, and the memory to use. */
export interface TrainingOptions extends MemberChoice {
  /** Times the usual plan is halved because there was too little memory; default 0. */
  readonly halvings?: number;
  /** Parts in which a batch is played (policy/cohorts.ts), which no number depends on; default 1. */
  readonly cohorts?: number;
  /** Weights of every file that its arms begin from or are measured against. */
  readonly weights?: FileWeights;
}

export function chooseMembers(experiment: Experiment, { seeds, members }: MemberChoice): readonly Member[] {
  const everySeed = Array.from({ length: experiment.seeds }, (_, seed) => seed);
  return members ?? membersOf(experiment.arms, seeds ?? everySeed);
}
