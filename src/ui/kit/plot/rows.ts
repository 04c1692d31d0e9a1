/** Places of the horizontal axis at which some line has a point, in order; and a line's newest point. */
import type { PlotPoint, Series } from './plot';

export const placesOf = (series: readonly Series[]): readonly number[] =>
  [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => a - b);

/** The newest point of a line up to a place. */
export const pointUpTo = ({ points }: Pick<Series, 'points'>, at: number): PlotPoint | undefined =>
  points.findLast((point) => point.at <= at);
