/** The arm that controls concern, or all arms: one choice, for the lab's live numbers and the settings alike. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useLabState } from '../useLab';
import { EVERY } from './ArmControl';

const store = createStore(() => ({ scope: EVERY }));

/** The chosen arm's id; EVERY where all are chosen, or the chosen one was removed. */
export function useScope(): [scope: string, choose: (scope: string) => void] {
  const chosen = useStore(store, ({ scope }) => scope);
  const isThere = useLabState(({ edited }) => edited.arms.some(({ id }) => id === chosen));
  return [isThere ? chosen : EVERY, (scope) => store.setState({ scope })];
}
