import { useStore } from 'zustand';
import type { WorldDesk } from '../../../store/worldDesk';
import type { WorldDeskState } from '../../../store/worldDeskState';

export function useWorldDesk<T>(desk: WorldDesk, select: (state: WorldDeskState) => T): T {
  return useStore(desk.store, select);
}
