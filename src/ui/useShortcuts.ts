/** Space runs or pauses, S steps, / looks for a method, ? helps; never while something is being typed, pressed or chosen. */
import { useEffect } from 'react';
import { goTo, isHidden } from './model/place';
import { useLab } from './model/useLab';

const TAKES_KEYS =
  'input, select, textarea, button, summary, a[href], dialog, [role="dialog"], [contenteditable], .takes-keys';

export function useShortcuts(onHelp: () => void): void {
  const lab = useLab();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
      if (target instanceof Element && target.closest(TAKES_KEYS) !== null) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.key === '?') onHelp();
      else if (event.key === '/') {
        // Else Firefox searches in the page.
        event.preventDefault();
        if (!isHidden('methods', lab.store.getState().hidden)) goTo('methods');
      } else if (event.key === ' ') {
        event.preventDefault();
        if (lab.store.getState().phase === 'running') lab.runner.pause();
        else lab.editor.run();
      } else if (event.key === 's' || event.key === 'S') lab.editor.step();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [lab, onHelp]);
}
