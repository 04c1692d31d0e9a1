import { useStore } from 'zustand';
import type { WorldDesk, WorldDeskState } from '../../../store/worldDesk';

export function useWorldDesk<T>(desk: WorldDesk, select: (state: WorldDeskState) => T): T {
  return useStore(desk.store, select);
}
