/** Place of a tour's card: beside its subject, never over it. Pixels of the window. */

export interface CardSize {
  readonly width: number;
  readonly height: number;
}

export interface Box extends CardSize {
  readonly left: number;
  readonly top: number;
}

/** Distance between the card and its subject, and to the window's edges. */
const GAP = 12;
const MARGIN = 16;

/** Place below, right, left or above, the first with room inside the window; null where none has. */
export function placeBeside(target: Box, card: CardSize, room: CardSize): Pick<Box, 'left' | 'top'> | null {
  const along = (start: number, length: number, whole: number) =>
    Math.max(MARGIN, Math.min(start, whole - length - MARGIN));
  const left = along(target.left, card.width, room.width);
  const top = along(target.top, card.height, room.height);
  const places = [
    { left, top: target.top + target.height + GAP },
    { left: target.left + target.width + GAP, top },
    { left: target.left - card.width - GAP, top },
    { left, top: target.top - card.height - GAP },
  ];
  const isInside = (place: Pick<Box, 'left' | 'top'>) =>
    place.left >= MARGIN &&
    place.top >= MARGIN &&
    place.left + card.width <= room.width - MARGIN &&
    place.top + card.height <= room.height - MARGIN;
  return places.find(isInside) ?? null;
}

/** Place in the lower right corner, where there is nothing to be beside. */
export function placeInCorner(card: CardSize, room: CardSize): Pick<Box, 'left' | 'top'> {
  return { left: room.width - card.width - MARGIN, top: room.height - card.height - MARGIN };
}

/** True if scrolling alone can make room for the card beside something of this size. */
export function canStandBeside({ width, height }: CardSize, card: CardSize, room: CardSize): boolean {
  return placeBeside({ width, height, left: MARGIN, top: MARGIN }, card, room) !== null;
}
