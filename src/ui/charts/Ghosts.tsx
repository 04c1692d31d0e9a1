/**
 * Another run's mean lines, thin and dotted, in the colour of the arm of the same id, else in soft ink. One that lies on
 * this run's own line is dotted in the colour of the paper, so that one sees that there are two.
 */
import type { CurvePoint } from '../../store/curves';
import type { Ghost } from '../../store/lab';
import { coincides } from './coincidence';
import type { PlotProps } from './Plot';
import type { Placement } from './placement';

export type GhostCurves = Pick<Ghost, 'label' | 'arms'> & { readonly points: readonly CurvePoint[] };

type Props = Pick<PlotProps, 'arms' | 'points' | 'axis'> & {
  readonly ghost: GhostCurves;
  readonly placement: Placement;
  /** Those that lie on a line of this run, which go above it; else the others, which go below. */
  readonly isHidden: boolean;
};

/** Of its arm on the chart, if there is one. */
export const ghostColour = (arms: PlotProps['arms'], arm: string): string =>
  arms.find(({ id }) => id === arm)?.colour.stroke ?? 'var(--soft-ink)';

export function Ghosts({ ghost, arms, points, axis: { domain }, placement, isHidden }: Props) {
  const { toX, toY } = placement;
  const [low, high] = domain;
  const lines = ghost.arms.map(({ id, name }, arm) => ({ id, name, arm, own: arms.findIndex((one) => one.id === id) }));
  const shown = lines.filter(
    ({ arm, own }) => isHidden === (own >= 0 && coincides({ points: ghost.points, arm }, { points, arm: own }, domain)),
  );
  const placesOf = (arm: number): string =>
    ghost.points
      .flatMap(({ at, mean }) => {
        const [place, value] = [at[arm], mean[arm]];
        if (place == null || value == null) return [];
        return [`${toX(place)},${toY(Math.min(high, Math.max(low, value)))}`];
      })
      .join(' ');
  return (
    <g data-testid="ghosts">
      {shown.map(({ id, name, arm }) => (
        <polyline
          key={id}
          points={placesOf(arm)}
          fill="none"
          stroke={isHidden ? 'var(--paper)' : ghostColour(arms, id)}
          strokeWidth="1.5"
          strokeDasharray={isHidden ? '1 6' : '1 3'}
          strokeLinecap="round"
        >
          <title>{`${name}, ${ghost.label}${isHidden ? ': the same curve' : ''}`}</title>
        </polyline>
      ))}
    </g>
  );
}
