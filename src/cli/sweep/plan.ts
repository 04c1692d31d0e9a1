/** Arguments of a sweep over several populations, checked: every cell's experiment and members, before anything is trained. */
import { readdir } from 'node:fs/promises';
import { liveNumbers } from '../../experiment/arm/ownLossSettings';
import { isFixed } from '../../experiment/arm/policyFiles';
import type { Experiment } from '../../experiment/experiment';
import { type Axis, readAxes, withSweep } from '../../experiment/grid/axes';
import { cellsOf } from '../../experiment/grid/cells';
import { encodeLink } from '../../experiment/link/link';
import { usage } from '../errors';
import { numericsRemarks } from '../run/provenance';
import { givenExperiment, planRun, type RunArguments } from '../run/runArguments';
import { runFilesIn } from '../run/runFolder';
import { planFile, type ReadPlan, readPlan } from './folder';
import { readCell } from './result';

export interface SweepPlan {
  readonly folder: string;
  readonly plan: ReadPlan;
  readonly isResumed: boolean;
  /** True if it replaces a sweep that is in the folder. */
  readonly force: boolean;
  /** Options that a resumed sweep takes again. */
  readonly workers: string | undefined;
  readonly policies: string[] | undefined;
  /** True to go on with cells that were computed with other numerics. */
  readonly anyNumerics: boolean;
  readonly json: boolean;
}

/** Plan of a sweep; null where the arguments are of one population, which a sweep of one arm’s number is too. */
export async function planSweep(subject: string | undefined, options: RunArguments): Promise<SweepPlan | null> {
  const { workers, policy: policies, json, force = false } = options;
  if (options.resume !== undefined) {
    const plan = await readPlan(options.resume);
    if (plan === null) return null;
    refuseChanges(subject, options);
    const anyNumerics = options['other-numerics'] === true;
    const shared = { workers, policies, anyNumerics, json };
    await checkNumerics(options.resume, plan, anyNumerics);
    return { folder: options.resume, plan, isResumed: true, force: false, ...shared };
  }
  const sweep = await askedSweep(subject, options);
  if (sweep === null) return null;
  const { experiment, axes } = sweep;
  const { out, seeds, shard, probe, backend = 'auto' } = options;
  if (out === undefined) {
    throw usage('A sweep of several populations is kept in a folder, and none was named.', 'Add --out DIR.');
  }
  for (const name of ['trajectories', 'tensorboard', 'csv'] as const) {
    if (!options[name]) continue;
    throw usage(`--${name} is of one run.`, 'Leave it out, or train the combination alone with --set.');
  }
  if (!force) await refuseUsed(out);
  const cells = cellsOf(experiment, axes);
  for (const cell of cells) {
    await planRun(`#${encodeLink(cell.experiment)}`, { backend, workers, policy: policies, seeds, shard, probe, json });
  }
  const link = withSweep(encodeLink(experiment), axes);
  const optional = Object.fromEntries(Object.entries({ seeds, shard, probe }).filter(([, one]) => one !== undefined));
  const plan = { version: 1, link, backend, ...optional, axes, cells } as const;
  return { folder: out, plan, isResumed: false, force, workers, policies, anyNumerics: false, json };
}

/** Experiment and axes of the arguments; null where there are none, or where arms trained together can differ in them. */
export async function askedSweep(
  subject: string | undefined,
  options: RunArguments,
): Promise<{ readonly experiment: Experiment; readonly axes: readonly Axis[] } | null> {
  const text = options.sweep ?? sweepOfLink(subject);
  if (text === null) return null;
  const [only, ...others] = (options.sweep ?? '').split(';');
  const experiment = await givenExperiment(subject, options);
  const [arm, ...arms] = experiment.arms;
  const key = only?.split('=')[0];
  const isTogether =
    options.sweep !== undefined &&
    others.length === 0 &&
    arm !== undefined &&
    arms.length === 0 &&
    (isFixed(arm) || liveNumbers(arm).some(({ path }) => path === key));
  return isTogether ? null : { experiment, axes: readAxes(text) };
}

/** Experiment of the arguments, with the axes of its sweep; no axes where nothing is swept. */
export async function sweepOf(subject: string | undefined, options: RunArguments) {
  const experiment = await givenExperiment(subject, options);
  const text = options.sweep ?? sweepOfLink(subject);
  return { experiment, axes: text === null ? [] : readAxes(text) };
}

/** Sweep that a link brings; null where the subject is no link, or brings none. */
function sweepOfLink(subject: string | undefined): string | null {
  const hash = subject?.indexOf('#') ?? -1;
  return hash < 0 ? null : new URLSearchParams(subject?.slice(hash + 1)).get('sweep');
}

async function refuseUsed(folder: string): Promise<void> {
  const there = await readdir(folder).catch(() => []);
  const ours = [planFile(folder), ...runFilesIn(folder)].map((path) => path.slice(folder.length).replace(/^[\\/]/, ''));
  const clashing = there.find((name) => ours.includes(name));
  if (clashing === undefined) return;
  const what = `There is a run in ${folder} already: it has a ${clashing}.`;
  throw usage(what, `Continue it with --resume ${folder}, or choose another folder.`);
}

/**
 * Throws where cells are left to train and others were computed with other numerics: that would be another difference between them.
 */
async function checkNumerics(folder: string, { cells }: ReadPlan, allowed: boolean): Promise<void> {
  const done = await Promise.all(cells.map((cell) => readCell(folder, cell)));
  if (done.every((cell) => cell !== null)) return;
  for (const cell of done) {
    const last = cell?.machines.at(-1);
    if (last !== undefined) numericsRemarks(folder, { backend: last.backend, machines: [last] }, allowed);
  }
}

/** Refuses options that a resumed sweep does not take. */
function refuseChanges(subject: string | undefined, options: RunArguments): void {
  const taken = new Set(['resume', 'workers', 'policy', 'other-numerics', 'json']);
  const refused = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value === false || taken.has(name) ? [] : [`--${name}`],
  );
  if (subject !== undefined) refused.unshift(`“${subject}”`);
  if (refused.length === 0) return;
  throw usage(
    `A sweep that is resumed keeps its plan: ${refused.join(' and ')} cannot be given with --resume.`,
    'Leave that out, or begin another sweep without --resume.',
  );
}
