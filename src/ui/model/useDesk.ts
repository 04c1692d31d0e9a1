import { useStore } from 'zustand';
import type { DeskState, FormulaDraft } from '../../store/desk/formulaDesk';
import { useLab, useLabState } from './useLab';

export function useDesk<T>(select: (state: DeskState) => T): T {
  return useStore(useLab().desk.store, select);
}

/** True if the arm has the loss of the draft, unchanged. */
export const useIsApplied = ({ arm, loss }: FormulaDraft): boolean =>
  useLabState(({ edited }) => {
    const has = edited.arms.find(({ id }) => id === arm)?.losses.find(({ name }) => name === loss.name);
    return has !== undefined && JSON.stringify(has) === JSON.stringify(loss);
  });
