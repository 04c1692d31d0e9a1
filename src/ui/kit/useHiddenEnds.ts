/** A row that one swipes, which fades where it goes on: with class `fading`, and these as `data-left` and `data-right`. */
import { type RefObject, useEffect, useState } from 'react';

/** Pixels that are no end: links have a margin. */
const MARGIN = 8;

/** Sides to which a row goes on beyond its visible part. */
export function useHiddenEnds(row: RefObject<HTMLElement | null>): { left: boolean; right: boolean } {
  const [ends, setEnds] = useState({ left: false, right: false });
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    const look = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      const now = { left: scrollLeft > MARGIN, right: scrollLeft + clientWidth < scrollWidth - MARGIN };
      setEnds((before) => (before.left === now.left && before.right === now.right ? before : now));
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [row]);
  return ends;
}
