import type { Hideable } from '../../experiment/link/hidden';
import { useLabState } from './useLab';

/** True if the link that brought the experiment hides this part of the page. */
export function useHidden(part: Hideable): boolean {
  return useLabState((state) => state.hidden.includes(part));
}
