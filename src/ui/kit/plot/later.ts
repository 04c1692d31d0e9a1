/**
 * Code that draws charts, loaded apart from the page when the first chart comes on screen. A chart that is lazy in
 * React's way would be drawn in the same task as all others that wait for the same code.
 */
import { useSyncExternalStore } from 'react';
import { apart, once } from '../../../foundation/apart';
import { reportMissing } from '../missing';

export interface Later<T> {
  load(): Promise<T>;
  /** The loaded part; null until then. */
  use(): T | null;
}

/** `what`: the part, as a sentence begins. Where it does not arrive, a message says so, and those who wait go on waiting. */
export function later<T>(what: string, fetch: () => Promise<T>): Later<T> {
  let loaded: T | null = null;
  const listeners = new Set<() => void>();
  const listen = (changed: () => void) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  };
  const get = apart(fetch);
  const untilThere = async (): Promise<T> => {
    for (;;) {
      try {
        return await get();
      } catch (cause) {
        await new Promise<void>((again) => {
          const forget = reportMissing(what, cause, () => {
            forget();
            again();
          });
        });
      }
    }
  };
  return {
    load: once(async () => {
      loaded = await untilThere();
      for (const listener of listeners) listener();
      return loaded;
    }),
    use: () => useSyncExternalStore(listen, () => loaded),
  };
}
