/** Place of a step's card: finds the step's subject, brings it into view, and follows it. */
import { type RefObject, useEffect, useState } from 'react';
import { type Box, type CardSize, canStandBeside, placeBeside, placeInCorner } from './placeCard';

export interface CardBeside {
  /** Rectangle of the subject; null while it is not there. */
  readonly target: Box | null;
  readonly card: Pick<Box, 'left' | 'top'>;
}

/** Milliseconds between two looks: the page under the tour is alive, and the subject may come, grow or move. */
const LOOK_EVERY = 150;

/** Pixels at the window's edges that are covered by links to the parts of the page. */
const EDGE = 48;

const windowSize = (): CardSize => ({ width: document.documentElement.clientWidth, height: innerHeight });

export function useBeside(about: readonly string[], card: RefObject<HTMLElement | null>): CardBeside | null {
  const [beside, setBeside] = useState<CardBeside | null>(null);
  useEffect(() => {
    let shown: Element | null = null;
    const look = () => {
      if (card.current === null) return;
      const size = { width: card.current.offsetWidth, height: card.current.offsetHeight };
      const target = findTarget(about, size);
      if (target !== shown) {
        shown = target;
        if (target !== null) bringIntoView(target, size);
      }
      const now = measure(target, size);
      setBeside((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
    };
    look();
    const timer = setInterval(look, LOOK_EVERY);
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      clearInterval(timer);
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [about, card]);
  return beside;
}

function findTarget(about: readonly string[], card: CardSize): Element | null {
  const room = windowSize();
  const there = about
    .flatMap((selector) => document.querySelector(selector) ?? [])
    .filter((element) => element.checkVisibility({ visibilityProperty: true }));
  const roomy = there.find((element) =>
    canStandBeside(element.getBoundingClientRect(), card, { ...room, height: room.height - EDGE }),
  );
  return roomy ?? there.at(-1) ?? null;
}

function measure(target: Element | null, card: CardSize): CardBeside {
  const room = windowSize();
  if (target === null) return { target: null, card: placeInCorner(card, room) };
  const { left, top, width, height } = target.getBoundingClientRect();
  const box = { left, top, width, height };
  return { target: box, card: placeBeside(box, card, room) ?? placeInCorner(card, room) };
}

/** Scrolls only if it must: to the window's top, where all the room below is the card's. */
function bringIntoView(target: Element, card: CardSize): void {
  const { top, bottom, left, width, height } = target.getBoundingClientRect();
  const isInView = top >= 0 && bottom <= innerHeight - EDGE;
  if (isInView && placeBeside({ left, top, width, height }, card, windowSize()) !== null) return;
  target.scrollIntoView({ block: 'start' });
}
