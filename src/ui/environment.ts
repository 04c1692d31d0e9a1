/** The environment of an experiment, for its words and reference values; null while its settings contradict each other. */
import type { Environment } from '../environments/environment';
import { findEnvironment } from '../environments/registry';
import { composeVocabulary } from '../environments/vocabulary';
import type { Experiment } from '../experiment/experiment';
import { isMakeable, openWorldsOf } from '../experiment/ownWorld';

export interface World {
  readonly environment: Environment;
  readonly words: readonly string[];
}

/** One world for each experiment's settings, which are never changed in place: some of what it tells takes a while to compute. */
const worlds = new WeakMap<Experiment['environment']['settings'], World | null>();

export function worldOf({ id, settings }: Experiment['environment']): World | null {
  const known = worlds.get(settings);
  if (known !== undefined) return known;
  if (!isMakeable({ id, settings })) {
    // Shown from the next drawing on; without the sandbox the page says so when it trains.
    openWorldsOf({ environment: { id, settings } }).catch(() => {});
    return null;
  }
  const world = createWorld(id, settings);
  worlds.set(settings, world);
  return world;
}

/** Number of a world's words, and up to how many the policy's vocabulary is filled. */
export const countedWords = (own: number, padded: number): string =>
  own === padded ? `${own} words` : `${own} words (padded to ${padded})`;

function createWorld(id: string, settings: Experiment['environment']['settings']): World | null {
  try {
    const environment = findEnvironment(id)?.create(settings);
    if (environment === undefined) return null;
    return { environment, words: composeVocabulary([environment.words]).words };
  } catch {
    return null;
  }
}
