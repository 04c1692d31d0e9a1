/** Worlds that people wrote, on their way into the page: their sandbox is loaded before anything is shown of them. */
import { openWorlds } from '../environments/own/own';
import { decodeLink } from '../experiment/link';
import { isOfOwnWorld, namesWorld } from '../experiment/ownWorld';
import { savedText } from './arrival';

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
