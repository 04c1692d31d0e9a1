/**
 * Worlds in one file in the thread that imports this: Workers and commands, which may be held up. The page must not import it, and a
 * test holds it to that (test/layers.test.ts). The sandbox is loaded when one is first needed.
 */
import { LabError } from '../../foundation/errors';
import { withInstances } from '../instances';
import { hostWorlds } from './own';

type Sandbox = Pick<typeof import('./world'), 'ownWorld' | 'fileOf'> &
  Pick<typeof import('./shipped'), 'textFor'> &
  Pick<typeof import('./sandbox'), 'isQuickJsOpen'>;

/** null before it is loaded. */
let sandbox: Sandbox | null = null;

/** Loads the sandbox; again where a text has broken the one that was there. */
export async function openWorlds(): Promise<void> {
  const [{ ownWorld, fileOf }, { textFor }, { openQuickJs, isQuickJsOpen }] = await Promise.all([
    import('./world'),
    import('./shipped'),
    import('./sandbox'),
  ]);
  await openQuickJs();
  sandbox = { ownWorld, fileOf, textFor, isQuickJsOpen };
}

const isOpen = (): boolean => sandbox?.isQuickJsOpen() === true;

function opened(): Sandbox {
  if (sandbox !== null) return sandbox;
  throw new LabError('internal', 'The sandbox of worlds is not loaded.', 'Report it.');
}

hostWorlds({
  open: openWorlds,
  isOpen,
  fileOf: (world) => (isOpen() ? opened().fileOf(opened().textFor(world)) : null),
  make(world, settings) {
    const { ownWorld, textFor, fileOf } = opened();
    const text = textFor(world);
    return withInstances(fileOf(text), settings, (own) => ownWorld(text, own));
  },
});
