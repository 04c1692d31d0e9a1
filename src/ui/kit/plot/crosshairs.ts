/** Place of the crosshair on the horizontal axis of plots that share it, by the name they share. */
import { useSyncExternalStore } from 'react';

const places = new Map<string, number>();
const listeners = new Set<() => void>();

export function pointAt(name: string, at: number | null): void {
  if (at === null) places.delete(name);
  else places.set(name, at);
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePointed = (name: string): number | null => useSyncExternalStore(listen, () => places.get(name) ?? null);
