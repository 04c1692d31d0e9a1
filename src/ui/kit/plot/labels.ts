/** A name in so many characters at most. What is left out is in its middle: names of arms often differ only at their end. */
export function shorten(name: string, longest: number): string {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const end = Math.floor((longest - 1) / 2);
  const start = characters.slice(0, longest - 1 - end).join('');
  return `${start.trimEnd()}…${characters.slice(-end).join('').trimStart()}`;
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
