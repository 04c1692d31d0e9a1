/**
 * Success against the value: a dot a seed, the mean or interquartile mean joined, and its 95% interval. Drawn by Recharts,
 * which comes with the first sweep.
 */
import {
  CartesianGrid,
  ComposedChart,
  Line,
  Tooltip,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from 'recharts';
import { placesOf } from '../../../../../experiment/grid/places';
import { formatPercent, formatSetting } from '../../../../kit/format';
import { numbersLeft, SHARES } from '../../../../kit/plot/axes';
import type { Placement } from '../../../../kit/plot/placement';
import type { ArmColour } from '../../../../model/armColour';
import '../../../../kit/plot/plot.css';

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

const WORDS = { fill: 'var(--soft-ink)' };
/** Axis of numbers, without small lines at them. */
const NUMBERS = { type: 'number', tickLine: false, interval: 'preserveEnd', tick: WORDS } as const;

export function SweepChart({ points, name, label }: Props) {
  const { places, gap } = placesOf(points.map(({ value }) => value));
  const valueAt = (place: number): string => formatSetting(points[places.indexOf(place)]?.value ?? Number.NaN);
  const up = { ...SHARES, write: formatPercent };
  return (
    <ComposedChart
      responsive
      className="plot sweep-chart plot-thin full"
      data={points.map(({ centre }, index) => ({ place: places[index], centre }))}
      margin={{ top: 16, right: 12, bottom: 0, left: 0 }}
      title={`Success against ${name}`}
      desc={label}
    >
      <CartesianGrid vertical={false} stroke="var(--hairline)" />
      <XAxis
        {...NUMBERS}
        dataKey="place"
        domain={[0, 1]}
        ticks={places}
        tickFormatter={valueAt}
        padding={{ left: BAND, right: BAND }}
        height={44}
        axisLine={{ className: 'plot-axis' }}
        label={{ ...WORDS, value: name, position: 'insideBottom' }}
      />
      <YAxis
        {...NUMBERS}
        domain={[...up.domain]}
        ticks={[...up.ticks]}
        tickFormatter={formatPercent}
        width={numbersLeft(up)}
        axisLine={false}
      />
      <Line
        dataKey="centre"
        className="plot-mean"
        stroke="var(--soft-ink)"
        type="linear"
        connectNulls
        dot={false}
        activeDot={false}
        isAnimationActive={false}
      />
      <Over points={points} places={places} gap={gap} />
      <Tooltip
        isAnimationActive={false}
        cursor={{ className: 'plot-axis' }}
        content={({ active, label: place }) =>
          active && typeof place === 'number' ? (
            <Told point={points[places.indexOf(place)]} words={`${name}: ${valueAt(place)}`} />
          ) : null
        }
      />
    </ComposedChart>
  );
}

/** Words at the crosshair. */
function Told({ point, words }: { point: SweepPoint | undefined; words: string }) {
  return (
    <div className="crosshair small frame raised">
      <p className="soft">{words}</p>
      <p>success {point?.centre == null ? '–' : formatPercent(point.centre)}</p>
    </div>
  );
}

interface OverProps {
  readonly points: readonly SweepPoint[];
  readonly places: readonly number[];
  readonly gap: number | null;
}

/** Seeds and intervals over the line, in Recharts’ coordinates. */
function Over({ points, places, gap }: OverProps) {
  const [area, toX, toY] = [usePlotArea(), useXAxisScale(), useYAxisScale()];
  if (area === undefined || toX === undefined || toY === undefined) return null;
  const placement: Placement = { area, toX: (at) => toX(at) ?? area.x, toY: (share) => toY(share) ?? area.y };
  return (
    <g className="plot-overlay">
      {gap !== null && <Break gap={gap} placement={placement} />}
      {points.map((point, index) => (
        <Value key={point.value} point={point} place={places[index] ?? 0} placement={placement} />
      ))}
    </g>
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
