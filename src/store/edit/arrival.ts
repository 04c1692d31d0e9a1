/**
 * Experiment that the page opens with: that of its link, or the one edited here before, or the default preset. If the
 * link cannot be read, the lab still works and a message says what was wrong.
 */

import type { SharedResult } from '../../experiment/conclude/result';
import type { Experiment } from '../../experiment/experiment';
import type { ChallengeStep } from '../../experiment/link/challenge';
import type { Hideable } from '../../experiment/link/hidden';
import { decodeRunLink, encodeLink } from '../../experiment/link/link';
import { isEventful, type MachineEntry, splitMachines } from '../../experiment/machines';
import { openWorldsOf, textOf } from '../../experiment/ownWorld';
import { checkExperiment, problemInWords } from '../../experiment/parse';
import { defaultPreset, findPreset } from '../../experiment/presets/presets';
import { apart } from '../../foundation/apart';
import { asLabError, LabError, withoutAdvice } from '../../foundation/errors';
import type { Notice } from '../lab';
import { readSaved, writeSaved } from '../saved';

const runFile = apart(() => import('../recorded/runFile'));

const LARGEST_FILE = 2 * 2 ** 20;
/** Bytes of the largest file of a run, with the curves of every seed. */
const LARGEST_RUN = 64 * 2 ** 20;

export interface Arrival {
  readonly experiment: Experiment;
  readonly notice: Notice | null;
  /** Machines of the run behind a link or a file, if it names them. */
  readonly machines: readonly MachineEntry[];
  /** Result of that run, of a link still encoded; null if there is none. */
  readonly result: string | SharedResult | null;
  /** Parts of the page that the link hides. */
  readonly hidden: readonly Hideable[];
  /** Steps of the link's challenge; none without one. */
  readonly challenge: readonly ChallengeStep[];
  /** Sweep that a link brings, not yet read; null if there is none. */
  readonly sweep: string | null;
}

const PLAIN = { notice: null, machines: [], result: null, hidden: [], challenge: [], sweep: null } as const;

/** State of an entry of the browser's history. */
export interface EntryState {
  /** True if the page wrote the address itself: no link that a person sent. */
  readonly isOwn: boolean;
  /** Name of the visit. Entries with the same one are places of it, and show the present experiment. */
  readonly visit: string;
}

export const entryState = (): EntryState | null => (globalThis.history?.state as EntryState | null | undefined) ?? null;

const LEFT_HERE: Notice = {
  kind: 'restored',
  text: 'These are the settings you left here. Run again to draw its curves; runs that were kept are under Runs.',
  advice: '',
};

/** `fragment` is location.hash. `isOwn`: the page wrote it itself, before a reload. */
export function arrive(fragment: string, isOwn = entryState()?.isOwn === true): Arrival {
  if (fragment.length > 1) {
    const arrival = fromLink(fragment);
    return isOwn && arrival.notice?.kind === 'link' ? { ...arrival, notice: LEFT_HERE } : arrival;
  }
  const saved = checkExperiment(readSaved('experiment')).experiment;
  if (saved === null || isUntouched(saved)) return { ...PLAIN, experiment: defaultPreset.experiment };
  return { ...PLAIN, experiment: saved, notice: LEFT_HERE };
}

/** `instead`: the experiment that is on screen where the link cannot be read. */
export function fromLink(fragment: string, instead = 'this is the usual experiment instead'): Arrival {
  try {
    const { experiment, ...rest } = decodeRunLink(fragment);
    const changes = experiment.timeline.length;
    const replay = changes === 0 ? '' : `. It replays ${changes === 1 ? 'one change' : `${changes} changes`} made live`;
    const text = `These settings came with the link you opened: “${experiment.title}”, from the preset ${experiment.preset}${replay}.${rest.sweep === null ? '' : SWEEP_WORDS}${worldWords(experiment)}`;
    return { ...rest, experiment, notice: { kind: 'link', text, advice: '' } };
  } catch (cause) {
    const { message, advice } = asLabError(cause);
    const text = `The link could not be read, so ${instead}. ${withoutAdvice(message, advice)}`;
    return { ...PLAIN, experiment: defaultPreset.experiment, notice: { kind: 'broken-link', text, advice } };
  }
}

const SWEEP_WORDS = ' A sweep came along: it waits under “How sure”.';

/** Sentences on a world that the link itself brought; empty where it names one of the lab’s. */
function worldWords({ environment: { settings } }: Experiment): string {
  const text = textOf(settings);
  if (text === undefined || text.startsWith('@')) return '';
  return ` Its world is a program that whoever made the link wrote: its words are theirs, and it runs in a sandbox from which it reaches nothing.`;
}

/** Address of this page with the experiment in its fragment, and the run's machines if they changed. */
export function shareLink(experiment: Experiment, machines: readonly MachineEntry[], page: string): string {
  return `${page.split('#')[0]}#${encodeLink(experiment, machines)}`;
}

/** Text of a file with the experiment, and the run's machines if they changed. */
export function shareFile(experiment: Experiment, machines: readonly MachineEntry[]): string {
  return JSON.stringify(isEventful(machines) ? { ...experiment, machines } : experiment, null, 2);
}

/** An experiment, or the result of a run with its curves. */
export async function readExperimentFile(file: Blob): Promise<Arrival> {
  const advice = 'Choose a file that this lab saved, or begin from a preset.';
  try {
    const tooLarge = () => new LabError('invalid-experiment', 'The file is too large for one.', advice);
    if (file.size > LARGEST_RUN) throw tooLarge();
    const { experimentOfRun, runOfFile } = await runFile();
    const content: unknown = JSON.parse(await file.text());
    const run = experimentOfRun(content);
    if (run === null && file.size > LARGEST_FILE) throw tooLarge();
    const { rest, machines } = splitMachines(run ?? content);
    await openWorldsOf(rest);
    const { experiment, problems } = checkExperiment(rest);
    if (experiment === null) {
      throw new LabError('invalid-experiment', problems.slice(0, 1).map(problemInWords).join(), advice);
    }
    const result = run === null ? null : await runOfFile(content, experiment, machines);
    const curves = result === null ? '' : ' Its curves are behind the charts.';
    const text = `These settings came from a file: “${experiment.title}”.${curves}`;
    return { ...PLAIN, experiment, notice: { kind: 'file', text, advice: '' }, machines, result };
  } catch (cause) {
    const what = cause instanceof SyntaxError ? 'It is not JSON.' : withoutAdvice(asLabError(cause).message, advice);
    throw new LabError('invalid-experiment', `This file holds no experiment. ${what}`, advice, { cause });
  }
}

export function saveExperiment(experiment: Experiment): void {
  writeSaved('experiment', experiment);
}

function isUntouched(experiment: Experiment): boolean {
  const preset = findPreset(experiment.preset);
  return preset === defaultPreset && JSON.stringify(preset.experiment) === JSON.stringify(experiment);
}
