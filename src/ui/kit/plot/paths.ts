/** Lines and bands of a chart as the paths of an SVG: scales in pixels, gaps, and the texts of paths. */
import type { PlotAxis, PlotPoint } from './plot';

/** Place of a value in pixels. */
export type PixelScale = (value: number) => number;

const round = (pixels: number): number => Number(pixels.toFixed(2));

/** `from`, `to`: pixels of an axis' two ends. */
export function placeOf({ domain: [low, high], log = false }: PlotAxis, from: number, to: number): PixelScale {
  const scaled = (value: number): number => (log ? Math.log(Math.max(value, Number.MIN_VALUE)) : value);
  const span = scaled(high) - scaled(low) || 1;
  return (value) => round(from + ((scaled(value) - scaled(low)) / span) * (to - from));
}

/** Runs of points without a gap; where gaps are joined, one. */
function runsOf<T>(points: readonly PlotPoint[], isJoined: boolean, of: (point: PlotPoint) => T | null): T[][] {
  const runs: T[][] = [[]];
  for (const one of points.map(of)) {
    if (one !== null) runs.at(-1)?.push(one);
    else if (!isJoined) runs.push([]);
  }
  return runs.filter(({ length }) => length > 0);
}

export function linePath(points: readonly PlotPoint[], x: PixelScale, y: PixelScale, isJoined = false): string {
  const runs = runsOf(points, isJoined, ({ at, value }) => (value === null ? null : `${x(at)},${y(value)}`));
  return runs.map((places) => `M${places.join('L')}`).join('');
}

export function bandPath(points: readonly PlotPoint[], x: PixelScale, y: PixelScale, isJoined = false): string {
  const runs = runsOf(points, isJoined, ({ at, band }) =>
    band == null ? null : band.map((value) => `${x(at)},${y(value)}`),
  );
  return runs
    .map((edges) => {
      const [low, high] = [0, 1].map((edge) => edges.map((places) => places[edge])) as [string[], string[]];
      return `M${[...high, ...low.reverse()].join('L')}Z`;
    })
    .join('');
}
