/** Success against the value: a dot a seed, the mean or interquartile mean joined, and its 95% interval. */

import { placesOf } from '../../../../../experiment/grid/places';
import { formatPercent, formatSetting } from '../../../../kit/format';
import { SHARES } from '../../../../kit/plot/axes';
import { PlotPlace } from '../../../../kit/plot/PlotPlace';
import type { Placement } from '../../../../kit/plot/placement';
import type { ArmColour } from '../../../../model/armColour';

/** Pixels: how wide an interval is drawn, and how far a value's seeds stand apart, so that equal ones can be counted. */
const [BAND, SPREAD] = [18, 3];

export interface SweepPoint {
  readonly value: number;
  readonly seeds: readonly number[];
  readonly centre: number | null;
  readonly interval: readonly [number, number] | null;
  readonly colour: ArmColour;
}

interface Props {
  /** Points by ascending value. */
  readonly points: readonly SweepPoint[];
  readonly name: string;
  readonly label: string;
}

export function SweepChart({ points, name, label }: Props) {
  const { places, gap } = placesOf(points.map(({ value }) => value));
  const valueAt = (place: number): string => formatSetting(points[places.indexOf(place)]?.value ?? Number.NaN);
  return (
    <PlotPlace
      className="sweep-chart plot-thin"
      height={300}
      plot={{
        title: `Success against ${name}`,
        description: label,
        head: 16,
        across: {
          domain: [0, 1],
          ticks: places,
          inset: BAND,
          name,
          write: valueAt,
          words: (place) => `${name}: ${valueAt(place)}`,
        },
        up: { ...SHARES, write: formatPercent },
        series: [
          {
            id: 'centre',
            name: 'success',
            kind: 'mean',
            colour: 'var(--soft-ink)',
            points: points.map(({ centre }, index) => ({ at: places[index] ?? 0, value: centre })),
            isJoined: true,
          },
        ],
        format: formatPercent,
        over: (placement) => (
          <>
            {gap !== null && <Break gap={gap} placement={placement} />}
            {points.map((point, index) => (
              <Value key={point.value} point={point} place={places[index] ?? 0} placement={placement} />
            ))}
          </>
        ),
      }}
    />
  );
}

/** Break of the axis between 0 and the smallest other value. */
function Break({ gap, placement: { area, toX } }: { gap: number; placement: Placement }) {
  return <path className="sweep-break" d={`M${toX(gap) - 6},${area.y + area.height + 6}l6,-12m0,12l6,-12`} />;
}

interface ValueProps {
  readonly point: SweepPoint;
  readonly place: number;
  readonly placement: Placement;
}

function Value({ point, place, placement: { toX, toY } }: ValueProps) {
  const { value, seeds, centre, interval, colour } = point;
  const [x, stroke] = [toX(place), colour.stroke];
  const y = (share: number): number => toY(Math.min(1, Math.max(0, share)));
  return (
    <g data-testid="sweep-point" data-value={value} data-centre={centre ?? ''}>
      {interval !== null && (
        <rect
          x={x - BAND / 2}
          width={BAND}
          y={y(interval[1])}
          height={Math.max(1, y(interval[0]) - y(interval[1]))}
          fill={stroke}
          fillOpacity="0.18"
        />
      )}
      {seeds.map((share, seed) =>
        Number.isFinite(share) ? (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a seed is its index
            key={seed}
            cx={x + (seed - (seeds.length - 1) / 2) * SPREAD}
            cy={y(share)}
            r="3"
            fill={stroke}
            fillOpacity="0.7"
          />
        ) : null,
      )}
      {centre !== null && (
        <line x1={x - BAND / 2} x2={x + BAND / 2} y1={y(centre)} y2={y(centre)} stroke={stroke} strokeWidth="3" />
      )}
    </g>
  );
}
