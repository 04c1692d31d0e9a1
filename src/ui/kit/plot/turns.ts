/**
 * Charts are drawn one after the other, each in a task of its own and at most four times a second, so that new
 * measurements never hold up the page for longer than one chart takes. What has to be computed for them is done in short
 * tasks before and in between, never while they are drawn.
 */
import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Later } from './later';

/** Milliseconds between two redraws. */
const PAUSE = 20;
/** Milliseconds between two redraws of the same chart. */
const EVERY = 250;

export class Redraws {
  /** Charts that wait, in order, and the work of each in a task before its own. */
  readonly #waiting = new Map<() => void, (() => void) | null>();
  readonly #drawn = new WeakMap<() => void, number>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** One redraw, however often it is asked for before it happens: what asks without end keeps nobody waiting. */
  ask(draw: () => void, prepare: () => void): void {
    if (!this.#waiting.has(draw)) this.#waiting.set(draw, prepare);
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

export const redraws = new Redraws();

/** Computes the numbers of a chart for a few milliseconds; true when nothing is left to do. */
export type Prepare = () => boolean;

/**
 * True once the element can be drawn and is on screen or nearly so, or is printed. Elements that come there together
 * are drawn one after the other.
 */
export function useOnScreen(element: RefObject<HTMLElement | null>, drawn: Later<unknown>, prepare: Prepare): boolean {
  const [visible, setVisible] = useState(false);
  const [, setPrints] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    let isNear = false;
    let isPrinting = false;
    const show = (): void => flushSync(() => setVisible(true));
    const ask = (): void => {
      if (isNear) redraws.ask(show, prepare);
    };
    const print = (): void => {
      isPrinting = true;
      while (!prepare());
      // Also where it is drawn already, but not with the newest measurements: its turn may still be to come.
      flushSync(() => {
        setVisible(true);
        setPrints((prints) => prints + 1);
      });
    };
    const afterwards = (): void => {
      isPrinting = false;
      setVisible(isNear);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        // A busy page hears of leaving and coming back at once: the newest entry is how it is.
        isNear = entries.at(-1)?.isIntersecting === true;
        if (isNear) return void drawn.load().then(ask);
        redraws.forget(show);
        // Paper has no screen to leave.
        if (!isPrinting) setVisible(false);
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
  }, [element, drawn, prepare]);
  return visible;
}
