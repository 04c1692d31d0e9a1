/**
 * Charts are redrawn one after the other, each in a task of its own and at most four times a second, so that new
 * measurements never hold up the page for longer than one chart takes. What curves still have to compute for them is
 * done in short tasks in between.
 */
import { type RefObject, useEffect, useState } from 'react';
import type { MetricName } from '../../rl/metrics';
import type { CurveSource } from '../../store/curves';
import { useLab } from '../useLab';

/** Milliseconds between two redraws. */
const PAUSE = 20;
/** Milliseconds between two redraws of the same chart. */
const EVERY = 250;

export class Redraws {
  /** Charts that wait, in order. */
  readonly #waiting = new Set<() => void>();
  readonly #drawn = new WeakMap<() => void, number>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** One redraw, however often it is asked for before it happens. */
  ask(draw: () => void): void {
    this.#waiting.add(draw);
    if (this.#timer === null) this.#later(0);
  }

  forget(draw: () => void): void {
    this.#waiting.delete(draw);
  }

  #later(least: number): void {
    const waits = [...this.#waiting].map((draw) => this.#restOf(draw));
    this.#timer = waits.length === 0 ? null : setTimeout(() => this.#next(), Math.max(least, Math.min(...waits)));
  }

  /** Milliseconds until a chart may be drawn again. */
  #restOf(draw: () => void): number {
    return Math.max(0, (this.#drawn.get(draw) ?? Number.NEGATIVE_INFINITY) + EVERY - performance.now());
  }

  #next(): void {
    const draw = [...this.#waiting].find((waiting) => this.#restOf(waiting) === 0);
    if (draw !== undefined) {
      this.#waiting.delete(draw);
      this.#drawn.set(draw, performance.now());
      draw();
    }
    this.#later(PAUSE);
  }
}

const redraws = new Redraws();

/** Whether the element is on screen or nearly so. What comes there together is drawn one after the other. */
export function useOnScreen(element: RefObject<HTMLElement | null>): boolean {
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const show = (): void => setVisible(true);
    const observer = new IntersectionObserver(
      (entries) => {
        // A busy page hears of leaving and coming back at once: the newest entry is how it is.
        if (entries.at(-1)?.isIntersecting === true) return redraws.ask(show);
        redraws.forget(show);
        setVisible(false);
      },
      { rootMargin: '200px' },
    );
    observer.observe(current);
    return () => {
      observer.disconnect();
      redraws.forget(show);
    };
  }, [element]);
  return visible;
}

/** Redraws the component when there are new measurements and it can be seen. Returns a way to ask for one more. */
export function useRedraw(visible: boolean): () => void {
  const { store, preferences } = useLab();
  const [, setCount] = useState(0);
  const [draw] = useState(() => () => setCount((count) => count + 1));
  const [again] = useState(() => () => redraws.ask(draw));
  useEffect(() => {
    if (!visible) return;
    const stop = store.subscribe((now, before) => {
      const changed =
        now.tick !== before.tick ||
        now.history !== before.history ||
        now.phase !== before.phase ||
        now.ghost !== before.ghost ||
        (now.running ?? now.edited) !== (before.running ?? before.edited);
      if (changed) again();
    });
    const stopPreferences = preferences.subscribe((now, before) => {
      if (now.progress !== before.progress) again();
    });
    return () => {
      stop();
      stopPreferences();
      redraws.forget(draw);
    };
  }, [visible, store, preferences, draw, again]);
  return again;
}

/** Computes what is missing of a chart's curves, a few milliseconds a task, and then asks for a redraw. */
export function useCompletion(missing: readonly (readonly [CurveSource, MetricName])[], again: () => void): void {
  useEffect(() => {
    if (missing.length === 0) return;
    const compute = (): void => {
      const complete = missing.every(([curves, metric]) => curves.advance(metric));
      if (complete) again();
      else timer = setTimeout(compute, 0);
    };
    let timer = setTimeout(compute, 0);
    return () => clearTimeout(timer);
  });
}
