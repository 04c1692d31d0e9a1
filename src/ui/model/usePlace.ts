/** The place that is shown: where the address leads, or the lab where the link hides that. */
import { useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { here, isHidden, type PlaceId } from './place';
import { policiesRequest } from './policies/openPolicies';
import { useLabState } from './useLab';

export function usePlace(): { readonly place: PlaceId; readonly name: string } {
  const hidden = useLabState((state) => state.hidden);
  const isAsked = useStore(policiesRequest, (state) => state.isAsked);
  const [place = 'lab', ...names] = useSyncExternalStore(listen, () => here(hidden)).split('/') as [
    PlaceId,
    ...string[],
  ];
  const isLeftOut = isHidden(place, hidden) && !(isAsked && place === 'policies');
  return isLeftOut ? { place: 'lab', name: '' } : { place, name: names.join('/') };
}

function listen(changed: () => void): () => void {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}
