/** The door of worlds: one episode at a time, in words. */
import type { EnvironmentSettings, Split } from '../environments/environment';
import { checkWorld, type WorldCheck } from '../environments/own/examine/check';
import { openWorlds } from '../environments/own/here';
import { WORLD_KEY } from '../environments/own/own';
import { findEnvironment } from '../environments/registry';
import { freely, inWords, labWorld } from '../environments/served/labWorld';
import { settledExperiment } from '../experiment/link/subject';
import { parseExperiment } from '../experiment/parse';
import { firstPreset } from '../experiment/presets/presets';
import { LabError, reasonOf } from '../foundation/errors';
import { fragmentOf } from './subject';

export interface World {
  readonly id: string;
  readonly title: string;
  /** The agent’s task in one sentence. */
  readonly summary: string;
  readonly settings: EnvironmentSettings;
  /** Words of actions and observations; the first two mark padding and the beginning. */
  readonly words: readonly string[];
  /** Turns after which an episode ends. */
  readonly turns: number;
  /** Success rate of random legal actions; null where it is not known. */
  readonly randomSuccess: number | null;
  /** Begins an episode. The seed is the task: the same seed, the same episode. `split`: tasks of training, or held-out ones. */
  reset(seed?: number, split?: Split): Turn;
  /** Plays an action: its words, or a language model’s answer that has them. */
  step(action: string): Turn;
  /** Faults and merits of a world in one file, in sentences; nothing for the lab’s own worlds. */
  check(episodes?: number): readonly WorldCheck[];
}

/** Answer of a world. */
export interface Turn {
  readonly text: string;
  /** Words that are legal next; none in a world of texts, which takes any. */
  readonly legal: readonly string[];
  /** Reward of this action. */
  readonly reward: number;
  readonly done: boolean;
  readonly success: boolean;
}

export async function worldOf(what: string, given: EnvironmentSettings): Promise<World> {
  const place = await placeOf(what, given);
  const world = inWords(place.id, place.settings);
  const { environment, ...about } = world;
  const episodes = labWorld(world).create();
  /** Asks the world; its refusals are errors with advice. */
  const ask = (answer: () => ReturnType<typeof episodes.step>): Turn => {
    try {
      const { observation, reward, done } = answer() as Exclude<ReturnType<typeof episodes.step>, Promise<unknown>>;
      const { text, legal_actions: legal } = observation as { text: string; legal_actions: readonly string[] };
      return { text, legal, reward: Number(reward), done, success: episodes.state().success === true };
    } catch (cause) {
      if (cause instanceof LabError) throw cause;
      throw new LabError(
        'invalid-world',
        `${reasonOf(cause)}.`,
        'Begin an episode with reset, and end it when it is done.',
      );
    }
  };
  return {
    ...about,
    settings: place.settings,
    words: environment.words,
    turns: environment.maxTurns,
    randomSuccess: environment.randomSuccess,
    reset: (seed = 0, split = 'train') => ask(() => episodes.reset(seed, null, { split, legal_actions: true })),
    step: (action) => ask(() => episodes.step({ text: action }, {})),
    check(count = 1000) {
      const { [WORLD_KEY]: text, ...settings } = place.settings;
      if (place.id !== 'own' || typeof text !== 'string') return [];
      const looking = checkWorld(text, settings, count);
      for (let step = looking.next(); ; step = looking.next()) if (step.done) return step.value.checks;
    },
  };
}

async function placeOf(what: string, given: EnvironmentSettings) {
  const definition = findEnvironment(what);
  if (definition === undefined && !what.includes('\n')) {
    const sets = Object.entries(given).map(([key, value]) => `environment.${key}=${value}`);
    return (await settledExperiment(fragmentOf(what), sets, undefined, 'Setting')).environment;
  }
  if (definition === undefined) await openWorlds();
  const environment =
    definition === undefined
      ? { id: 'own', settings: { [WORLD_KEY]: what, ...given } }
      : { id: definition.id, settings: { ...freely(definition), ...given } };
  return parseExperiment({ ...firstPreset.experiment, environment }).environment;
}
