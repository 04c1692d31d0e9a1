/** The light that is explained: one at a time. Pointing at it or focusing it tells in passing, a press holds what is told. */
import { create } from 'zustand';

export type Telling = 'none' | 'passing' | 'held';

export interface LightExplanation {
  readonly light: string | null;
  readonly telling: Telling;
}

/** The explanation once a light asks for more, or for no more. In passing nothing takes the place of what is held. */
export function toldAfter(told: LightExplanation, light: string, telling: Telling): LightExplanation {
  if (telling === 'none') return told.light === light ? { light: null, telling } : told;
  return telling === 'passing' && told.telling === 'held' ? told : { light, telling };
}

const useTold = create<LightExplanation>(() => ({ light: null, telling: 'none' }));

/** State of this light's explanation, and a way to change it. */
export function useExplained(light: string): readonly [Telling, (telling: Telling) => void] {
  const telling = useTold((told) => (told.light === light ? told.telling : 'none'));
  return [telling, (now) => useTold.setState((told) => toldAfter(told, light, now))];
}
