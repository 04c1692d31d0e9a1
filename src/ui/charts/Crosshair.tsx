/** The numbers under the crosshair: every arm's mean and interval at one update, and what was changed there. */
import type { CurvePoint } from '../../store/curves';
import { type ChartDefinition, formatInterval } from './definitions';
import type { PlotProps } from './Plot';

type Props = Pick<PlotProps, 'points' | 'arms' | 'marks' | 'definition'> & { readonly update: number };

export function Crosshair({ update, points, arms, marks, definition }: Props) {
  const at = points.findIndex((point) => point.update === update);
  const point = points[at];
  if (point === undefined) return null;
  const before = points[at - 1]?.update ?? -1;
  const changed = marks.filter((mark) => mark.update > before && mark.update <= update);
  return (
    <div className="crosshair">
      <p className="soft">update {update}</p>
      {arms.map(({ id, name, colour }, index) => (
        <p key={id}>
          <span style={{ color: colour.stroke }}>{name}</span> {write(point, index, definition)}
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

function write({ mean, band }: CurvePoint, arm: number, definition: ChartDefinition): string {
  const value = mean[arm];
  const interval = band[arm];
  if (value == null) return 'not measured';
  const words = definition.format(value);
  return interval == null ? words : `${words} ${formatInterval(definition, interval)}`;
}
