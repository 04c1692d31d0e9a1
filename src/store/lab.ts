/**
 * What the page knows: the experiment as edited, the one that runs, and what the trainer has said. Plain state without
 * React; the classes Runner and Editor are the only writers. Measurements live outside of it (history.ts); `tick` says, at most
 * four times a second, that there are new ones.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Arm, Experiment } from '../experiment/experiment';
import type { Hideable } from '../experiment/hidden';
import type { MachineEntry } from '../experiment/machines';
import type { Problem } from '../experiment/parse';
import { namedPolicies, shortHash } from '../experiment/policyFiles';
import { defaultPreset } from '../experiment/presets';
import type { Diagnosis } from '../rl/diagnosis/table';
import type {
  BackendKind,
  DreamView,
  EpisodeView,
  Phase,
  ProbeWatch,
  Throughput,
  TrainerEvent,
} from '../train/protocol';
import type { CurveSource } from './curves';
import { type Difference, differencesOf } from './differences';
import type { MetricHistory } from './history';
import type { Looks } from './looks';
import type { Sent } from './sentResult';

export interface BackendLine {
  readonly kind: BackendKind;
  readonly description: string;
  readonly software: boolean;
  readonly reason: string;
}

/** Something the person should read once. */
export interface Notice {
  readonly kind: 'link' | 'broken-link' | 'restored' | 'refused' | 'file' | 'happened';
  readonly text: string;
  readonly advice: string;
}

export interface Failure {
  readonly what: string;
  readonly advice: string;
  /** Updates whose measurements are safe. */
  readonly update: number;
}

/** What befell the run and changes none of its numbers, or one member's: a device lost and found, a gradient gone. */
export interface Happening {
  readonly update: number;
  readonly text: string;
}

/** Another run's curves, drawn faintly behind the charts. */
export interface Ghost {
  readonly label: string;
  readonly arms: readonly { readonly id: string; readonly name: string }[];
  readonly curves: CurveSource;
}

export type Inspected = Omit<Extract<TrainerEvent, { type: 'inspected' }>, 'type'>;

export interface DreamsHeard {
  /** Of the request they answer. */
  readonly id: number;
  /** Updates the policies had had. */
  readonly update: number;
  readonly byArm: Readonly<Record<string, DreamView>>;
  /** Why there are none. */
  readonly failure: Pick<Failure, 'what' | 'advice'> | null;
}

export interface LabState extends Looks {
  /** What the controls show, live changes included. */
  readonly edited: Experiment;
  /** What is wrong with it; a run cannot start until this is empty. */
  readonly problems: readonly Problem[];
  /** What the trainer was given, with the timeline of live changes since; null before the first run. */
  readonly running: Experiment | null;
  /** The run's arms with every change the trainer has made or been told of. */
  readonly told: readonly Arm[];
  /** `restored`: an earlier run's curves without its policies, so that it cannot go on. */
  readonly phase: 'idle' | 'restored' | Phase;
  readonly detail: string;
  /** Updates finished. */
  readonly update: number;
  readonly backend: BackendLine | null;
  /** A probe came back without anything to run on. */
  readonly foundNothing: boolean;
  readonly throughput: Throughput | null;
  readonly history: MetricHistory | null;
  readonly tick: number;
  readonly ghost: Ghost | null;
  /** What came of the experiment elsewhere, with the link that was opened or as its preset was recorded: to be reproduced. */
  readonly sent: Sent | null;
  /** The newest episode of each arm. */
  readonly episodes: Readonly<Record<string, EpisodeView>>;
  /** The trajectory asked for last, in every arm; null until one was. */
  readonly inspected: Inspected | null;
  /** The dreams that came last, by arm; null before the first. */
  readonly dreams: DreamsHeard | null;
  /** What has been measured of the run's batches, in the order of updates. */
  readonly diagnoses: readonly Diagnosis[];
  /** What linear probes the trainer is asked for; null: none. */
  readonly probing: ProbeWatch | null;
  /** Which seed and group the episodes come from. */
  readonly watched: { readonly seed: number; readonly group: number };
  readonly notice: Notice | null;
  /** Why the run is over (phase `failed`), or waits for the person (`stranded`). */
  readonly failure: Failure | null;
  readonly happenings: readonly Happening[];
  /** What the run ran on, from which update on. Travels with its link, beside the experiment. */
  readonly machines: readonly MachineEntry[];
  /** The same of the run behind the link or file that was opened, until what it was of is edited. */
  readonly linkedMachines: readonly MachineEntry[];
  /** What runs each of the run's arms that are fixed policies, for the person; by the arm's id. */
  readonly runtimes: Readonly<Record<string, string>>;
  /** Policies' files that were opened in this tab, by SHA-256. */
  readonly policyFiles: Readonly<Record<string, Blob>>;
  /** Files that were looked for where the lab can look, in vain, by SHA-256. */
  readonly absentPolicies: Readonly<Record<string, Absence>>;
  /** Parts of the page that the link hid and the person has not asked for. */
  readonly hidden: readonly Hideable[];
}

/** Why a file is not here: nothing has it, or what this browser kept or the lab's server sent has other bytes by now. */
export type Absence = 'unknown' | 'kept-damaged' | 'shipped-damaged';

export type LabStore = StoreApi<LabState>;

/** Of a run, where there is none. */
export const NO_RUN = {
  running: null,
  told: [],
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
  failure: null,
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
  }));
}

const LIVE: readonly LabState['phase'][] = ['preparing', 'ready', 'running', 'paused', 'stranded'];

/** Policies' files that an experiment names and that were not opened here, by SHA-256. */
export function missingPolicies(state: Pick<LabState, 'policyFiles'>, experiment: Pick<Experiment, 'arms'>): string[] {
  return namedPolicies(experiment).filter((hash) => state.policyFiles[hash] === undefined);
}

/** How a policy's file is called here; one that is not here, by its hash. */
export function policyName({ policyFiles }: Pick<LabState, 'policyFiles'>, sha256: string): string {
  const file = policyFiles[sha256];
  return file instanceof File ? file.name : `${shortHash(sha256)}…`;
}

/** Training is under way or can go on: live changes reach the trainer. */
export function isLive({ phase, running }: Pick<LabState, 'phase' | 'running'>): boolean {
  return running !== null && LIVE.includes(phase);
}

/** What has been edited away from the run: while it is live only what needs a restart, afterwards everything; only a run whose policies are there can be prolonged. */
export function pendingDifferences(state: Pick<LabState, 'phase' | 'running' | 'told' | 'edited'>): Difference[] {
  if (state.running === null) return [];
  const differences = differencesOf({ ...state.running, arms: [...state.told] }, state.edited);
  const live = isLive(state);
  return differences.filter(
    ({ path, restart }) => restart !== null || (!live && (path !== 'updates' || state.phase === 'restored')),
  );
}
