/** Worlds in one file as people choose them: their titles, and their way into the experiment. */
import type { EnvironmentSettings } from '../../environments/environment';
import { openWorld, WORLD_KEY } from '../../environments/own/own';
import { definitionFor } from '../../environments/registry';
import { newlyExamined } from '../../experiment/examination';
import type { Experiment } from '../../experiment/experiment';
import { openWorldsOf } from '../../experiment/ownWorld';
import { forTexts } from '../../experiment/presets/worlds/words';
import type { Lab } from '../openLab';
import { drawingIn, titleIn } from './worldDrafts';

/** Names and titles of the lab's own. */
export async function shippedTitles(): Promise<(readonly [name: string, title: string])[]> {
  const { shippedWorlds } = await import('../../environments/own/shipped');
  return [...shippedWorlds].map(([name, text]) => [name, titleIn(text) + drawingIn(text)] as const);
}

/** Names and titles of the lab's worlds that are said in English. */
export async function spokenTitles(): Promise<(readonly [name: string, title: string])[]> {
  const { spokenWorlds } = await import('../../environments/own/text/spokenFile');
  return [...spokenWorlds];
}

/** The experiment in this world alone, named after it, with those settings that it has. The world is open. */
export function inWorld(experiment: Experiment, world: string, chosen: EnvironmentSettings = {}): Experiment {
  const definition = definitionFor('own', { [WORLD_KEY]: world });
  const isKnown = ([key]: [string, unknown]): boolean => definition?.settings.some((one) => one.key === key) === true;
  const settings = Object.fromEntries(Object.entries(chosen).filter(isKnown));
  return {
    ...experiment,
    title: definition?.title ?? experiment.title,
    policy: policyFor(experiment, definition?.isText === true),
    environment: { id: 'own', settings: { [WORLD_KEY]: world, ...settings } },
  };
}

/** Policies that begin from a language model where the world is of texts, and from noise where it has words of its own. */
function policyFor({ policy }: Experiment, isText: boolean): Experiment['policy'] {
  if (isText === (policy.model !== 'noise')) return policy;
  return isText ? { ...policy, model: forTexts.policy.model } : { ...policy, model: 'noise', adapterRank: 0 };
}

/** Experiment in a world, once that is open. `host` gives the experiment: it may be another by then. */
export async function openedInWorld(
  host: () => Experiment,
  world: string,
  chosen: EnvironmentSettings = {},
): Promise<Experiment> {
  await openWorld(world);
  await openWorldsOf(inWorld(host(), world, chosen));
  return inWorld(host(), world, chosen);
}

/** Puts such a world into the experiment: a text, or `@` and the name of one of the lab's. */
export async function chooseOneFile({ store, editor }: Pick<Lab, 'store' | 'editor'>, world: string): Promise<void> {
  editor.edit(newlyExamined(await openedInWorld(() => store.getState().edited, world)));
}
