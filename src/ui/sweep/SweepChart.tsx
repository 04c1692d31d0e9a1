/** Success against the value: a dot a seed, the mean or interquartile mean joined, and its 95% interval. */
import { useRef } from 'react';
import type { ArmColour } from '../armColour';
import { formatPercent, formatSetting } from '../format';
import { useWidth } from '../useWidth';
import { placesOf } from './places';

const HEIGHT = 300;
/** Pixels around the plot; the height is given, the width is the place's. */
const MARGIN = { left: 44, right: 12 } as const;
const PLOT = { top: 16, bottom: HEIGHT - 44 } as const;
const BAND = 18;
/** Seeds of a value stand this far apart, so that equal ones can be counted. */
const SPREAD = 3;
const TICKS = [0, 0.25, 0.5, 0.75, 1] as const;

export interface SweepPoint {
  readonly value: number;
  readonly seeds: readonly number[];
  readonly centre: number | null;
  readonly interval: readonly [number, number] | null;
  readonly colour: ArmColour;
}

interface Props {
  /** By ascending value. */
  readonly points: readonly SweepPoint[];
  readonly name: string;
  readonly label: string;
}

export function SweepChart(props: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  return (
    <div ref={frame} className="sweep-chart">
      {width > 0 && <Drawing {...props} width={width} />}
    </div>
  );
}

function Drawing({ points, name, label, width }: Props & { width: number }) {
  const { places, gap } = placesOf(points.map(({ value }) => value));
  const [left, right] = [MARGIN.left, width - MARGIN.right];
  const x = (place: number) => left + BAND + place * (right - left - 2 * BAND);
  const y = (share: number) => PLOT.bottom - Math.min(1, Math.max(0, share)) * (PLOT.bottom - PLOT.top);
  const at = (index: number) => x(places[index] ?? 0);
  const joined = points.flatMap(({ centre }, index) => (centre === null ? [] : [`${at(index)},${y(centre)}`]));
  return (
    <svg width={width} height={HEIGHT} role="img" aria-label={label}>
      {TICKS.map((tick) => (
        <g key={tick}>
          <line className="sweep-grid" x1={left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 8} y={y(tick) + 4} textAnchor="end">
            {formatPercent(tick)}
          </text>
        </g>
      ))}
      {gap !== null && <path className="sweep-break" d={`M${x(gap) - 6},${PLOT.bottom + 6}l6,-12m0,12l6,-12`} />}
      <polyline className="sweep-line" points={joined.join(' ')} />
      {points.map(({ value, seeds, centre, interval, colour }, index) => (
        <g key={value} data-testid="sweep-point" data-value={value} data-centre={centre ?? ''}>
          {interval !== null && (
            <rect
              x={at(index) - BAND / 2}
              width={BAND}
              y={y(interval[1])}
              height={Math.max(1, y(interval[0]) - y(interval[1]))}
              fill={colour.stroke}
              fillOpacity="0.18"
            />
          )}
          {seeds.map((share, seed) =>
            Number.isFinite(share) ? (
              <circle
                // biome-ignore lint/suspicious/noArrayIndexKey: a seed is its index
                key={seed}
                cx={at(index) + (seed - (seeds.length - 1) / 2) * SPREAD}
                cy={y(share)}
                r="3"
                fill={colour.stroke}
                fillOpacity="0.7"
              />
            ) : null,
          )}
          {centre !== null && (
            <line
              x1={at(index) - BAND / 2}
              x2={at(index) + BAND / 2}
              y1={y(centre)}
              y2={y(centre)}
              stroke={colour.stroke}
              strokeWidth="3"
            />
          )}
          <text x={at(index)} y={PLOT.bottom + 18} textAnchor="middle">
            {formatSetting(value)}
          </text>
        </g>
      ))}
      <text x={(left + right) / 2} y={HEIGHT - 6} textAnchor="middle">
        {name}
      </text>
    </svg>
  );
}
