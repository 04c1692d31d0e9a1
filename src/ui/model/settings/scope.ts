/** The arm that controls concern, or all arms: one choice, for the lab's live numbers and the settings alike. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useLabState } from '../useLab';
import { EVERY } from './ArmControl';

const store = createStore(() => ({ scope: EVERY }));

/** An arm's id, or EVERY; an arm that is gone leaves all. */
export function useScope(): [scope: string, choose: (scope: string) => void] {
  const chosen = useStore(store, ({ scope }) => scope);
  const isThere = useLabState(({ edited }) => edited.arms.some(({ id }) => id === chosen));
  return [isThere ? chosen : EVERY, (scope) => store.setState({ scope })];
}
