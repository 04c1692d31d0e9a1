/**
 * Messages between the pool's coordinator and its Workers (pool.ts, server.ts). Every command has one reply, and replies
 * come in the order of the commands. Errors travel as their fields, because LabError does not survive cloning.
 */
import { type SourcePosition, WorldError } from '../../environments/own/examine/failure';
import type { Change, Experiment } from '../../experiment/experiment';
import type { CpuKind } from '../../foundation/cpuVariants';
import { asLabError, LabError, type LabErrorCode } from '../../foundation/errors';
import type { WarmStartProgress } from '../../rl/learn/warmStart';
import type { Diagnosis } from '../../rl/look/diagnosis/table';
import type { Member } from '../../rl/population';
import type { SharedMemory } from '../../tensor/cpu/memory';
import type { Watch } from '../looks/episodes';
import type { DreamRequest, DreamView, EpisodeView, Inspection, InspectionChoice, MemberProbes } from '../looks/shown';
import type { OwnModel } from '../policies/models';
import type { FileWeights, Snapshot } from '../population/training';

export type PoolCommand =
  /** population: number of members of the whole pool, of which `members` are a part. */
  | {
      type: 'create';
      backend: CpuKind;
      experiment: Experiment;
      members: readonly Member[];
      population: number;
      halvings: number;
      weights: FileWeights;
      /** Memory of all Workers, where they share a frozen model. */
      shared: SharedMemory | null;
      /** The reader's own model that the policies begin from; null for others. */
      model: OwnModel | null;
    }
  | { type: 'warmUp' }
  | { type: 'update'; watch: Watch | null; diagnose: boolean }
  | { type: 'inspect'; choice: InspectionChoice }
  | { type: 'probe'; seed: number | null }
  | { type: 'dream'; request: DreamRequest }
  | { type: 'timeline'; timeline: readonly Change[] }
  | { type: 'snapshot' }
  | ({ type: 'restore' } & Omit<Snapshot, 'members'>);

/** Question whether the Worker is there, answered by `here` at once, before any other reply. */
export interface AskPool {
  type: 'ask';
}

/** `pulse`: a sign of life in between. call: function of a world that runs; null for the lab's own work. */
export type PoolSign = { type: 'here' } | { type: 'pulse'; call: string | null };

/** The reply to each command; `failed` may come instead of any. */
export interface PoolReplies {
  /** microbatches: those of its plan. */
  create: { type: 'create'; microbatches: number };
  warmUp: { type: 'warmUp'; progress: WarmStartProgress };
  update: {
    type: 'update';
    tokens: number;
    metrics: Float64Array;
    episodes: EpisodeView[] | null;
    diagnosis: Diagnosis | null;
  };
  inspect: { type: 'inspect'; inspections: Inspection[] | null };
  probe: { type: 'probe'; members: MemberProbes[] | null };
  dream: { type: 'dream'; dreams: DreamView[] };
  timeline: { type: 'timeline' };
  snapshot: { type: 'snapshot' } & Pick<Snapshot, 'tensors' | 'tasks' | 'successRates'>;
  restore: { type: 'restore' };
}

export interface PoolFailure {
  type: 'failed';
  code: LabErrorCode;
  what: string;
  advice: string;
  /** Place in a world's file; undefined for other errors. */
  place: SourcePosition | undefined;
}

export type PoolReply = PoolReplies[PoolCommand['type']] | PoolFailure | PoolSign;

export function toFailure(cause: unknown): PoolFailure {
  const error = asLabError(cause);
  const { code, what, advice } = error;
  const place = error instanceof WorldError ? { line: error.line, column: error.column } : undefined;
  return { type: 'failed', code, what: error instanceof WorldError ? error.plain : what, advice, place };
}

export function fromFailure({ code, what, advice, place }: PoolFailure): LabError {
  return place === undefined ? new LabError(code, what, advice) : new WorldError(place, '', { what });
}
