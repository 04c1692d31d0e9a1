/**
 * Arguments of `lab run`, checked: experiment, members, backend and folder. Nothing is trained or written before all of
 * them are known to be valid, and no option is ignored.
 */
import { resolve } from 'node:path';
import type { Experiment } from '../../experiment/experiment';
import { readValues, sweepOf } from '../../experiment/grid/together';
import { BACKEND_KINDS } from '../../experiment/machines';
import { type BaseModel, beginFrom } from '../../experiment/models';
import { openWorldsOf } from '../../experiment/ownWorld';
import { parseExperiment } from '../../experiment/parse';
import { EVERY_ARM } from '../../experiment/timeline';
import type { Member } from '../../rl/population';
import type { FilePolicies } from '../../train/population/training';
import type { BackendChoice } from '../../train/protocol';
import type { Shard } from '../../train/run/keep/checkpoint';
import { mendedExperiment } from '../../train/run/keep/mend';
import { usage } from '../errors';
import { readExperiment } from '../experimentArgument';
import { namedFiles } from '../guardOutput';
import { lossSettings } from '../loss/lossFiles';
import { openedModel } from '../model/opened';
import { environmentArgument } from '../openenv/argument';
import { findPolicies } from '../policy/namedPolicies';
import { isRecorded } from '../record/recorded';
import { chosenMembers, savedMembers } from '../shards/members';
import { readWorldFile, worldArgument } from '../world/worldFile';
import { numericsRemarks } from './provenance';
import { readHealthy, readRun, runFilesIn, type SavedRun } from './runFolder';

export interface RunArguments {
  updates?: string | undefined;
  seeds?: string | undefined;
  shard?: string | undefined;
  arms?: string | undefined;
  set?: string[] | undefined;
  loss?: string[] | undefined;
  world?: string | undefined;
  model?: string | undefined;
  environment?: string | undefined;
  sweep?: string | undefined;
  backend?: string | undefined;
  workers?: string | undefined;
  out?: string | undefined;
  resume?: string | undefined;
  force?: boolean | undefined;
  'roll-back'?: boolean | undefined;
  'other-numerics'?: boolean | undefined;
  policy?: string[] | undefined;
  probe?: string | undefined;
  trajectories?: string | undefined;
  tensorboard?: string | undefined;
  csv?: boolean | undefined;
  json: boolean;
}

export interface RunPlan {
  readonly experiment: Experiment;
  readonly members: readonly Member[];
  /** Share of the run that the members are; null where they are all. */
  readonly shard: Shard | null;
  readonly backend: BackendChoice;
  /** Threads of the CPU backend; undefined takes as many as suit. */
  readonly workers: number | undefined;
  /** Policies of every file that the experiment names. */
  readonly policies: FilePolicies;
  /** Run that is continued; null for a new run. */
  readonly saved: SavedRun | null;
  /** Folder that the continued run was read from. */
  readonly resumed: string | null;
  /** Folder that was named for the run; null if none was. */
  readonly directory: string | null;
  /** True if the run replaces one that is in the folder already. */
  readonly force: boolean;
  /** Updates between two fittings of linear probes; null for none. */
  readonly probeEvery: number | null;
  /** File for the last update's trajectories; null for none. */
  readonly trajectories: string | null;
  /** Folder for TensorBoard's event files; null for none. */
  readonly tensorboard: string | null;
  /** Files that the plan is read from. */
  readonly inputs: readonly string[];
  /** Form of the printed result: tables where neither is true. */
  readonly json: boolean;
  readonly csv: boolean;
}

const BACKENDS = ['auto', ...BACKEND_KINDS] as const satisfies readonly BackendChoice[];

export async function planRun(subject: string | undefined, options: RunArguments): Promise<RunPlan> {
  const chosen = BACKENDS.find((name) => name === (options.backend ?? 'auto'));
  if (chosen === undefined) {
    throw usage(`There is no backend “${options.backend}”.`, `Choose one of: ${BACKENDS.join(', ')}.`);
  }
  const workers = options.workers === undefined ? undefined : wholeNumber(options.workers, '--workers');
  if (workers === 0) throw usage('--workers cannot be 0.', 'One thread is the least.');
  const { resume, json, csv = false, force = false } = options;
  if (force && options.out === undefined) {
    throw usage(
      '--force replaces a run that is in the folder of --out, and none was named.',
      'Add --out, or leave it out.',
    );
  }
  const probeEvery = options.probe === undefined ? null : wholeNumber(options.probe, '--probe');
  if (probeEvery === 0) throw usage('--probe cannot be 0.', 'Leave it out where no probes are wanted.');
  const trajectories = options.trajectories ?? null;
  const tensorboard = options.tensorboard ?? null;
  const model = await openedModel(options.model);
  if (resume === undefined) {
    for (const name of ['roll-back', 'other-numerics'] as const) {
      if (options[name] === true) throw usage(`--${name} is of a run that is resumed.`, 'Add --resume DIR.');
    }
    const experiment = sweep(await givenExperiment(subject, options, model), options);
    const { members, shard } = chosenMembers(experiment, options);
    const policies = await findPolicies(experiment, options.policy ?? []);
    return {
      experiment,
      members,
      shard,
      // Published numbers of a recorded preset come again.
      backend: chosen === 'auto' && isRecorded(experiment) ? 'auto-plain' : chosen,
      workers,
      policies,
      saved: null,
      resumed: null,
      directory: options.out ?? null,
      force,
      probeEvery,
      trajectories,
      tensorboard,
      inputs: namedFiles(subject, options),
      json,
      csv,
    };
  }
  refuseChanges(subject, options);
  const goesBack = options['roll-back'] === true;
  if (goesBack && (options.out === undefined || resolve(options.out) === resolve(resume))) {
    throw usage('A run that goes back begins in a folder of its own.', 'Name another one with --out.');
  }
  const saved = await (goesBack ? readHealthy(resume) : readRun(resume));
  const numerics = numericsRemarks(resume, saved.checkpoint, options['other-numerics'] === true);
  await openWorldsOf(saved.checkpoint.experiment);
  const { snapshot, experiment: asSaved, backend } = saved.checkpoint;
  const resumedAs = withUpdates(parseExperiment({ ...asSaved, timeline: snapshot.timeline }), options);
  const experiment =
    options.world === undefined ? resumedAs : await mendedExperiment(resumedAs, await readWorldFile(options.world));
  if (model !== null && model.id !== experiment.policy.model) {
    const what = `The policies of this run begin from ${experiment.policy.model}, and --model names ${model.id}.`;
    throw usage(what, 'Name the folder of the first, or leave --model out where it comes with the lab.');
  }
  const members = savedMembers(experiment, saved.checkpoint);
  const finished = snapshot.update;
  if (experiment.updates < finished) {
    const what = `The run in ${resume} has finished ${finished} updates already, more than ${experiment.updates}.`;
    throw usage(what, `Choose --updates ${finished} or more.`);
  }
  // A result names one backend, on which anyone can get the same numbers.
  if (chosen !== 'auto' && chosen !== backend) {
    const what = `The run in ${resume} was trained on ${backend}; ${chosen} would not continue it bit for bit.`;
    throw usage(what, `Leave --backend out, or begin a run of its own with --backend ${chosen}.`);
  }
  const policies = await findPolicies(experiment, options.policy ?? []);
  return {
    experiment,
    members,
    shard: saved.checkpoint.shard ?? null,
    backend,
    workers,
    policies,
    saved: { ...saved, remarks: [...saved.remarks, ...numerics] },
    resumed: goesBack ? null : resume,
    directory: options.out ?? resume,
    force,
    probeEvery,
    trajectories,
    tensorboard,
    inputs: [...namedFiles(undefined, options), ...runFilesIn(resume)],
    json,
    csv,
  };
}

/** Experiment of the arguments, before it is swept. */
export async function givenExperiment(
  subject: string | undefined,
  options: RunArguments,
  model: BaseModel | null = null,
): Promise<Experiment> {
  const { arms, set = [], loss = [] } = options;
  const sets = [...(await lossSettings(loss)), ...set];
  const inPlace = await placeArgument(options);
  const placeArms = (whole: Experiment): Experiment =>
    model === null ? inPlace(whole) : parseExperiment(inPlace(beginFrom(whole, model)));
  const part = (whole: Experiment): Experiment =>
    arms === undefined ? placeArms(whole) : withArms(placeArms(whole), arms.split(','));
  return withUpdates(await readExperiment(subject, sets, part), options);
}

/** Function that puts an experiment into the world that --world or --environment names; the experiment itself without either. */
async function placeArgument({ world, environment }: RunArguments): Promise<(experiment: Experiment) => Experiment> {
  if (world === undefined) return environment === undefined ? (whole) => whole : environmentArgument(environment);
  if (environment === undefined) return worldArgument(world);
  throw usage('--world and --environment name two worlds.', 'Leave one of them out.');
}

/** Refuses options that would change a resumed run: only its number of updates may change, and its world may be mended. */
function refuseChanges(subject: string | undefined, options: RunArguments): void {
  const { set, loss, environment, seeds, shard, arms, sweep: swept } = options;
  const changes = {
    [`“${subject}”`]: subject,
    '--set': set,
    '--loss': loss,
    '--environment': environment,
    '--seeds': seeds,
    '--shard': shard,
    '--arms': arms,
    '--sweep': swept,
  };
  const refused = Object.keys(changes).filter((name) => changes[name] !== undefined);
  if (refused.length === 0) return;
  throw usage(
    `A run that is resumed keeps its experiment and members: ${refused.join(' and ')} cannot be given with --resume.`,
    'Leave that out, or begin another run without --resume.',
  );
}

/** The experiment with only these arms and their planned changes. */
function withArms(experiment: Experiment, ids: readonly string[]): Experiment {
  const unknown = ids.find((id) => !experiment.arms.some((arm) => arm.id === id));
  if (unknown !== undefined) {
    const known = experiment.arms.map((arm) => arm.id).join(', ');
    throw usage(`There is no arm “${unknown}”.`, `Arms are: ${known}.`);
  }
  const arms = experiment.arms.filter((arm) => ids.includes(arm.id));
  const timeline = experiment.timeline.filter((change) => change.arm === EVERY_ARM || ids.includes(change.arm));
  return parseExperiment({ ...experiment, arms, timeline });
}

/** The experiment with the number of updates given. Changes after its end stay, for when it is resumed. */
function withUpdates(experiment: Experiment, { updates }: RunArguments): Experiment {
  if (updates === undefined) return experiment;
  return parseExperiment({ ...experiment, updates: wholeNumber(updates, '--updates') });
}

/** The experiment as a sweep of its only arm, if --sweep is given. */
function sweep(experiment: Experiment, { sweep: text }: RunArguments): Experiment {
  if (text === undefined) return experiment;
  const [path = '', values, ...more] = text.split('=');
  if (values === undefined || more.length > 0) {
    throw usage(`--sweep takes a setting and its values, not “${text}”.`, 'Write it like ce.observation=0,0.1,1.');
  }
  const [arm, ...others] = experiment.arms;
  if (arm === undefined || others.length > 0) {
    const known = experiment.arms.map(({ id }) => id).join(', ');
    throw usage('A sweep is of one arm.', `Name it with --arms, one of: ${known}.`);
  }
  return sweepOf(experiment, arm.id, path, readValues(values));
}

export function wholeNumber(text: string, option: string): number {
  if (!/^\d{1,6}$/.test(text)) throw usage(`${option} needs a whole number, not “${text}”.`, 'See --help.');
  return Number(text);
}
