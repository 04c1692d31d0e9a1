/** A finger leaves no pointer behind: the crosshair goes a while after it was lifted, or it would cover the chart for good. */
import { useEffect } from 'react';

/** Milliseconds to read the numbers in. */
const READING = 4000;

export function useLetGo(frame: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const lift = () => {
      clearTimeout(timer);
      timer = setTimeout(() => leave(current), READING);
    };
    current.addEventListener('touchend', lift);
    return () => {
      clearTimeout(timer);
      current.removeEventListener('touchend', lift);
    };
  }, [frame]);
}

/** Leaves the frame, like a mouse. */
function leave(frame: HTMLElement): void {
  const left = new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body });
  frame.querySelector('.plot')?.dispatchEvent(left);
}
