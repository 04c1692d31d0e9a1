/**
 * Charts are redrawn one after the other, each in a task of its own, so that new measurements never hold up the page for
 * longer than one chart takes.
 */
import { useEffect, useState } from 'react';
import { useLab } from '../useLab';

/** Milliseconds between two redraws. */
const PAUSE = 20;

const waiting = new Set<() => void>();
let drawing = false;

function drawNext(): void {
  const [next] = waiting;
  drawing = next !== undefined;
  if (next === undefined) return;
  waiting.delete(next);
  next();
  setTimeout(drawNext, PAUSE);
}

function enqueue(draw: () => void): void {
  waiting.add(draw);
  if (drawing) return;
  drawing = true;
  setTimeout(drawNext, 0);
}

/** Redraws the component when there are new measurements and it can be seen. Returns a way to ask for one more. */
export function useRedraw(visible: boolean): () => void {
  const { store } = useLab();
  const [draw] = useState(() => ({ now: () => {}, again: () => enqueue(draw.now) }));
  const [, setCount] = useState(0);
  useEffect(() => {
    draw.now = () => setCount((count) => count + 1);
    if (!visible) return;
    const stop = store.subscribe((now, before) => {
      const changed =
        now.tick !== before.tick ||
        now.history !== before.history ||
        now.phase !== before.phase ||
        now.ghost !== before.ghost ||
        (now.running ?? now.edited) !== (before.running ?? before.edited);
      if (changed) enqueue(draw.now);
    });
    return () => {
      stop();
      waiting.delete(draw.now);
    };
  }, [visible, store, draw]);
  return draw.again;
}
