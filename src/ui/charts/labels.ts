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
