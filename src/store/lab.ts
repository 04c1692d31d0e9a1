/**
 * State of the page: the experiment as edited, the one that runs, and what the trainer has reported. Plain state without
 * React, written by the classes of this folder alone. Measurements are kept outside (history.ts); `tick` counts up, at
 * most four times a second, when there are new ones.
 */

import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SourcePosition } from '../environments/own/examine/failure';
import { namedPolicies, shortHash } from '../experiment/arm/policyFiles';
import type { Arm, Change, Experiment } from '../experiment/experiment';
import type { ChallengeStep } from '../experiment/link/challenge';
import type { Hideable } from '../experiment/link/hidden';
import type { MachineEntry } from '../experiment/machines';
import { defaultPreset } from '../experiment/presets/presets';
import type { Problem } from '../experiment/problem';
import { excerpt } from '../foundation/errors';
import type { Ghost } from '../measured/curves';
import type { MetricHistory } from '../measured/history';
import type { Sent } from '../measured/sentResult';
import type { Diagnosis } from '../rl/look/diagnosis/table';
import type { DreamView, EpisodeView, ProbeWatch } from '../train/looks/shown';
import type { BackendLine, DivergenceView, Phase, Throughput, TrainerEvent } from '../train/protocol';
import { differencesOf, type SettingDifference, timelineDifference } from './edit/differences';
import type { RunLooks } from './run/looks';

/** Message that the user should read once. */
export interface Notice {
  readonly kind: 'link' | 'broken-link' | 'restored' | 'refused' | 'file' | 'happened';
  readonly text: string;
  readonly advice: string;
  /** True for a message about a step that was not taken, of which a divergence tells more. */
  readonly isOfGradient?: boolean;
}

export interface RunFailure {
  readonly what: string;
  readonly advice: string;
  /** Updates whose measurements are safe. */
  readonly update: number;
  /** Place in the world's file, from 1, where the world went wrong and the run waits for it to be mended; 0 where it is not known. */
  readonly world?: SourcePosition;
}

/** Event during a run that changes no number, or only one member's: a device lost, a gradient that was not finite. */
export interface Happening {
  readonly update: number;
  readonly text: string;
}

/** Progress of the run's warm start. */
export interface ImitationView {
  /** Supervised updates: made, and in all. */
  readonly done: number;
  readonly total: number;
  /** Loss of each member before the step of an update, nats; thinned out where there are many. */
  readonly losses: readonly { readonly update: number; readonly loss: readonly number[] }[];
}

export type Inspected = Omit<Extract<TrainerEvent, { type: 'inspected' }>, 'type'>;

export interface DreamsHeard {
  /** Id of the request that the dreams answer. */
  readonly id: number;
  /** Updates that the policies had been trained for. */
  readonly update: number;
  readonly byArm: Readonly<Record<string, DreamView>>;
  /** Reason why there are no dreams; null if there are. */
  readonly failure: Pick<RunFailure, 'what' | 'advice'> | null;
}

export interface LabState extends RunLooks {
  /** Experiment that the controls show, live changes included. */
  readonly edited: Experiment;
  /** Original of each arm that was copied since the run began, by the copy's id: a restart begins both alike. */
  readonly copies: Readonly<Record<string, string>>;
  /** Changes of the next run, where those that the run has made were edited; null: it gets those planned. */
  readonly marks: readonly Change[] | null;
  /** Problems of `edited`; a run cannot start until there are none. */
  readonly problems: readonly Problem[];
  /** Experiment that the trainer was given, with the live changes since in its timeline; null before the first run. */
  readonly running: Experiment | null;
  /** Arms of the run with every change that the trainer has made or was sent. */
  readonly told: readonly Arm[];
  /** Id of the run, under which this browser keeps it; empty before the first. */
  readonly run: string;
  /** Updates in the newest state that this browser keeps of the run's policies; null if it keeps none. */
  readonly keptUpdate: number | null;
  /** Number of runs that were left before their last state was kept, and that keep nothing more. */
  readonly left: number;
  /** Sentences on why its policies are not kept now; null while they are, or are not to be. */
  readonly unkept: string | null;
  /** `restored`: an earlier run's curves; it goes on only from kept policies. */
  readonly phase: 'idle' | 'restored' | Phase;
  readonly detail: string;
  /** Updates finished. */
  readonly update: number;
  readonly backend: BackendLine | null;
  /** True if a probe found no backend to run on. */
  readonly foundNothing: boolean;
  readonly throughput: Throughput | null;
  readonly history: MetricHistory | null;
  readonly tick: number;
  readonly ghost: Ghost | null;
  /** Result of the experiment elsewhere, from the opened link or a recording of its preset, for a run to reproduce. */
  readonly sent: Sent | null;
  /** Progress of imitation; null where there was none since this page has the run. */
  readonly imitation: ImitationView | null;
  /** Newest episode of each arm, by its id; during the warm start a demonstration. */
  readonly episodes: Readonly<Record<string, EpisodeView>>;
  /** Last answer to a look at a trajectory, one inspection for each arm; null before the first. */
  readonly inspected: Inspected | null;
  /** Last dreams; null before the first. */
  readonly dreams: DreamsHeard | null;
  /** Diagnoses of the run's batches, in the order of updates. */
  readonly diagnoses: readonly Diagnosis[];
  /** Linear probes that the trainer is asked for; null for none. */
  readonly probing: ProbeWatch | null;
  /** Seed and group that the episodes come from. */
  readonly watched: { readonly seed: number; readonly group: number };
  readonly notice: Notice | null;
  /** Reason why the run is over (phase `failed`) or waits for the user (`stranded`). */
  readonly failure: RunFailure | null;
  /** Policies that diverged, until the person has answered; null if there are none. */
  readonly divergence: DivergenceView | null;
  readonly happenings: readonly Happening[];
  /** Machines of the run. They go into its link, beside the experiment. */
  readonly machines: readonly MachineEntry[];
  /** Machines of the run behind the opened link or file; empty once its experiment is edited. */
  readonly linkedMachines: readonly MachineEntry[];
  /** Name of the runtime of each arm that is a fixed policy, by the arm's id. */
  readonly runtimes: Readonly<Record<string, string>>;
  /** Policy files opened in this tab, by SHA-256. */
  readonly policyFiles: Readonly<Record<string, Blob>>;
  /** Policy files that were looked for and not found, by SHA-256. */
  readonly absentPolicies: Readonly<Record<string, Absence>>;
  /** Parts of the page that the link hides and the user has not shown again. */
  readonly hidden: readonly Hideable[];
  /** Steps of the challenge that the link brought; none without one. */
  readonly challenge: readonly ChallengeStep[];
}

/**
 * Reason for which a file is absent: nobody has it, or the bytes that this browser kept or the lab's server sent have
 * another hash.
 */
export type Absence = 'unknown' | 'kept-damaged' | 'shipped-damaged';

export type LabStore = StoreApi<LabState>;

/** State of a run while there is none. */
export const NO_RUN = {
  running: null,
  run: '',
  keptUpdate: null,
  unkept: null,
  told: [],
  copies: {},
  marks: null,
  phase: 'idle',
  detail: '',
  update: 0,
  throughput: null,
  history: null,
  episodes: {},
  inspected: null,
  dreams: null,
  diagnoses: [],
  probed: [],
  dreamPoints: [],
  warmStart: [],
  imitation: null,
  failure: null,
  divergence: null,
  happenings: [],
  machines: [],
  runtimes: {},
} as const satisfies Partial<LabState>;

export function createLabStore(): LabStore {
  return createStore<LabState>(() => ({
    ...NO_RUN,
    edited: defaultPreset.experiment,
    problems: [],
    backend: null,
    left: 0,
    foundNothing: false,
    tick: 0,
    ghost: null,
    sent: null,
    probing: null,
    watched: { seed: 0, group: 0 },
    notice: null,
    linkedMachines: [],
    policyFiles: {},
    absentPolicies: {},
    hidden: [],
    challenge: [],
  }));
}

/** Resolves when the state is as wanted. */
export function untilState(store: LabStore, holds: (state: LabState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (holds(store.getState())) return resolve();
    const stop = store.subscribe((now) => {
      if (!holds(now)) return;
      stop();
      resolve();
    });
  });
}

const LIVE: readonly LabState['phase'][] = ['preparing', 'ready', 'running', 'paused', 'diverged', 'stranded'];

/** Hashes of policy files that an experiment names and that are not open here. */
export function missingPolicies(
  state: Pick<LabState, 'policyFiles'>,
  experiment: Pick<Experiment, 'arms' | 'policy'>,
): string[] {
  return namedPolicies(experiment).filter((hash) => state.policyFiles[hash] === undefined);
}

/** Name of a policy file; the beginning of its hash if the file is not here. */
export function policyName({ policyFiles }: Pick<LabState, 'policyFiles'>, sha256: string): string {
  const file = policyFiles[sha256];
  return file instanceof File ? excerpt(file.name) : `${shortHash(sha256)}…`;
}

/** True if training is under way or can go on, so live changes reach the trainer. */
export function isLive({ phase, running }: Pick<LabState, 'phase' | 'running'>): boolean {
  return running !== null && LIVE.includes(phase);
}

/** Edits that the run does not have yet. Live: only those that need a restart. Later: all, `updates` only if restored. */
export function pendingDifferences(
  state: Pick<LabState, 'phase' | 'running' | 'told' | 'edited' | 'marks'>,
): SettingDifference[] {
  if (state.running === null) return [];
  const differences = [
    ...differencesOf({ ...state.running, arms: [...state.told] }, state.edited),
    ...(state.marks === null ? [] : [timelineDifference(state.running.timeline, state.marks)]),
  ];
  const live = isLive(state);
  return differences.filter(
    ({ path, restart }) => restart !== null || (!live && (path !== 'updates' || state.phase === 'restored')),
  );
}
