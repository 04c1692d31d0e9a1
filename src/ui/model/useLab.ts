/** The stores as hooks. Components select the little they show, so that numbers moving elsewhere do not redraw them. */
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { SpeedState } from '../../store/desk/speed';
import type { KeptRunsState } from '../../store/keep/keptRuns';
import type { Preferences } from '../../store/keep/preferences';
import type { LabState } from '../../store/lab';
import type { Playback } from '../../store/look/playback';
import type { Lab } from '../../store/openLab';

export const LabContext = createContext<Lab | null>(null);

export function useLab(): Lab {
  const lab = useContext(LabContext);
  if (lab === null) throw new Error('A component was drawn outside of the lab.');
  return lab;
}

export function useLabState<T>(select: (state: LabState) => T): T {
  return useStore(useLab().store, select);
}

/** Parts of the lab's state by name; drawn again where one of them is another. */
export function useLabParts<K extends keyof LabState>(...names: readonly K[]): Pick<LabState, K> {
  const pick = (state: LabState) => Object.fromEntries(names.map((name) => [name, state[name]])) as Pick<LabState, K>;
  return useStore(useLab().store, useShallow(pick));
}

export function usePreferences<T>(select: (state: Preferences) => T): T {
  return useStore(useLab().preferences, select);
}

export function useKeptRuns<T>(select: (state: KeptRunsState) => T): T {
  return useStore(useLab().kept.store, select);
}

export function useSpeed<T>(select: (state: SpeedState) => T): T {
  return useStore(useLab().speed.store, select);
}

export function usePlayback<T>(select: (state: Playback) => T): T {
  return useStore(useLab().playback, select);
}
