/** Which light is explained: one at a time, the last that was pointed at or took the focus. */
import { create } from 'zustand';

const useTold = create<{ readonly light: string | null }>(() => ({ light: null }));

/** Whether this one is, and a way to begin and end it. */
export function useExplained(light: string): readonly [boolean, (isExplained: boolean) => void] {
  const isExplained = useTold((told) => told.light === light);
  const explain = (now: boolean): void =>
    useTold.setState((told) => (now ? { light } : told.light === light ? { light: null } : told));
  return [isExplained, explain];
}
