import { useStore } from 'zustand';
import type { InspectorState } from '../../store/look/inspector';
import { useLab } from './useLab';

export function useInspector<T>(select: (state: InspectorState) => T): T {
  return useStore(useLab().inspector.store, select);
}
