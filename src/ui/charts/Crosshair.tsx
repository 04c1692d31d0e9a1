/** The numbers under the crosshair: every arm's mean and interval at one update, and what was changed there. */
import type { CurvePoint } from '../../store/curves';
import type { PlotProps } from './Plot';

type Props = Pick<PlotProps, 'points' | 'arms' | 'marks'> & {
  readonly update: number;
  readonly format: (value: number) => string;
};

export function Crosshair({ update, points, arms, marks, format }: Props) {
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
          <span style={{ color: colour.stroke }}>{name}</span> {write(point, index, format)}
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

function write({ mean, band }: CurvePoint, arm: number, format: (value: number) => string): string {
  const value = mean[arm];
  const interval = band[arm];
  if (value == null) return 'not measured';
  return interval == null ? format(value) : `${format(value)} (${format(interval[0])} to ${format(interval[1])})`;
}
