/**
 * Valid experiment from unknown JSON, or a list of problems. The schema checks each setting; this file checks settings
 * together: shapes that fit, names that exist, and the cost of the whole.
 */
import * as v from 'valibot';
import type { Environment, EnvironmentSettings } from '../environments/environment';
import { LONGEST_WORLD } from '../environments/own/own';
import { environments, findEnvironment } from '../environments/registry';
import { LONGEST_REMOTE_TEXT, remote } from '../environments/remote';
import { composeVocabulary } from '../environments/vocabulary';
import { asLabError, excerpt, LabError } from '../foundation/errors';
import { fitsPart, type LossPath, lossPath, lossProblems, OWN_LOSS_LIMITS } from './arm/ownLosses';
import { combinationProblems } from './combinations';
import { armSettings, type Change, type Experiment, ExperimentSchema } from './experiment';
import { findModel } from './models';
import { isMakeable, isWorldKey, placeFor } from './ownWorld';
import { findPreset, presetsLike } from './presets/presets';
import { type Problem, within } from './problem';
import { environmentSettings } from './settings/environmentSettings';
import { type SettingValue, settingSchema } from './settings/setting';
import { LIMITS } from './settings/tables';
import { EVERY_ARM, effectiveArms } from './timeline';

export type Checked =
  | { readonly experiment: Experiment; readonly problems: readonly [] }
  | { readonly experiment: null; readonly problems: readonly Problem[] };

/** The experiment in a value, with defaults filled in; or everything that is wrong with it. */
export function checkExperiment(input: unknown): Checked {
  const result = v.safeParse(ExperimentSchema, input);
  if (!result.success) return { experiment: null, problems: result.issues.map(problemOf) };
  const { environment, problems: environmentProblems, settings } = checkEnvironment(result.output);
  const experiment = { ...result.output, environment: { id: result.output.environment.id, settings } };
  const problems = [
    ...environmentProblems,
    ...presetProblems(experiment),
    ...policyProblems(experiment, environment),
    ...armProblems(experiment),
    ...timelineProblems(experiment),
    ...ownLossProblems(experiment),
    ...combinationProblems(experiment, environment),
    ...(environment === null ? [] : costProblems(experiment, environment)),
  ];
  return problems.length === 0 ? { experiment, problems: [] } : { experiment: null, problems };
}

/** The experiment in a value. Throws LabError 'invalid-experiment' with the first three problems. */
export function parseExperiment(input: unknown): Experiment {
  const { experiment, problems } = checkExperiment(input);
  if (experiment !== null) return experiment;
  const sentences = problems.slice(0, 3).map(problemInWords);
  const more = problems.length > sentences.length ? ` And ${problems.length - sentences.length} more.` : '';
  throw new LabError(
    'invalid-experiment',
    `This experiment cannot run. ${sentences.join(' ')}${more}`,
    'Correct these settings, or begin from a preset.',
  );
}

export const problemInWords = ({ path, message }: Problem): string =>
  path === '' ? message : `${excerpt(path, 100)}: ${message}`;

/** Beginning of valibot's own messages, which are written for programmers. */
const DEFAULT_WORDS = /^Invalid (key|type): /;

function problemOf(issue: v.BaseIssue<unknown>): Problem {
  const unknownKey = issue.kind === 'schema' && issue.type === 'strict_object' && issue.expected === 'never';
  const path = v.getDotPath(issue) ?? '';
  if (unknownKey) return { path, message: 'There is no such setting.' };
  if (!DEFAULT_WORDS.test(issue.message)) return { path, message: issue.message };
  return { path, message: issue.received === 'undefined' ? 'It is missing.' : 'It is of the wrong kind.' };
}

function presetProblems({ preset }: Experiment): Problem[] {
  const words = `There is no preset ${excerpt(preset)}; names like it are ${presetsLike(preset).join(', ')}.`;
  return within('preset', findPreset(preset) !== undefined, words);
}

function checkEnvironment({ environment, policy }: Experiment): {
  environment: Environment | null;
  settings: Experiment['environment']['settings'];
  problems: Problem[];
} {
  const { id, settings } = placeFor(environment, policy.model);
  const definition = findEnvironment(id);
  if (definition === undefined) {
    const message = `There is no environment of this name; there are: ${Object.keys(environments).join(', ')}.`;
    return { environment: null, settings, problems: [{ path: 'environment.id', message }] };
  }
  const problems: Problem[] = [];
  const offered = environmentSettings(definition);
  const complete: Record<string, number | boolean | string> = {};
  for (const [key, value] of Object.entries(settings)) {
    if (offered.some((setting) => setting.key === key)) continue;
    const isFurther = definition.isFurther?.(key) === true;
    problems.push(...within(`environment.${key}`, isFurther, `${definition.title} has no such setting.`));
    if (isFurther) problems.push(...furtherProblems(key, value, id === remote.id ? LONGEST_REMOTE_TEXT : LONGEST_TEXT));
    complete[key] = value;
  }
  for (const setting of offered) {
    const input = Object.hasOwn(settings, setting.key) ? settings[setting.key] : undefined;
    const result = v.safeParse(settingSchema(setting), input);
    if (result.success) complete[setting.key] = result.output;
    else problems.push({ path: setting.path, message: result.issues[0].message });
  }
  // Judgements that only a user's world can make wait for its sandbox, which is open before anything is trained.
  const waits = !isMakeable({ id, settings: complete });
  if (problems.length > 0 || waits) return { environment: null, settings: waits ? complete : settings, problems };
  return { ...createEnvironment(definition.create, complete), settings: complete };
}

/** Longest text that a setting of a user's world may have, but for the world itself. */
const LONGEST_TEXT = 64;

/** Problems of a setting that only the world itself knows: here its form, the rest when it is made. */
function furtherProblems(key: string, value: SettingValue, longest: number): Problem[] {
  const isText = isWorldKey(key);
  const fits = isText
    ? typeof value === 'string' && value.length <= LONGEST_WORLD
    : typeof value === 'boolean' || (typeof value === 'number' ? Number.isFinite(value) : value.length <= longest);
  const message = isText ? `The text of a world has at most ${LONGEST_WORLD} characters.` : 'It is no setting’s value.';
  return within(`environment.${key}`, fits, message);
}

/** The environment, or the problem it reports: some combinations only the environment itself can judge. */
function createEnvironment(
  create: (settings: EnvironmentSettings) => Environment,
  settings: EnvironmentSettings,
): { environment: Environment | null; problems: Problem[] } {
  try {
    return { environment: create(settings), problems: [] };
  } catch (cause) {
    return { environment: null, problems: [{ path: 'environment', message: asLabError(cause).message }] };
  }
}

function policyProblems(experiment: Experiment, world: Environment | null): Problem[] {
  const { width, heads, adapterRank } = experiment.policy;
  const size = width / heads;
  return [
    ...modelProblems(experiment, world),
    ...within(
      'policy.adapterRank',
      adapterRank === 0 || experiment.policy.model !== 'noise',
      'Adapters are added to a language model: let the policies begin from one, or choose rank 0.',
    ),
    ...besideProblems(experiment),
    ...within('policy.adapterRank', adapterRank % 4 === 0, `The rank must be a multiple of 4, not ${adapterRank}.`),
    ...within('policy.width', width % 16 === 0, `The width must be a multiple of 16, not ${width}.`),
    ...within(
      'policy.heads',
      size % 4 === 0 && size <= LIMITS.headSize,
      `Width ÷ heads must be a multiple of 4 and at most ${LIMITS.headSize}; ${width} ÷ ${heads} is not.`,
    ),
  ];
}

/** An adapter that lies beside a model keeps the shape in which it was trained. */
function besideProblems({ policy }: Experiment): Problem[] {
  const { adapter, title } = findModel(policy.model) ?? {};
  const differing = Object.entries(adapter ?? {}).filter(
    ([key, value]) => policy[key as keyof typeof policy] !== value,
  );
  return differing.map(([key, value]) => ({
    path: `policy.${key}`,
    message: `${title} comes with an adapter, which policies begin from: choose ${key} ${value}, or merge it with lab tune --merge.`,
  }));
}

/** A world has words of its own, or a language model's pieces. One that somebody wrote tells which once it is open. */
function modelProblems({ policy: { model: id }, environment }: Experiment, world: Environment | null): Problem[] {
  const listed = findEnvironment(environment.id)?.model;
  const title = (model: string): string => findModel(model)?.title ?? 'A language model';
  if (listed !== undefined) {
    const alone = `This world is in the pieces of ${title(listed)}: let the policies begin from it, or from noise.`;
    return within('policy.model', id === 'noise' || listed === id, alone);
  }
  if (world === null) return [];
  const { model: pieces } = world;
  const isText = `${title(id)} reads and writes text: choose a world of texts, such as “Listener”, or noise.`;
  if (pieces === undefined) return within('policy.model', id === 'noise', isText);
  const begins = `This world is read and written as text: let the policies begin from ${findModel(pieces)?.title ?? 'its model'}.`;
  return within('policy.model', pieces === id, begins);
}

function armProblems({ arms }: Experiment): Problem[] {
  const ids = arms.map((arm) => arm.id);
  return ids.flatMap((id, index) =>
    within(`arms.${id}`, ids.indexOf(id) === index, 'Two arms have this id; each needs its own.'),
  );
}

function timelineProblems(experiment: Experiment): Problem[] {
  const { arms, timeline } = experiment;
  const ids = new Set([EVERY_ARM, ...arms.map((arm) => arm.id)]);
  const keys = new Set<string>();
  return timeline.flatMap((change, index) => {
    const path = `timeline.${index}`;
    const key = `${change.update}:${change.arm}:${change.setting}`;
    const repeated = keys.has(key);
    keys.add(key);
    return [
      ...changeProblems(experiment, change, path),
      ...within(path, ids.has(change.arm), `There is no arm ${change.arm}.`),
      ...within(path, !repeated, `${key} is there twice.`),
    ];
  });
}

/** A formula is judged with the arm it is in, once all changes of its update are made. */
function ownLossProblems(experiment: Experiment): Problem[] {
  const changed = experiment.timeline.filter(({ setting }) => lossPath(setting) !== null);
  if (changed.length === 0 && experiment.arms.every(({ losses }) => losses.length === 0)) return [];
  const problems = new Map<string, Problem>();
  for (const update of new Set([0, ...changed.map((change) => change.update)])) {
    const arms = effectiveArms(experiment, update);
    for (const arm of arms) {
      for (const { path, message } of lossProblems(arm.losses)) {
        problems.set(`${arm.id}.${path}`, { path: `arms.${arm.id}.${path}`, message });
      }
    }
    const texts = new Set(arms.flatMap(({ losses }) => losses.map(({ text }) => text)));
    const message = `There are ${texts.size} different formulas at once, of at most ${OWN_LOSS_LIMITS.texts}.`;
    if (texts.size > OWN_LOSS_LIMITS.texts) problems.set('', { path: 'arms', message });
  }
  return [...problems.values()];
}

function changeProblems(experiment: Experiment, change: Change, path: string): Problem[] {
  const ofLoss = lossPath(change.setting);
  if (ofLoss !== null) return lossChangeProblems(experiment, change, ofLoss, path);
  const setting = armSettings.find((candidate) => candidate.path === change.setting);
  if (setting === undefined || setting.restart !== null) {
    return [{ path, message: `${excerpt(change.setting)} is no setting that can change while training.` }];
  }
  const valid = v.safeParse(settingSchema(setting), change.value);
  return within(path, valid.success, valid.issues?.[0].message ?? '');
}

function lossChangeProblems(experiment: Experiment, change: Change, of: LossPath, path: string): Problem[] {
  const arms = effectiveArms(experiment, change.update).filter(({ id }) => [id, EVERY_ARM].includes(change.arm));
  const isEnd = of.part.kind === 'text' && change.value === '';
  const exists = isEnd || arms.some(({ losses }) => losses.some(({ name }) => name === of.name));
  return [
    ...within(path, fitsPart(of, change.value), `${change.setting} cannot be ${String(change.value).slice(0, 40)}.`),
    ...within(path, exists, `No arm that this concerns has a loss ${of.name}.`),
  ];
}

function costProblems(
  { arms, seeds, batch, policy, warmStart }: Experiment,
  { context, words }: Environment,
): Problem[] {
  const members = arms.length * seeds;
  const trajectories = batch.groups * batch.groupSize;
  const { layers, width } = policy;
  const vocabulary = composeVocabulary([words]).size;
  const parameters = members * (12 * layers * width ** 2 + (2 * vocabulary + context) * width);
  const activations = members * trajectories * context * layers * width;
  return [
    ...within(
      'seeds',
      members <= LIMITS.members,
      `${arms.length} arms × ${seeds} seeds are ${members} policies; at most ${LIMITS.members} are trained together.`,
    ),
    ...within(
      'batch',
      trajectories <= LIMITS.trajectories,
      `${batch.groups} groups × ${batch.groupSize} are ${trajectories} trajectories; at most ${LIMITS.trajectories} fit.`,
    ),
    ...within(
      'warmStart.batch',
      warmStart.batch <= trajectories,
      `A supervised step has room for ${trajectories} demonstrations, as many as an update has trajectories.`,
    ),
    ...within('policy', parameters <= LIMITS.parameters, 'All policies together have too many parameters.'),
    ...within(
      '',
      activations <= LIMITS.activations,
      'Policies × trajectories × their length × layers × width is too much.',
    ),
  ];
}
