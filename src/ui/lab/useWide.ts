/** True if the window has room for the lab's three columns; app.css has the same number. */
import { useSyncExternalStore } from 'react';

const wide = () => matchMedia('(min-width: 1200px)');

export const useWide = (): boolean => useSyncExternalStore(listen, () => wide().matches);

function listen(changed: () => void): () => void {
  const media = wide();
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
}
