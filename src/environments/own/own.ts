/**
 * A world in one file, written by a user: its text is a setting, and the rest of its settings are its own
 * (docs/worlds.md). A host makes the world of a text: here.ts runs it in this thread, and the page, which runs no foreign text, asks
 * a Worker (store/desk/foreignWorlds.ts).
 */
import { once } from '../../foundation/apart';
import { LabError } from '../../foundation/errors';
import type { Environment, EnvironmentDefinition, EnvironmentSettings } from '../environment';
import type { FileDescription } from './described';

/** Key of the setting that is the world's text, or `@` and the name of one that comes with the lab. */
export const WORLD_KEY = 'world';

/** Key of the setting that names the model whose tokenizer reads a world of texts; left out it is the lab's own. */
export const MODEL_KEY = 'model';

/** True for the SHA-256 by which a language model of the reader's own is known. */
export const isOwnModel = (model: unknown): boolean => typeof model === 'string' && /^[0-9a-f]{64}$/.test(model);

export { LONGEST_WORLD } from './limits';

/** Worlds as a thread knows them. `world` is the setting; `settings` are the others, those that are left out have their defaults. */
export interface WorldHost {
  /** Resolves when the world can be made, or refused with the reason. Rejects where the sandbox does not come. */
  open(world: string, settings: EnvironmentSettings): Promise<void>;
  isOpen(world: string, settings: EnvironmentSettings): boolean;
  /** Description of a world; null where it is not known yet. Throws LabError. */
  fileOf(world: string): FileDescription | null;
  /** The world is open. Throws LabError. */
  make(world: string, settings: EnvironmentSettings): Environment;
}

let load: (() => Promise<WorldHost>) | null = null;
/** Host of users' worlds in this thread; null until the first world is opened. */
let host: WorldHost | null = null;

/** Sets the host that makes the worlds of this thread; it is loaded when the first is opened. */
export function hostWorlds(by: () => Promise<WorldHost>): void {
  load = once(by);
  host = null;
}

const KEY = /^[a-z][A-Za-z0-9]{0,23}$/;

export const own: EnvironmentDefinition = {
  id: 'own',
  title: 'A world of one’s own',
  summary: 'Do what a world asks that somebody wrote in one file.',
  settings: [],
  isFurther: (key) => KEY.test(key),
  create({ [WORLD_KEY]: text, ...settings }) {
    if (typeof text !== 'string' || text === '') {
      throw new LabError('invalid-experiment', 'There is no text of a world.', 'Give one: lab run --world FILE.');
    }
    if (host?.isOpen(text, settings) === true) return host.make(text, settings);
    const { [MODEL_KEY]: model } = settings;
    if (isOwnModel(model)) {
      const what = `The language model ${String(model).slice(0, 12)}…, which reads this world, is not open here.`;
      throw new LabError('missing-policy', what, 'Open its folder, on the command line by --model DIR.');
    }
    const advice = 'Wait until it is loaded.';
    throw new LabError('invalid-world', 'The sandbox that worlds run in is not loaded yet.', advice);
  },
  describe({ [WORLD_KEY]: text }) {
    try {
      return typeof text === 'string' ? (host?.fileOf(text) ?? null) : null;
    } catch {
      // The making of the world says what is wrong.
      return null;
    }
  },
};

/** Await it before an experiment with this world is checked or trained; cheap when it is open. */
export async function openWorld(world: string, settings: EnvironmentSettings = {}): Promise<void> {
  if (load === null) throw new LabError('internal', 'This thread has no worlds in one file.', 'Report it.');
  host = await load();
  await host.open(world, settings);
}

/** True while a world can be made, or refused with the reason. */
export const isWorldOpen = (world: string, settings: EnvironmentSettings = {}): boolean =>
  host?.isOpen(world, settings) === true;
