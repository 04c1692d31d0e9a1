/**
 * Another run's mean lines, thin and dotted, in the colour of the arm of the same id, else in soft ink. One that lies on
 * this run's own line is dotted in the colour of the paper, so that one sees that there are two.
 */
import { useXAxisScale, useYAxisScale, ZIndexLayer } from 'recharts';
import type { CurvePoint } from '../../store/curves';
import type { Ghost } from '../../store/lab';
import { coincides } from './coincidence';
import type { PlotProps } from './Plot';

export type GhostCurves = Pick<Ghost, 'label' | 'arms'> & { readonly points: readonly CurvePoint[] };

type Props = Pick<PlotProps, 'arms' | 'points' | 'horizontal' | 'axis'> & { readonly ghost: GhostCurves };

/** Of its arm on the chart, if there is one. */
export const ghostColour = (arms: PlotProps['arms'], arm: string): string =>
  arms.find(({ id }) => id === arm)?.colour.stroke ?? 'var(--soft-ink)';

const BELOW_BANDS = 50;
const ABOVE_LINES = 850;

export function Ghosts({ ghost, arms, points, horizontal, axis: { domain } }: Props) {
  const toX = useXAxisScale();
  const toY = useYAxisScale();
  if (toX === undefined || toY === undefined) return null;
  const [low, high] = domain;
  const lines = ghost.arms.map(({ id, name }, arm) => {
    const own = arms.findIndex((one) => one.id === id);
    const places = ghost.points.flatMap(({ at, mean }) => {
      const [place, value] = [at[arm], mean[arm]];
      if (place == null || value == null || place > horizontal.end) return [];
      return [`${toX(place)},${toY(Math.min(high, Math.max(low, value)))}`];
    });
    const hidden = own >= 0 && coincides({ points: ghost.points, arm }, { points, arm: own }, domain);
    return { id, name, places: places.join(' '), hidden, colour: ghostColour(arms, id) };
  });
  return [BELOW_BANDS, ABOVE_LINES].map((zIndex) => (
    <ZIndexLayer key={zIndex} zIndex={zIndex}>
      <g data-testid="ghosts">
        {lines
          .filter(({ hidden }) => hidden === (zIndex === ABOVE_LINES))
          .map(({ id, name, places, hidden, colour }) => (
            <polyline
              key={id}
              points={places}
              fill="none"
              stroke={hidden ? 'var(--paper)' : colour}
              strokeWidth="1.5"
              strokeDasharray={hidden ? '1 6' : '1 3'}
              strokeLinecap="round"
            >
              <title>{`${name}, ${ghost.label}${hidden ? ': the same curve' : ''}`}</title>
            </polyline>
          ))}
      </g>
    </ZIndexLayer>
  ));
}
