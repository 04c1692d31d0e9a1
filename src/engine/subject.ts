/** Name, link or experiment given by a caller, as the fragment of a link. */
import type { Experiment } from '../experiment/experiment';
import { fragmentOfJson, namedFragment, unknownSubject } from '../experiment/link/subject';

/**
 * Fragment of the experiment that a caller names. Throws LabError for a text that is neither a preset nor a link, and for an
 * object that is no experiment.
 */
export function fragmentOf(what: string | Experiment): string {
  if (typeof what !== 'string') return fragmentOfJson(what);
  const fragment = namedFragment(what);
  if (fragment === null) throw unknownSubject(what, 'neither a preset nor a link');
  return fragment;
}
