/**
 * What draws a chart, loaded apart from the page when the first of them comes on screen. A chart that is lazy in React's way
 * would be drawn in the same task as all others that wait for the same code.
 */
import { useSyncExternalStore } from 'react';

export interface Later<T> {
  load(): Promise<T>;
  /** Null until it was loaded. */
  use(): T | null;
}

export function later<T>(fetch: () => Promise<T>): Later<T> {
  let loaded: T | null = null;
  let loading: Promise<T> | null = null;
  const listeners = new Set<() => void>();
  const listen = (changed: () => void) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  };
  return {
    load: () => {
      loading ??= fetch().then((value) => {
        loaded = value;
        for (const listener of listeners) listener();
        return value;
      });
      return loading;
    },
    use: () => useSyncExternalStore(listen, () => loaded),
  };
}
