/** Another run's mean lines behind this one's: thin and dotted, in the colour of the arm of the same id, else in soft ink. */
import { useXAxisScale, useYAxisScale, ZIndexLayer } from 'recharts';
import type { CurvePoint } from '../../store/curves';
import type { Ghost } from '../../store/lab';
import type { PlotProps } from './Plot';

export type GhostCurves = Pick<Ghost, 'label' | 'arms'> & { readonly points: readonly CurvePoint[] };

type Props = Pick<PlotProps, 'arms' | 'updates' | 'axis'> & { readonly ghost: GhostCurves };

const BELOW_BANDS = 50;

export function Ghosts({ ghost, arms, updates, axis: { domain } }: Props) {
  const toX = useXAxisScale();
  const toY = useYAxisScale();
  if (toX === undefined || toY === undefined) return null;
  const [low, high] = domain;
  return (
    <ZIndexLayer zIndex={BELOW_BANDS}>
      <g data-testid="ghosts">
        {ghost.arms.map(({ id, name }, index) => {
          const places = ghost.points.flatMap(({ update, mean }) => {
            const value = mean[index];
            if (value == null || update > updates) return [];
            return [`${toX(update)},${toY(Math.min(high, Math.max(low, value)))}`];
          });
          return (
            <polyline
              key={id}
              points={places.join(' ')}
              fill="none"
              stroke={arms.find((arm) => arm.id === id)?.colour.stroke ?? 'var(--soft-ink)'}
              strokeWidth="1.5"
              strokeDasharray="1 3"
              strokeLinecap="round"
            >
              <title>{`${name}, ${ghost.label}`}</title>
            </polyline>
          );
        })}
      </g>
    </ZIndexLayer>
  );
}
