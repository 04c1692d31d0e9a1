/**
 * A name as wide as there is room at most; both in what `widthOf` measures in. What is left out is in its middle: names of arms
 * often differ only at their end.
 */
export function shorten(name: string, room: number, widthOf: (text: string) => number): string {
  const characters = [...name];
  for (let kept = characters.length; kept > 1; kept--) {
    const end = Math.floor(kept / 2);
    const start = characters.slice(0, kept - end).join('');
    const text =
      kept === characters.length ? name : `${start.trimEnd()}…${characters.slice(-end).join('').trimStart()}`;
    if (widthOf(text) <= room) return text;
  }
  return '…';
}

/**
 * Moves labels apart just enough to be read, keeping their order, inside [top, bottom]; answers in the order given. Labels that
 * would cover each other stand about the middle of their heights, so that none is far from its own.
 */
export function spreadLabels(heights: readonly number[], gap: number, top: number, bottom: number): number[] {
  const order = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height);
  // Groups of neighbours, by the height of their first.
  const groups: { first: number; count: number }[] = [];
  order.forEach(({ height }, rank) => {
    let [first, count] = [height - rank * gap, 1];
    for (let last = groups.at(-1); last !== undefined && last.first > first; last = groups.at(-1)) {
      first = (first * count + last.first * last.count) / (count + last.count);
      count += last.count;
      groups.pop();
    }
    groups.push({ first, count });
  });
  const firsts = groups.flatMap(({ first, count }) => new Array<number>(count).fill(first));
  const answer = new Array<number>(heights.length).fill(0);
  order.forEach(({ index }, rank) => {
    answer[index] = Math.min(bottom - (order.length - 1) * gap, Math.max(top, firsts[rank] ?? 0)) + rank * gap;
  });
  return answer;
}

/** Height nearest to the one wanted at which a label covers none of those placed; the one wanted where there is none. */
export function freeHeight(wanted: number, placed: readonly number[], top: number, bottom: number): number {
  const isFree = (height: number): boolean =>
    height >= top && height <= bottom && placed.every((other) => Math.abs(other - height) >= LINE);
  const near = [wanted, ...placed.flatMap((height) => [height - LINE, height + LINE])].filter(isFree);
  return near.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? wanted;
}

/** Pixels from a line of names to the next. */
const LINE = 16;

/** Heights of labels in columns, in the order given. Labels that begin at the same x are a column, spread by itself. */
export function spreadColumns(
  places: readonly { readonly x: number; readonly y: number }[],
  top: number,
  bottom: number,
): number[] {
  const answer = places.map(({ y }) => y);
  for (const column of new Set(places.map(({ x }) => Math.round(x)))) {
    const own = places.flatMap(({ x }, index) => (Math.round(x) === column ? [index] : []));
    const heights = spreadLabels(
      own.map((index) => places[index]?.y ?? 0),
      LINE,
      top,
      bottom,
    );
    own.forEach((index, rank) => {
      answer[index] = heights[rank] ?? 0;
    });
  }
  return answer;
}
