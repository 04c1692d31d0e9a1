/** Room of the window, in steps of its width (app.css has the same numbers), and whether it may move. */
import { useCallback, useSyncExternalStore } from 'react';

/** True if it has room for the lab's three columns. */
export const useWide = (): boolean => useMedia('(min-width: 1200px)');

/** True on a phone, where one column is all there is. */
export const usePhone = (): boolean => useMedia('(max-width: 600px)');

/** True where motion is unwelcome. */
export const useReducedMotion = (): boolean => useMedia('(prefers-reduced-motion: reduce)');

function useMedia(query: string): boolean {
  const listen = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(listen, () => matchMedia(query).matches);
}
