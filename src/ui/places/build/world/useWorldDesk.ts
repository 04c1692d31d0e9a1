import { useStore } from 'zustand';
import type { WorldDesk } from '../../../../store/desk/worldDesk';
import type { WorldDeskState } from '../../../../store/desk/worldDeskState';

export function useWorldDesk<T>(desk: WorldDesk, select: (state: WorldDeskState) => T): T {
  return useStore(desk.store, select);
}
