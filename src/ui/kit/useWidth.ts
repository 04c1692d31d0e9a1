/** Width of an element in whole pixels, as it is now; 0 before it is laid out. */
import { type RefObject, useLayoutEffect, useState } from 'react';

export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.round(current.clientWidth)));
    observer.observe(current);
    setWidth(Math.round(current.clientWidth));
    return () => observer.disconnect();
  }, [element]);
  return width;
}
