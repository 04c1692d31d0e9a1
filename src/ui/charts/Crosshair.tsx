/** The numbers under the crosshair: every arm's mean and interval where it had come by then, and what was changed there. */
import type { ProgressAxis } from '../../store/preferences';
import { type ChartDefinition, formatInterval } from './definition';
import type { PlotProps } from './Plot';
import { placeInWords } from './progress';
import type { Row } from './rows';

type Props = Pick<PlotProps, 'arms' | 'marks' | 'definition'> & {
  readonly rows: readonly Row[];
  readonly at: number;
  readonly over: ProgressAxis;
};

export function Crosshair({ at, over, rows, arms, marks, definition }: Props) {
  const here = rows.findIndex((row) => row.at === at);
  if (here < 0) return null;
  const before = rows[here - 1]?.at ?? -1;
  const changed = marks.filter(({ places }) => places.some((place) => place.at > before && place.at <= at));
  return (
    <div className="crosshair">
      <p className="soft">{placeInWords(over, at)}</p>
      {arms.map(({ id, name, colour }, index) => (
        <p key={id}>
          <span style={{ color: colour.stroke }}>{name}</span> {write(rows, here, index, definition)}
        </p>
      ))}
      {changed.map(({ words }) => (
        <p key={words} className="soft">
          {words}
        </p>
      ))}
    </div>
  );
}

/** The newest point of the arm up to a row. */
function write(rows: readonly Row[], here: number, arm: number, definition: ChartDefinition): string {
  const point = rows.findLast(({ points }, index) => index <= here && points[arm] !== undefined)?.points[arm];
  const value = point?.mean[arm];
  if (value == null) return 'not measured';
  const interval = point?.band[arm];
  const words = definition.format(value);
  return interval == null ? words : `${words} ${formatInterval(definition, interval)}`;
}
