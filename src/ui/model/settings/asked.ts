/** The setting that an address asks for: `#settings/gspo/objective` an arm's, `#settings/batch.groupSize` one of all arms. */
import { useEffect } from 'react';
import { useLabState } from '../useLab';
import { usePlace } from '../usePlace';
import { EVERY } from './ArmControl';
import { useScope } from './scope';

interface Asked {
  /** An arm's id, or EVERY. */
  readonly arm: string;
  readonly path: string;
}

/** Setting that the address asks for; null where it names none. */
export function useAsked(): Asked | null {
  const { place, name } = usePlace();
  if (place !== 'settings' || name === '') return null;
  const [path = '', arm = EVERY] = name.split('/').reverse();
  return { arm, path };
}

/** Shows the control that was asked for once its arm is there: it comes into view with the focus. */
export function useShowsAsked(): void {
  const asked = useAsked();
  const [, setScope] = useScope();
  const { arm = EVERY, path = '' } = asked ?? {};
  const isThere = useLabState(({ edited }) => arm === EVERY || edited.arms.some(({ id }) => id === arm));
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is shown when it is asked for, not whenever the scope changes
  useEffect(() => {
    if (path === '' || !isThere) return;
    if (arm !== EVERY) setScope(arm);
    const control = path === 'objective' ? `objective-of-${arm}` : `setting-${path}`;
    // After the place's heading took the focus, and the controls of the arm are drawn.
    const frame = requestAnimationFrame(() => {
      const found = document.querySelector<HTMLElement>(`[data-testid="${CSS.escape(control)}"]`);
      found?.focus({ preventScroll: true });
      found?.scrollIntoView({ block: 'center' });
    });
    return () => cancelAnimationFrame(frame);
  }, [arm, path, isThere]);
}
