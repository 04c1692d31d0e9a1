/**
 * Worlds in one file in the thread that imports this: Workers and commands, which may be held up. The page must not import it, and a
 * test holds it to that (test/layers.test.ts). The sandbox is loaded when one is first needed.
 */
import { withInstances } from '../instances';
import { hostWorlds, isOwnModel, MODEL_KEY, openWorld, type WorldHost } from './own';

async function load(): Promise<WorldHost> {
  const [{ ownWorld, fileOf }, { textFor }, { openQuickJs, isQuickJsOpen }, { openTokenizers, isTokenizerOpen }] =
    await Promise.all([import('./world'), import('./shipped'), import('./sandbox'), import('./tokenizers')]);
  let isRead = false;
  return {
    async open() {
      // Again where a text has broken the one that was there.
      await Promise.all([openQuickJs(), openTokenizers()]);
      isRead = true;
    },
    isOpen: (_, { [MODEL_KEY]: model }) =>
      isRead && isQuickJsOpen() && (!isOwnModel(model) || isTokenizerOpen(String(model))),
    fileOf: (world) => (isQuickJsOpen() ? fileOf(textFor(world)) : null),
    make(world, settings) {
      const text = textFor(world);
      return withInstances(fileOf(text), settings, (own) => ownWorld(text, own));
    },
  };
}

hostWorlds(load);

/** Loads the sandbox; every world can be made then. */
export const openWorlds = (): Promise<void> => openWorld('');
