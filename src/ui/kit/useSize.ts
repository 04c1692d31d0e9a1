/** Present size of an element in whole pixels; 0 before it is laid out. */
import { type RefObject, useLayoutEffect, useState } from 'react';

export function useSize(element: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
  const [width, setWidth] = useState(0);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => {
      setWidth(Math.round(current.clientWidth));
      setHeight(Math.round(current.clientHeight));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return { width, height };
}
