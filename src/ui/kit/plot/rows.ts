/**
 * Lines as rows of the horizontal axis, one for each place at which some line has a point: what Recharts draws from. A
 * line has null in a row where it has a gap, and nothing where only others have a point.
 */
import type { PlotPoint, Series } from './plot';

export interface Row {
  readonly at: number;
  readonly [key: `${'value' | 'band'}-${number}`]: number | PlotPoint['band'];
}

export function rowsOf(series: readonly Series[]): readonly Row[] {
  const rows = new Map<number, { at: number; [key: string]: unknown }>();
  series.forEach(({ points }, index) => {
    for (const { at, value, band = null } of points) {
      const row = rows.get(at) ?? { at };
      row[`value-${index}`] = value;
      row[`band-${index}`] = band;
      rows.set(at, row);
    }
  });
  // Recharts freezes what it is given, number by number, unless it is frozen.
  return Object.freeze([...rows.values()].sort((a, b) => a.at - b.at)) as unknown as readonly Row[];
}

/** The newest point of a line up to a place. */
export const pointUpTo = ({ points }: Pick<Series, 'points'>, at: number): PlotPoint | undefined =>
  points.findLast((point) => point.at <= at);
