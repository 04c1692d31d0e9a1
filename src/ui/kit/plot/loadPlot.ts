/**
 * The drawing of charts, loaded apart from the page when the first of them comes on screen. A chart that is lazy in React's
 * way would be drawn in the same task as all others that wait for the same code.
 */
import { useSyncExternalStore } from 'react';

type Plot = typeof import('./Plot').Plot;

let plot: Plot | null = null;
let loading: Promise<Plot> | null = null;
const listeners = new Set<() => void>();

export function loadPlot(): Promise<Plot> {
  loading ??= import('./Plot').then((module) => {
    plot = module.Plot;
    for (const listener of listeners) listener();
    return plot;
  });
  return loading;
}

/** Null until it was loaded. */
export function usePlot(): Plot | null {
  return useSyncExternalStore(listen, () => plot);
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
