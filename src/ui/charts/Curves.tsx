/**
 * Each arm's mean over its 95% band, and the floor below which it cannot get. They are plain paths: Recharts asks every line
 * and area it draws about every change of its state, several times for each drawing of a chart.
 */
import { useId } from 'react';
import type { CurvePoint } from '../../store/curves';
import type { PlotProps } from './Plot';
import { bandPath, linePath } from './paths';
import type { Placement } from './placement';

type Props = Pick<PlotProps, 'points' | 'floors' | 'arms' | 'axis' | 'definition' | 'reference'> & {
  readonly placement: Placement;
};

export function Curves({ points, floors, arms, axis, definition, reference, placement }: Props) {
  const { area, toY } = placement;
  const clip = useId();
  const drawn = arms.map((_, arm) => pathsOf({ points, floors, axis, definition, placement }, arm));
  const bandOpacity = Math.min(0.16, 0.5 / arms.length);
  return (
    <>
      <clipPath id={clip}>
        <rect {...area} />
      </clipPath>
      <g clipPath={`url(#${clip})`} fill="none">
        {arms.map(({ id, colour }, arm) => (
          <path key={id} d={drawn[arm]?.band} fill={colour.stroke} fillOpacity={bandOpacity} />
        ))}
        {reference !== null && (
          <path className="plot-reference-line" d={`M${area.x},${toY(reference.value)}h${area.width}`} />
        )}
        {floors !== null &&
          arms.map(({ id, colour }, arm) => (
            <path key={id} className="plot-floor" d={drawn[arm]?.floor} stroke={colour.stroke} />
          ))}
        {arms.map(({ id, colour }, arm) => (
          <path
            key={id}
            className="plot-mean"
            d={drawn[arm]?.mean}
            stroke={colour.stroke}
            strokeDasharray={colour.dash}
            strokeWidth="2"
          />
        ))}
      </g>
      {points.length === 1 && <Dots {...{ arms, placement, axis }} pointOf={() => points[0]} />}
    </>
  );
}

type DotsProps = Pick<PlotProps, 'arms' | 'axis'> & {
  readonly placement: Placement;
  readonly pointOf: (arm: number) => CurvePoint | undefined;
  readonly radius?: number;
};

/** One point of each arm's mean, where it is on the chart. */
export function Dots({ arms, axis: { domain }, placement: { toX, toY }, pointOf, radius = 2 }: DotsProps) {
  return arms.map(({ id, colour }, arm) => {
    const point = pointOf(arm);
    const [at, value] = [point?.at[arm], point?.mean[arm]];
    if (at == null || value == null || value < domain[0] || value > domain[1]) return null;
    return <circle key={id} cx={toX(at)} cy={toY(value)} r={radius} fill={colour.stroke} />;
  });
}

type Drawn = Pick<Props, 'points' | 'floors' | 'axis' | 'definition' | 'placement'>;

/** Of one arm. Where something was not measured the curve has a gap, unless it never is at every update. */
export function pathsOf({ points, floors, axis, definition, placement: { toX, toY } }: Drawn, arm: number) {
  const known = points.filter(({ at }) => at[arm] != null);
  const along = <T, P>(read: (point: CurvePoint) => T | null | undefined, place: (x: number, value: T) => P) => {
    const places = known.map((point) => {
      const value = read(point);
      return value == null ? null : place(toX(point.at[arm] as number), value);
    });
    return definition.sparse ? places.filter((one) => one !== null) : places;
  };
  const at = (x: number, value: number) => [x, toY(value)] as const;
  // On a logarithmic axis nothing at or below zero can be drawn.
  const least = axis.log ? axis.domain[0] : Number.NEGATIVE_INFINITY;
  const edge = (value: number): number => toY(Math.max(value, least));
  const floorAt = new Map(floors?.map(({ update, mean }) => [update, mean[arm]]));
  return {
    band: bandPath(
      along(
        ({ band }) => band[arm],
        (x, [low, high]) => ({ x, low: edge(low), high: edge(high) }),
      ),
    ),
    floor: linePath(along(({ update }) => floorAt.get(update), at)),
    mean: linePath(along(({ mean }) => mean[arm], at)),
  };
}
