/**
 * Messages between the page and the trainer's Worker, their only bridge: commands one way, events the other. Training is a
 * stream, so commands have no replies, only events. Metrics travel in batches, as transferable arrays.
 */
import type { SourcePosition } from '../environments/own/examine/failure';
import type { Change, Experiment } from '../experiment/experiment';
import type { MachineEntry } from '../experiment/machines';
import type { LabErrorCode } from '../foundation/errors';
import type { HoldLock } from '../foundation/lifeline';
import type { Diagnosis } from '../rl/look/diagnosis/table';
import type { WarmStartReading } from '../rl/measure/warmStartReadings';
import type { BenchmarkReport, Subject } from './bench/report';
import type { KernelJob, KernelNews } from './kernels/report';
import type {
  BeliefRequest,
  BeliefView,
  DreamRequest,
  DreamView,
  EpisodeView,
  Inspection,
  InspectionChoice,
  Probed,
  ProbeWatch,
} from './looks/shown';
import type { OwnModel } from './policies/models';
import type {
  BackendChoice,
  BackendLine,
  BranchRequest,
  DivergenceView,
  Foreknown,
  KeepRequest,
  Phase,
  PlayedPolicy,
  PolicyRequest,
  PolicySummary,
  Throughput,
  TrainerEnded,
} from './protocolParts';
import type { TextReadout, TextRequest } from './reading/readText';
import type { Weighed } from './run/choose/weigh';
import type { TuneNews, TuneRequest } from './tuning/news';

export type { BackendKind } from '../experiment/machines';
export type { DreamSampling } from '../rl/look/dream/dreams';
export type { TokenNumber } from '../rl/look/inspection';
export type { ProbeMoment } from '../rl/look/probes/linear';
export type * from './protocolParts';
export type { TextReadout, TuneNews };

export type WorkerCommand =
  /**
   * Builds a trainer for the experiment in place of any other; begins to train if `trains`. files: those that it names. `resume`:
   * it goes on from the run's newest kept state, on that state's backend; answered by `resumed` or an error.
   */
  | {
      type: 'start';
      experiment: Experiment;
      backend: BackendChoice;
      trains: boolean;
      files: readonly Blob[];
      keep: KeepRequest | null;
      /** Earlier knowledge for a choice that is the lab's. */
      known?: Foreknown;
      /** End of the trainer whose place this one takes. */
      ended?: TrainerEnded;
    }
  /**
   * Goes on with the run that is under way, with an arm more: from the newest state before the branching that is at hand, and on its
   * backend; answered by `resumed` where there is one, else it begins, on `backend`. The run without the branch ends.
   */
  | {
      type: 'branch';
      experiment: Experiment;
      from: BranchRequest;
      backend: BackendChoice;
      trains: boolean;
      files: readonly Blob[];
      keep: KeepRequest | null;
    }
  | { type: 'pause' }
  | { type: 'resume' }
  /** Answers `diverged`: goes back to the last healthy state and on from there, or lets the run go on. */
  | { type: 'answer-divergence'; goesBack: boolean }
  /** Runs one update, then pauses. */
  | { type: 'step' }
  /** Saves the state soon where the browser keeps it: the page may be gone. */
  | { type: 'keep' }
  /** Keeps nothing more of the run, and deletes its kept states. Training goes on. */
  | { type: 'unkeep' }
  /** Goes on from the last snapshot with this backend, after `stranded`. */
  | { type: 'continue'; backend: BackendChoice }
  /** Goes on from the last snapshot in the same world with this text, after `stranded` by its world. Answered by `went-back`. */
  | { type: 'mend'; world: string }
  /** Asks for the backend that `start` would take for a number of members; answered by `backend` or `no-backend`. */
  | { type: 'probe'; backend: BackendChoice; members: number; known?: Foreknown & { readonly of: Experiment } }
  /** Changes settings from the next update on; answered by `changed`, which names that update. */
  | { type: 'change'; changes: readonly Omit<Change, 'update'>[] }
  /** Replaces the changes that are still to act; answered by `planned`. */
  | { type: 'plan'; changes: readonly Change[] }
  /** Changes the number of updates to train, without a restart. */
  | { type: 'updates'; updates: number }
  /** Chooses the seed, and the group of the batch, that the shown episodes come from. */
  | { type: 'watch'; seed: number; group: number }
  /** Asks for every token of a trajectory of the last batch, or of the first if there is none; answered by `inspected`. */
  | { type: 'inspect'; choice: InspectionChoice }
  /** Asks for linear probes now and after every `watch.every` updates; null ends them. Answered by `probed` each time. */
  | { type: 'watch-probes'; watch: ProbeWatch | null }
  /** Lets the policies dream of episodes they played, after the present update; answered by `dreams`. */
  | { type: 'dream'; request: DreamRequest }
  /**
   * Measures how fast this device trains, one subject after the other; answered by `measuring` and `measured`. It does not
   * pause for other commands: its Worker does nothing else, and is terminated to stop it.
   */
  | { type: 'measure'; subjects: readonly Subject[]; backend: BackendChoice; quick: boolean }
  /** Does a job for the page of kernels; answered by `kernels`, the last with news `done`. Stopped like `measure`. */
  | { type: 'kernels'; job: KernelJob; backend: BackendChoice }
  /** Reads a policy's file and compares it with an experiment; answered by `policy` or an error. */
  | { type: 'read-policy'; file: Blob; experiment: Experiment }
  /** Reads the folder of a language model, packed (llama/packed.ts); answered by `model` or an error. */
  | { type: 'read-model'; file: Blob }
  /**
   * Tells what fine-tuning would take and, where it `begins`, does it; answered by `tuning`, the last with news `done`, or an
   * error.
   */
  | { type: 'tune'; request: TuneRequest; begins: boolean }
  /** Ends the fine-tuning after the update in flight; answered by news `done`. */
  | { type: 'stop-tuning' }
  /** Asks for the memory of a run; answered by `weighed` or an error. own: the user's model that it begins from. */
  | { type: 'weigh'; experiment: Experiment; own: OwnModel | null; backend: BackendChoice }
  /** Lets a policy's file play 64 episodes; answered by `played` or an error. */
  | { type: 'play'; file: Blob; backend: BackendChoice }
  /** Lets a model from anywhere read a text; answered by `text-read` or an error. */
  | { type: 'read-text'; request: TextRequest; backend: BackendChoice }
  /**
   * Asks for a policy's file, between two updates; answered by `exported` or `not-exported`. Training goes on. kept: id of the run
   * whose kept state it comes from where none trains; null if it is not kept.
   */
  | ({ type: 'export'; kept: string | null } & PolicyRequest)
  /**
   * Changes a policy's belief of its cell, between two updates; answered by `believed` or `not-believed`. `kept` as in
   * `export`.
   */
  | { type: 'believe'; request: BeliefRequest; kept: string | null }
  /** Asks whether the Worker is there; answered by `here`. */
  | { type: 'ask' }
  | HoldLock
  /** Ends a run that is over, once its last state is kept; answered by `left`. */
  | { type: 'leave' };

export type TrainerEvent =
  /** Answer to `ask`. */
  | { type: 'here' }
  /** Answer to `leave`. */
  | { type: 'left' }
  /** A sign of life in a long computation. update: updates finished; call: function of a world that runs, null for none. */
  | { type: 'pulse'; update: number; call: string | null }
  /** `remember`: races for the page to keep. */
  | ({ type: 'backend'; remember?: unknown } & BackendLine)
  /** A probe found nothing to run on. */
  | { type: 'no-backend'; message: string; advice: string }
  | {
      type: 'phase';
      phase: Phase;
      /** Updates finished. */
      update: number;
      updates: number;
      /** Present activity, for the person: "compiled 12 of 27 kernels". */
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
  /** Measured before the first update; members as in `metrics`. */
  | { type: 'warm-start'; reading: WarmStartReading }
  /**
   * Supervised updates of the warm start so far, of `total`. loss: [P], of the last one before its step, nats, NaN for members that
   * did not learn; empty before the first. episodes: a demonstration that the next one learns from; empty at the end.
   */
  | { type: 'imitation'; done: number; total: number; loss: readonly number[]; episodes: EpisodeView[] }
  | { type: 'episodes'; update: number; episodes: EpisodeView[] }
  /** Every Experiment.diagnosticsEvery updates; members as in `metrics`. */
  | { type: 'diagnosis'; diagnosis: Diagnosis }
  /** Inspections in the order of the arms. */
  | { type: 'inspected'; choice: InspectionChoice; inspections: Inspection[] }
  /** id: of the request; update: updates finished by then. */
  | { type: 'dreams'; id: number; update: number; dreams: DreamView[] }
  | ({ type: 'probed' } & Probed)
  /** The device was lost meanwhile; `dreams` may still follow, once training goes on. */
  | { type: 'not-dreamed'; id: number; update: number; text: string; advice: string }
  | { type: 'changed'; changes: Change[] }
  /** The run's timeline, in which the changes from this update on were replaced. */
  | { type: 'planned'; from: number; timeline: readonly Change[] }
  /** The run goes on from a state: what it was by then, and all it had measured. isKept: this browser keeps that state. */
  | {
      type: 'resumed';
      isKept: boolean;
      update: number;
      updates: number;
      timeline: readonly Change[];
      machines: readonly MachineEntry[];
      members: number;
      /** Metrics [update, members, METRICS.length]. */
      values: Float32Array;
      /** Seconds of each update, [update]. */
      seconds: Float32Array;
    }
  | ({ type: 'diverged' } & DivergenceView)
  /**
   * The run went back to the state after so many updates; what was measured since is measured again. environment: the one it
   * goes on in, where its world was mended.
   */
  | { type: 'went-back'; update: number; changes: readonly Change[]; environment?: Experiment['environment'] }
  /** The state after so many updates is kept. dropped: ids of runs whose states were deleted for room. */
  | { type: 'kept'; update: number; dropped: readonly string[] }
  /** Machine of the run from this entry's update on; sent at its beginning and after every change of device. */
  | { type: 'machine'; entry: MachineEntry }
  /** Descriptions of the runtime of each fixed policy, for the person; by the arm's id. Sent with `machine`. */
  | { type: 'runtimes'; runtimes: Readonly<Record<string, string>> }
  /** done: subjects measured, of `of`, and the share of the one under way where it is known; text: what is being timed. */
  | { type: 'measuring'; subject: Subject; done: number; of: number; text: string }
  | { type: 'measured'; report: BenchmarkReport }
  | { type: 'kernels'; news: KernelNews }
  | { type: 'tuning'; news: TuneNews }
  /** name: of the file; update: updates that the policy has had; hasDiverged: its last gradient was not finite. */
  | { type: 'exported'; name: string; bytes: Uint8Array<ArrayBuffer>; update: number; hasDiverged: boolean }
  | { type: 'not-exported'; message: string; advice: string }
  | { type: 'believed'; request: BeliefRequest; view: BeliefView }
  | { type: 'not-believed'; request: BeliefRequest; message: string; advice: string }
  | { type: 'policy'; policy: PolicySummary }
  | { type: 'model'; model: OwnModel }
  | { type: 'weighed'; weighed: Weighed }
  | { type: 'played'; played: PlayedPolicy }
  | { type: 'text-read'; reading: TextReadout }
  /** Notice for the person; training goes on. */
  | {
      type: 'notice';
      kind: 'recovered' | 'switched' | 'not-finite' | 'smaller-plan' | 'no-memory' | 'not-kept';
      update: number;
      text: string;
    }
  /** The device was lost and no other could be opened. world: the world went wrong instead, at this place in its file. */
  | { type: 'stranded'; update: number; text: string; advice: string; world?: SourcePosition }
  | { type: 'error'; code: LabErrorCode; message: string; advice: string };
