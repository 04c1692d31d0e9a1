/** Worlds in one file as people choose them: what they say of themselves, and their way into the experiment. */
import type { Environment, EnvironmentDefinition, EnvironmentSettings } from '../../environments/environment';
import { openWorld, WORLD_KEY } from '../../environments/own/own';
import { definitionFor } from '../../environments/registry';
import { newlyExamined } from '../../experiment/examination';
import type { Experiment } from '../../experiment/experiment';
import { openWorldsOf } from '../../experiment/ownWorld';
import { asLabError } from '../../foundation/errors';
import type { Lab } from '../openLab';

/** A world as people choose it: its text or name, and what it says of itself. */
export interface OneFileWorld {
  readonly world: string;
  readonly title: string;
  readonly summary: string;
  /** The world with its default settings; null where they make none. */
  readonly environment: Environment | null;
}

/** Declarations of worlds; without those that cannot be read. */
export async function describeWorlds(worlds: readonly string[]): Promise<OneFileWorld[]> {
  const described: OneFileWorld[] = [];
  for (const world of worlds) {
    try {
      await openWorld(world);
    } catch (cause) {
      return [{ world: '', title: 'They cannot be read', summary: asLabError(cause).message, environment: null }];
    }
    const definition = definitionFor('own', { [WORLD_KEY]: world });
    if (definition === undefined) continue;
    const { title, summary } = definition;
    described.push({ world, title, summary, environment: made(definition, { [WORLD_KEY]: world }) });
  }
  return described;
}

function made(definition: EnvironmentDefinition, settings: EnvironmentSettings): Environment | null {
  try {
    return definition.create(settings);
  } catch {
    // Said when the world is chosen.
    return null;
  }
}

/** The experiment in this world alone, named after it, with those settings that it has. The world is open. */
export function inWorld(experiment: Experiment, world: string, chosen: EnvironmentSettings = {}): Experiment {
  const definition = definitionFor('own', { [WORLD_KEY]: world });
  const isKnown = ([key]: [string, unknown]): boolean => definition?.settings.some((one) => one.key === key) === true;
  const settings = Object.fromEntries(Object.entries(chosen).filter(isKnown));
  return {
    ...experiment,
    title: definition?.title ?? experiment.title,
    environment: { id: 'own', settings: { [WORLD_KEY]: world, ...settings } },
  };
}

/** The same once the world is open. `host` gives the experiment: it may be another by then. */
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
