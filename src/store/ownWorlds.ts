/** Worlds that people wrote, on their way into the page: their sandbox is loaded before anything is shown of them. */
import type { EnvironmentSettings } from '../environments/environment';
import { openWorlds, WORLD_KEY } from '../environments/own/own';
import { definitionFor } from '../environments/registry';
import type { Experiment } from '../experiment/experiment';
import { decodeLink } from '../experiment/link';
import { isOfOwnWorld, namesWorld } from '../experiment/ownWorld';
import { asLabError } from '../foundation/errors';
import { savedText } from './arrival';
import { nextTask } from './slices';

/** Sandbox for the experiment that the page opens with; null where it needs none. */
export function worldsForPage(fragment: string): Promise<void> | null {
  return fragment.length > 1 ? worldsForLink(fragment) : namesWorld(savedText()) ? openWorlds() : null;
}

/** The same for a link. */
export function worldsForLink(fragment: string): Promise<void> | null {
  try {
    return isOfOwnWorld(decodeLink(fragment).environment) ? openWorlds() : null;
  } catch {
    // A mistake in the link is said when it is opened.
    return null;
  }
}

/** A world as people choose it: its text or name, and what it says of itself. */
export interface OneFileWorld {
  readonly world: string;
  readonly title: string;
  readonly summary: string;
}

/** What worlds say of themselves, each read in a task of its own; without those that cannot be read. */
export async function describeWorlds(worlds: readonly string[]): Promise<OneFileWorld[]> {
  if (worlds.length === 0) return [];
  try {
    await openWorlds();
  } catch (cause) {
    return [{ world: '', title: 'They cannot be read', summary: asLabError(cause).message }];
  }
  const described: OneFileWorld[] = [];
  for (const world of worlds) {
    await nextTask();
    const definition = definitionFor('own', { [WORLD_KEY]: world });
    if (definition === undefined) continue;
    const { title, summary } = definition;
    described.push({ world, title, summary });
  }
  return described;
}

/** The experiment in this world alone, named after it, with those settings that it has. The sandbox is open. */
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
