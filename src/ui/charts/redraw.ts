/**
 * Charts are redrawn one after the other, each in a task of its own and at most four times a second, so that new
 * measurements never hold up the page for longer than one chart takes. What curves have to compute for them is done in
 * short tasks before and in between, never while they are drawn.
 */
import { type RefObject, useCallback, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { MetricName } from '../../rl/metrics';
import type { CurveShape, CurveSource } from '../../store/curves';
import type { Lab } from '../../store/openLab';
import { SLICE } from '../../store/slices';
import { useLab } from '../useLab';
import { type ChartDefinition, windowOf } from './definition';
import { loadPlot } from './loadPlot';

/** Milliseconds between two redraws. */
const PAUSE = 20;
/** Milliseconds between two redraws of the same chart. */
const EVERY = 250;

export class Redraws {
  /** Charts that wait, in order, and what each still has to do in a task before its own. */
  readonly #waiting = new Map<() => void, (() => void) | null>();
  readonly #drawn = new WeakMap<() => void, number>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** One redraw, however often it is asked for before it happens. */
  ask(draw: () => void, prepare: () => void): void {
    this.#waiting.set(draw, prepare);
    if (this.#timer === null) this.#later(0);
  }

  forget(draw: () => void): void {
    this.#waiting.delete(draw);
  }

  #later(least: number): void {
    const waits = [...this.#waiting.keys()].map((draw) => this.#restOf(draw));
    this.#timer = waits.length === 0 ? null : setTimeout(() => this.#next(), Math.max(least, Math.min(...waits)));
  }

  /** Milliseconds until a chart may be drawn again. */
  #restOf(draw: () => void): number {
    return Math.max(0, (this.#drawn.get(draw) ?? Number.NEGATIVE_INFINITY) + EVERY - performance.now());
  }

  #next(): void {
    const [draw, prepare = null] = [...this.#waiting].find(([waiting]) => this.#restOf(waiting) === 0) ?? [];
    if (draw !== undefined && prepare !== null) {
      this.#waiting.set(draw, null);
      prepare();
      this.#later(0);
      return;
    }
    if (draw !== undefined) {
      this.#waiting.delete(draw);
      this.#drawn.set(draw, performance.now());
      draw();
    }
    this.#later(PAUSE);
  }
}

const redraws = new Redraws();

/** Computes for a few milliseconds what a chart is drawn from; true when nothing is left to do. */
export type Prepare = () => boolean;

/** Points a line is drawn with at most: fewer while it grows, so that a redraw takes well under 50 ms. */
const POINTS = 240;
const POINTS_RUNNING = 150;

/** Where the points of a chart stand now. */
export function shapeOf(
  { store, preferences }: Pick<Lab, 'store' | 'preferences'>,
  definition: ChartDefinition,
): CurveShape {
  const { phase, running, edited } = store.getState();
  const { progress: axis, smoothing } = preferences.getState();
  const most = phase === 'running' ? POINTS_RUNNING : POINTS;
  // Over tokens each arm has places of its own, and the chart is drawn from all of them.
  const limit = axis === 'tokens' ? Math.floor(most / Math.min(4, (running ?? edited).arms.length)) : most;
  return { limit, axis, window: windowOf(definition, smoothing) };
}

/** Of a chart: its curves, their floors, and those of the run behind it. */
export function usePrepare(definition: ChartDefinition): Prepare {
  const lab = useLab();
  return useCallback(() => {
    const { metric, floor } = definition;
    const shape = shapeOf(lab, definition);
    const until = performance.now() + SLICE;
    const advance = (curves: CurveSource | null, of: MetricName): boolean =>
      curves === null || curves.advance(of, shape, until);
    const curves = lab.curves();
    const behind = lab.store.getState().ghost?.curves ?? null;
    return advance(curves, metric) && (floor === null || advance(curves, floor)) && advance(behind, metric);
  }, [lab, definition]);
}

/**
 * Whether the element is on screen or nearly so and can be drawn, or is printed. What comes there together is drawn one
 * after the other.
 */
export function useOnScreen(element: RefObject<HTMLElement | null>, prepare: Prepare): boolean {
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    let isNear = false;
    const show = (): void => flushSync(() => setVisible(true));
    const ask = (): void => {
      if (isNear) redraws.ask(show, prepare);
    };
    const print = (): void => {
      while (!prepare());
      show();
    };
    const afterwards = (): void => setVisible(isNear);
    const observer = new IntersectionObserver(
      (entries) => {
        // A busy page hears of leaving and coming back at once: the newest entry is how it is.
        isNear = entries.at(-1)?.isIntersecting === true;
        if (isNear) return void loadPlot().then(ask);
        redraws.forget(show);
        setVisible(false);
      },
      { rootMargin: '200px' },
    );
    observer.observe(current);
    addEventListener('beforeprint', print);
    addEventListener('afterprint', afterwards);
    return () => {
      isNear = false;
      observer.disconnect();
      removeEventListener('beforeprint', print);
      removeEventListener('afterprint', afterwards);
      redraws.forget(show);
    };
  }, [element, prepare]);
  return visible;
}

/** Redraws the component when there are new measurements and it can be seen. Returns a way to ask for one more. */
export function useRedraw(visible: boolean, prepare: Prepare): () => void {
  const { store, preferences } = useLab();
  const [, setCount] = useState(0);
  const [draw] = useState(() => () => flushSync(() => setCount((count) => count + 1)));
  const again = useCallback(() => redraws.ask(draw, prepare), [draw, prepare]);
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
      if (now.progress !== before.progress || now.smoothing !== before.smoothing) again();
    });
    return () => {
      stop();
      stopPreferences();
      redraws.forget(draw);
    };
  }, [visible, store, preferences, draw, again]);
  return again;
}

/** Goes on computing what is missing of a chart's curves, and then asks for a redraw. */
export function useCompletion(isComplete: boolean, prepare: Prepare, again: () => void): void {
  useEffect(() => {
    if (isComplete) return;
    const compute = (): void => {
      if (prepare()) again();
      else timer = setTimeout(compute, 0);
    };
    let timer = setTimeout(compute, 0);
    return () => clearTimeout(timer);
  });
}
