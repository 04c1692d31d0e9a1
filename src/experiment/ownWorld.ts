/**
 * The user's world in an experiment: its text is a setting of the environment `own`, or of a mixture, under a key that
 * begins with the world's id there. The text is part of the experiment, so it is in links, files and results.
 */
import type { EnvironmentSettings } from '../environments/environment';
import { isOwnModel, isWorldOpen, MODEL_KEY, openWorld, WORLD_KEY } from '../environments/own/own';
import { LabError } from '../foundation/errors';
import type { Experiment } from './experiment';

const KEYS: Readonly<Record<string, string>> = { own: WORLD_KEY, mixture: `own-${WORLD_KEY}` };

export const isWorldKey = (key: string): boolean => Object.values(KEYS).includes(key);

/** Text of the world among settings; undefined where there is none. */
export function textOf(settings: EnvironmentSettings): string | undefined {
  const key = Object.keys(settings).find(isWorldKey);
  return key === undefined ? undefined : String(settings[key]);
}

/** True if an environment is, or has among its parts, a user's world. */
export function isOfOwnWorld({ settings }: Experiment['environment']): boolean {
  return textOf(settings) !== undefined;
}

/** Text and settings of the user's world among an environment's settings; null where there is none. */
function worldAmong(settings: EnvironmentSettings): readonly [text: string, settings: EnvironmentSettings] | null {
  const key = Object.keys(settings).find(isWorldKey);
  if (key === undefined) return null;
  const first = key.slice(0, -WORLD_KEY.length);
  const its = Object.entries(settings).filter(([one]) => one !== key && one.startsWith(first));
  return [String(settings[key]), Object.fromEntries(its.map(([one, value]) => [one.slice(first.length), value]))];
}

/**
 * The environment as policies that begin from this model play in it: a world in one file is told of a model of the reader's own, in
 * whose pieces it then is. The same object where nothing changes.
 */
export function placeFor(environment: Experiment['environment'], model: unknown): Experiment['environment'] {
  const { id, settings } = environment;
  const named = isOwnModel(settings[MODEL_KEY]) ? settings[MODEL_KEY] : undefined;
  const next = isOwnModel(model) ? String(model) : undefined;
  if (id !== 'own' || named === next) return environment;
  const { [MODEL_KEY]: _, ...others } = settings;
  return { id, settings: next === undefined ? others : { ...others, [MODEL_KEY]: next } };
}

/** Opens the world of an experiment, checked or not, where it has one; await it before its environment is made. */
export async function openWorldsOf(experiment: unknown): Promise<void> {
  const { environment, policy } = Object(experiment) as { readonly environment?: unknown; readonly policy?: unknown };
  const { id, settings: values } = Object(environment) as { readonly id?: unknown; readonly settings?: unknown };
  if (typeof values !== 'object' || values === null) return;
  const place = { id: String(id), settings: values as EnvironmentSettings };
  const { settings } = policy === undefined ? place : placeFor(place, (policy as { readonly model?: unknown }).model);
  const world = worldAmong(settings);
  if (world !== null) await openWorld(...world);
}

/** True where an environment is of the lab's own worlds, or its world is open. */
export function isMakeable({ settings }: Experiment['environment']): boolean {
  const world = worldAmong(settings);
  return world === null || isWorldOpen(...world);
}

/** True if an experiment, as the fragment of a link or as JSON, may have a user's world. */
export const namesWorld = (text: string): boolean =>
  Object.values(KEYS).some((key) => text.includes(`environment.${key}=`) || text.includes(`"${key}":`));

/** The experiment with this world: alone, or in a mixture beside its other worlds, there with the weight it has or 1. */
export function withWorld({ environment, ...rest }: Experiment, text: string): Experiment {
  const { id, settings } = environment;
  if (id !== 'mixture') return { ...rest, environment: { id: 'own', settings: { [WORLD_KEY]: text } } };
  const weight = Number(settings.own ?? 0) || 1;
  return { ...rest, environment: { id, settings: { ...settings, own: weight, [KEYS.mixture ?? '']: text } } };
}

/** An environment with another text of its world, and the same settings. Throws LabError where it has no such world. */
export function withWorldText({ id, settings }: Experiment['environment'], text: string): Experiment['environment'] {
  const key = Object.keys(settings).find(isWorldKey);
  if (key !== undefined) return { id, settings: { ...settings, [key]: text } };
  throw new LabError('invalid-experiment', 'There is no world of one’s own in this run.', 'Begin another with one.');
}
