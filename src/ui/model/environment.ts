/** The environment of an experiment, for its words and reference values; null while its settings contradict each other. */
import { useEffect, useState } from 'react';
import type { Environment } from '../../environments/environment';
import { findEnvironment } from '../../environments/registry';
import { composeVocabulary } from '../../environments/vocabulary';
import type { Experiment } from '../../experiment/experiment';
import { isMakeable, openWorldsOf, textOf } from '../../experiment/ownWorld';

export interface ExperimentWorld {
  readonly environment: Environment;
  readonly words: readonly string[];
}

/** One world for each experiment's settings, which are never changed in place: some of what it tells takes a while to compute. */
const worlds = new WeakMap<Experiment['environment']['settings'], ExperimentWorld | null>();
/** Users' worlds by their text, with the settings they last had: on screen until the Worker tells of other settings. */
const before = new Map<string, ExperimentWorld | null>();
const MOST_BEFORE = 8;

export function worldOf({ id, settings }: Experiment['environment']): ExperimentWorld | null {
  const known = worlds.get(settings);
  if (known !== undefined) return known;
  const text = textOf(settings);
  const name = text === undefined ? null : `${id} ${text}`;
  if (!isMakeable({ id, settings })) {
    // Shown from the next drawing on; without the sandbox the page says so when it trains.
    openWorldsOf({ environment: { id, settings } }).catch(() => {});
    return before.get(name ?? '') ?? null;
  }
  const world = createWorld(id, settings);
  worlds.set(settings, world);
  if (name !== null) remember(name, world);
  return world;
}

function remember(name: string, world: ExperimentWorld | null): void {
  const [oldest] = before.keys();
  if (before.size >= MOST_BEFORE && oldest !== undefined) before.delete(oldest);
  before.set(name, world);
}

/** The world as a hook: the component is drawn again once another thread has described the world. */
export function useWorld(place: Experiment['environment']): ExperimentWorld | null {
  const [, setOpened] = useState<unknown>(null);
  useEffect(() => {
    let isWanted = !isMakeable(place);
    if (!isWanted) return;
    const open = () => isWanted && setOpened(place);
    // An error is told where the world is chosen.
    openWorldsOf({ environment: place }).then(open, () => {});
    return () => {
      isWanted = false;
    };
  }, [place]);
  return worldOf(place);
}

function createWorld(id: string, settings: Experiment['environment']['settings']): ExperimentWorld | null {
  try {
    const environment = findEnvironment(id)?.create(settings);
    if (environment === undefined) return null;
    return { environment, words: composeVocabulary([environment.words]).words };
  } catch {
    return null;
  }
}
