/**
 * The numbers under the crosshair: every mean where it had come by then, or those of the run behind where there is no
 * other, and what is marked there.
 */
import type { PlotProps } from './plot';
import { pointUpTo } from './rows';

type Props = Pick<PlotProps, 'across' | 'series' | 'marks' | 'format'> & {
  readonly places: readonly number[];
  readonly at: number;
};

export function Crosshair({ at, places, across, series, marks = [], format }: Props) {
  const before = places.findLast((place) => place < at) ?? Number.NEGATIVE_INFINITY;
  const passed = marks.filter((mark) => mark.at > before && mark.at <= at);
  const means = series.filter(({ kind }) => kind === 'mean');
  const isEmpty = means.every(({ points }) => points.length === 0);
  const told = isEmpty ? series.filter(({ kind }) => kind === 'behind') : means;
  return (
    <div className="crosshair small frame raised">
      <p className="soft">{across.words(at)}</p>
      {told.map(({ id, title, name, colour, points }) => {
        const point = pointUpTo({ points }, at);
        // A branch begins later: until then its line is its parent's.
        if (point === undefined && points.length > 0) return null;
        return (
          <p key={id}>
            <span style={{ color: colour }}>{isEmpty ? title : name}</span>{' '}
            {point?.value == null ? 'not measured' : format(point.value, point.band)}
          </p>
        );
      })}
      {[...new Set(passed.map(({ words }) => words))].map((words) => (
        <p key={words} className="soft">
          {words}
        </p>
      ))}
    </div>
  );
}
