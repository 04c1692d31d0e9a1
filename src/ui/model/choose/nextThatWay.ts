/** Which of several boxes on the screen an arrow key leads to. */

/** −1, 0 or 1 to the right and downwards. */
export type Direction = readonly [x: number, y: number];

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The index of the nearest box that lies wholly beyond this one; this one's own where there is none. */
export function nextThatWay(boxes: readonly Box[], from: number, [x, y]: Direction): number {
  const start = boxes[from];
  if (start === undefined) return from;
  let nearest = from;
  let least = Number.POSITIVE_INFINITY;
  boxes.forEach((box, index) => {
    const beyond = x > 0 ? box.left - start.right : x < 0 ? start.left - box.right : 0;
    const below = y > 0 ? box.top - start.bottom : y < 0 ? start.top - box.bottom : 0;
    if (index === from || beyond + below < 0) return;
    // Sideways moves stay in their row, moves up and down in their column, as far as there is one.
    const aside = x === 0 ? Math.abs(box.left - start.left) : Math.abs(box.top - start.top);
    const distance = beyond + below + 4 * aside;
    if (distance < least) [nearest, least] = [index, distance];
  });
  return nearest;
}
