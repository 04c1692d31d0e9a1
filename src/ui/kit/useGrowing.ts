/**
 * Number of rows of a long list that are drawn: a part at once, and the rest part by part, each in a task of its own,
 * so that the page answers in between. In the end all are drawn, for the keyboard, for screen readers and for searching
 * in the page.
 */
import { useEffect, useState } from 'react';

export function useGrowing(total: number, part: number): number {
  const [count, setCount] = useState(part);
  useEffect(() => {
    if (count >= total) return;
    const timer = setTimeout(() => setCount(count + part));
    return () => clearTimeout(timer);
  }, [count, total, part]);
  return Math.min(count, total);
}
