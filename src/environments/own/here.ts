/**
 * Worlds in one file in the thread that imports this: Workers and commands, which may be held up. The page must not import it, and a
 * test holds it to that (test/layers.test.ts). The sandbox is loaded when one is first needed.
 */
import { hostWorlds, isOwnModel, MODEL_KEY, openWorld, type WorldHost } from './own';

async function load(): Promise<WorldHost> {
  const [{ makeWorld, describeWorld }, { openQuickJs, isQuickJsOpen }, { openTokenizers, isTokenizerOpen }] =
    await Promise.all([import('./named'), import('./sandbox'), import('./text/tokenizers')]);
  let isRead = false;
  return {
    async open() {
      // Again where a text has broken the one that was there.
      await Promise.all([openQuickJs(), openTokenizers()]);
      isRead = true;
    },
    isOpen: (_, { [MODEL_KEY]: model }) =>
      isRead && isQuickJsOpen() && (!isOwnModel(model) || isTokenizerOpen(String(model))),
    fileOf: (world) => (isQuickJsOpen() ? describeWorld(world) : null),
    make: makeWorld,
  };
}

hostWorlds(load);

/** Loads the sandbox; every world can be made then. */
export const openWorlds = (): Promise<void> => openWorld('');
