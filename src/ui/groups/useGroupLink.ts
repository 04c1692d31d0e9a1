/** An address that names a part of the page, such as `#training`, leads there. */
import { useEffect } from 'react';
import type { PlaceId } from '../place';
import { goTo } from './GroupNav';
import { GROUP_AT } from './groups';

export function useGroupLink(place: PlaceId): void {
  useEffect(() => {
    const group = GROUP_AT[place];
    if (group !== undefined) goTo(group);
  }, [place]);
}
