/** Bands, and over them lines, cut at the edges of the plot. */
import { useId } from 'react';
import { bandPath, linePath } from './paths';
import type { Placement } from './placement';
import type { Series } from './plot';

/** Opacity of a band that is alone, and of all together at most. */
const [ALONE, TOGETHER] = [0.16, 0.5];
/** Pixels of a dot's radius. */
const DOT = 3.5;

interface Props {
  readonly series: readonly Series[];
  readonly placement: Placement;
}

export function Curves({ series, placement: { area, toX, toY } }: Props) {
  const clip = useId();
  const isOn = (x: number): boolean => x >= area.x && x <= area.x + area.width;
  const bands = series.filter(({ points }) => points.some(({ band }) => band != null));
  return (
    <>
      <clipPath id={clip}>
        <rect {...area} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        {bands.map(({ id, kind, colour, points, isJoined }) => (
          <path
            key={`${kind} ${id}`}
            className="plot-band"
            d={bandPath(points, toX, toY, isJoined)}
            fill={colour}
            fillOpacity={Math.min(ALONE, TOGETHER / bands.length)}
          />
        ))}
        {series.map(({ id, name, title = name, kind, colour, dash = '', points, isJoined }) => (
          <g key={`${kind} ${id}`} className={`plot-line plot-${kind}`}>
            <path d={linePath(points, toX, toY, isJoined)} fill="none" stroke={colour} strokeDasharray={dash}>
              <title>{title}</title>
            </path>
          </g>
        ))}
      </g>
      {series.map(({ id, kind, colour, points, hasDots }) => (
        <g key={`${kind} ${id}`}>
          {(hasDots || points.length === 1) &&
            points.map(
              ({ at, value }) =>
                value !== null &&
                isOn(toX(at)) && <circle key={at} cx={toX(at)} cy={toY(value)} r={DOT} fill={colour} />,
            )}
        </g>
      ))}
    </>
  );
}
