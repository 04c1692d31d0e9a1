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

/** Moves labels apart just enough to be read, keeping their order, inside [top, bottom]; answers in the order given. */
export function spreadLabels(heights: readonly number[], gap: number, top: number, bottom: number): number[] {
  const order = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height);
  const placed: number[] = [];
  for (const { height } of order) placed.push(Math.max(height, top, (placed.at(-1) ?? Number.NEGATIVE_INFINITY) + gap));
  let limit = bottom;
  for (let i = placed.length - 1; i >= 0; i--) {
    placed[i] = Math.min(placed[i] as number, limit);
    limit = (placed[i] as number) - gap;
  }
  const answer = new Array<number>(heights.length).fill(0);
  order.forEach(({ index }, rank) => {
    answer[index] = placed[rank] ?? 0;
  });
  return answer;
}

/** Pixels from a line of names to the next. */
const LINE = 16;

/** The same for labels in columns, which begin at the same x: each column by itself. Heights in the order given. */
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
