/**
 * Curves as rows of the horizontal axis: one for each place at which some arm has a point. Over updates and seconds all
 * arms share their places; over tokens each has its own.
 */
import type { CurvePoint } from '../../store/curves';

export interface Row {
  readonly at: number;
  /** For each arm the point it has here, if any. */
  readonly points: readonly (CurvePoint | undefined)[];
}

export function rowsOf(points: readonly CurvePoint[]): Row[] {
  const rows = new Map<number, (CurvePoint | undefined)[]>();
  for (const point of points) {
    point.at.forEach((at, arm) => {
      if (at === null) return;
      const row = rows.get(at) ?? new Array<undefined>(point.at.length).fill(undefined);
      row[arm] = point;
      rows.set(at, row);
    });
  }
  return Array.from(rows, ([at, here]) => ({ at, points: here })).sort((a, b) => a.at - b.at);
}
