/**
 * A world in one file, written by whoever wants to: its text is a setting, and the rest of its settings are its own
 * (docs/worlds.md). The sandbox that it runs in is loaded when one is first needed: `openWorlds` before `create`.
 */
import { LabError } from '../../foundation/errors';
import type { EnvironmentDefinition } from '../environment';
import { withInstances } from '../instances';

/** Key of the setting that is the world's text, or `@` and the name of one that comes with the lab. */
export const WORLD_KEY = 'world';

export { LONGEST_WORLD } from './limits';

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
    if (made === null || !made.isQuickJsOpen()) {
      const advice = 'Wait until it is loaded.';
      throw new LabError('invalid-world', 'The sandbox that worlds run in is not loaded yet.', advice);
    }
    const { ownWorld, textFor, fileOf } = made;
    const world = textFor(text);
    return withInstances(fileOf(world), settings, (own) => ownWorld(world, own));
  },
  describe({ [WORLD_KEY]: text }) {
    if (typeof text !== 'string' || made === null) return null;
    try {
      return made.fileOf(made.textFor(text));
    } catch {
      // Said when the world is made.
      return null;
    }
  },
};

/** Functions that are loaded with the sandbox; null before. */
let made:
  | (Pick<typeof import('./world'), 'ownWorld' | 'fileOf'> &
      Pick<typeof import('./shipped'), 'textFor'> &
      Pick<typeof import('./sandbox'), 'isQuickJsOpen'>)
  | null = null;

/** Loads the sandbox. Needed before an experiment with a world of one's own is checked or trained; cheap when it is there. */
export async function openWorlds(): Promise<void> {
  const [{ ownWorld, fileOf }, { textFor }, { openQuickJs, isQuickJsOpen }] = await Promise.all([
    import('./world'),
    import('./shipped'),
    import('./sandbox'),
  ]);
  await openQuickJs();
  made = { ownWorld, fileOf, textFor, isQuickJsOpen };
}

/** True while worlds can be made. */
export const areWorldsOpen = (): boolean => made?.isQuickJsOpen() === true;
