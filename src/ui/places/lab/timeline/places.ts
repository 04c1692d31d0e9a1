/** Places on the strip: where an update lies, and where the names of marks stand so that none lies on another. */

/** Width of a character of a name, at most; pixels between names. */
const CHARACTER = 7.2;
const GAP = 12;
/** Lines of names. */
const LINES = 2;
/** Pixels from the strip's top to the first line of names, and from one to the next. */
export const [NAMES_FROM, NAMES_LINE] = [27, 18];

export interface NamePlace {
  /** Left end, pixels from the strip's. */
  readonly left: number;
  /** Number of the line, from 0. */
  readonly line: number;
}

/** Pixels from the strip's left end. */
export const placeOf = (update: number, updates: number, width: number): number =>
  (Math.min(update, updates) / Math.max(1, updates)) * width;

/** Update at a place, whole. */
export const updateAt = (place: number, updates: number, width: number): number =>
  Math.round((place / Math.max(1, width)) * updates);

/** Places of names, each under its mark if it can be; null for those that have no room: they are told when asked for. */
export function placeNames(
  marks: readonly { readonly at: number; readonly name: string }[],
  width: number,
): (NamePlace | null)[] {
  const ends = new Array<number>(LINES).fill(Number.NEGATIVE_INFINITY);
  const places = new Array<NamePlace | null>(marks.length).fill(null);
  const inOrder = marks.map((mark, index) => ({ ...mark, index })).sort((a, b) => a.at - b.at);
  for (const { at, name, index } of inOrder) {
    const size = Math.min(width, name.length * CHARACTER);
    const left = Math.max(0, Math.min(width - size, at - size / 2));
    const line = ends.findIndex((end) => end + GAP <= left);
    if (line < 0) continue;
    ends[line] = left + size;
    places[index] = { left, line };
  }
  return places;
}

/** Pixels from one mark to the next at least: as wide as what is pressed. */
const APART = 24;

/**
 * Marks in the order of their places; those that would lie on one another stand together, where the first of them is. Each alone
 * where the strip has no `width`, because it is not on screen.
 */
export function groupMarks<T extends { readonly at: number }>(
  marks: readonly T[],
  width: number,
): (readonly [T, ...T[]])[] {
  const groups: [T, ...T[]][] = [];
  for (const mark of marks.toSorted((a, b) => a.at - b.at)) {
    const last = groups.at(-1);
    if (width > 0 && last !== undefined && mark.at - last[0].at < APART) last.push(mark);
    else groups.push([mark]);
  }
  return groups;
}
