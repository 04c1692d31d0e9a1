/**
 * Success against the value of the first setting: a line for each arm and combination of the other settings, through the mean
 * or interquartile mean, with 95% intervals, and a dot a seed where there is one line. Drawn by Recharts, which comes with the
 * first sweep.
 */
import { memo } from 'react';
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
import type { Axis } from '../../../../../experiment/grid/axes';
import type { CellNumbers, SweptNumber } from '../../../../../experiment/grid/finding';
import { type GridLines, linesOf, titleOf } from '../../../../../experiment/grid/lines';
import { formatPercent, formatSetting } from '../../../../kit/format';
import { numbersLeft, SHARES } from '../../../../kit/plot/axes';
import type { Placement } from '../../../../kit/plot/placement';
import { Swatch } from '../../../../kit/plot/Swatch';
import type { ArmColour } from '../../../../model/armColour';
import { type Centre, type Share, shareInWords, shareOf } from './shares';
import '../../../../kit/plot/plot.css';

/** Pixels: how wide an interval is drawn, and how far a value's seeds stand apart, so that equal ones can be counted. */
const [BAND, SPREAD] = [18, 3];
/** Colours of lines, and dashes once all colours are taken. */
const [COLOURS, DASHES] = [8, ['', '6 3', '2 3', '8 3 2 3']];
/** Most lines whose intervals are drawn: more cover one another. */
const MOST_BANDS = 3;

export interface SweepChartProps {
  /** Axes, called by their labels. */
  readonly axes: readonly Axis[];
  readonly cells: readonly CellNumbers[];
  /** Colours of arms by their ids, or of values where each is an arm; null where each line takes the next. */
  readonly colours: ReadonlyMap<string, ArmColour | undefined> | null;
  readonly by: SweptNumber;
  readonly centre: Centre;
}

interface DrawnPoint extends Share {
  readonly place: number;
  readonly value: string;
  readonly stroke: string;
  /** Interval and seeds that there is room to draw. */
  readonly band: Share['interval'];
  readonly dots: readonly (number | null)[];
}

interface DrawnLine extends ArmColour {
  readonly name: string;
  readonly points: readonly DrawnPoint[];
}

function drawnLines({ across, lines }: GridLines, { colours, by, centre }: SweepChartProps): DrawnLine[] {
  return lines.map(({ short, points }, index) => {
    const next = {
      stroke: `var(--arm-${(index % COLOURS) + 1})`,
      dash: DASHES[Math.floor(index / COLOURS) % DASHES.length] ?? '',
    };
    const ofArm = colours === null ? next : colours.get(points[0]?.arm.id ?? '');
    return {
      name: short,
      ...(ofArm ?? { stroke: 'var(--soft-ink)', dash: '' }),
      points: points.map(({ place, arm }): DrawnPoint => {
        const value = across.find((one) => one.place === place)?.value ?? '';
        const { stroke } = ofArm ?? colours?.get(value) ?? next;
        const seeds = arm.seeds.map((seed) => seed[by]);
        const share = shareOf(seeds, centre);
        const band = lines.length > MOST_BANDS ? null : share.interval;
        return { ...share, place, value, stroke, band, dots: lines.length === 1 ? seeds : [] };
      }),
    };
  });
}

const WORDS = { fill: 'var(--soft-ink)' };
/** Axis of numbers, without small lines at them. */
const NUMBERS = { type: 'number', tickLine: false, interval: 'preserveEnd', tick: WORDS } as const;

const valueInWords = (value: string): string => (Number.isFinite(Number(value)) ? formatSetting(Number(value)) : value);

/** Memory of what it drew: intervals of many seeds take their time. */
export const SweepChart = memo(function SweepChart(props: SweepChartProps) {
  const grid = linesOf(props.axes, props.cells);
  const lines = drawnLines(grid, props);
  const name = props.axes[0]?.key ?? '';
  const places = grid.across.map(({ place }) => place);
  const valueAt = (at: number): string => valueInWords(grid.across.find(({ place }) => place === at)?.value ?? '');
  const up = { ...SHARES, write: formatPercent };
  // Every value of every line, for those who do not see the picture.
  const said = lines.map((line) => {
    const each = line.points.map((point) => `${point.value}: ${shareInWords(point)}`);
    return `${line.name}: ${each.join(', ')}`;
  });
  return (
    <div>
      {/* Above: the box at the crosshair goes below the chart where there are many lines. */}
      {lines.length > 1 && (
        <p className="small soft row row-close" data-testid="sweep-lines">
          {lines.map((line) => (
            <span key={line.name}>
              <LineName line={line} />
            </span>
          ))}
        </p>
      )}
      <ComposedChart
        responsive
        className="plot sweep-chart plot-thin full"
        data={places.map((place) => ({ place }))}
        margin={{ top: 16, right: 12, bottom: 0, left: 0 }}
        title={titleOf(props.axes)}
        desc={said.join('; ')}
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
        {lines.map((line) => (
          <Line
            key={line.name}
            name={line.name}
            dataKey={({ place }: { place: number }) => shareAt(line, place).centre}
            className="plot-mean"
            stroke={line.stroke}
            strokeDasharray={line.dash}
            type="linear"
            connectNulls
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
        ))}
        <Over lines={lines} gap={grid.gap} />
        <Tooltip
          isAnimationActive={false}
          cursor={{ className: 'plot-axis' }}
          content={({ active, label: place }) =>
            active && typeof place === 'number' ? (
              <div className="crosshair small frame raised">
                <p className="soft">{`${name}: ${valueAt(place)}`}</p>
                {lines.map((line) => (
                  <p key={line.name}>
                    <LineName line={line} /> {shareInWords(shareAt(line, place))}
                  </p>
                ))}
              </div>
            ) : null
          }
        />
      </ComposedChart>
    </div>
  );
});

const LineName = ({ line: { stroke, dash, name } }: { readonly line: DrawnLine }) => (
  <>
    <Swatch stroke={stroke} dash={dash} /> {name}
  </>
);

const shareAt = ({ points }: DrawnLine, at: number): Share =>
  points.find(({ place }) => place === at) ?? { centre: null, interval: null };

/** Seeds and intervals over the lines, in Recharts’ coordinates. */
function Over({ lines, gap }: { lines: readonly DrawnLine[]; gap: number | null }) {
  const [area, toX, toY] = [usePlotArea(), useXAxisScale(), useYAxisScale()];
  if (area === undefined || toX === undefined || toY === undefined) return null;
  const placement: Placement = {
    area,
    toX: (at) => toX(at) ?? area.x,
    toY: (share) => toY(Math.min(1, Math.max(0, share))) ?? area.y,
  };
  return (
    <g className="plot-overlay">
      {gap !== null && <Break gap={gap} placement={placement} />}
      {lines.flatMap(({ name, points }) =>
        points.map((point) => <Value key={`${name} ${point.value}`} point={point} placement={placement} />),
      )}
    </g>
  );
}

/** Break of the axis between 0 and the smallest other value. */
function Break({ gap, placement: { area, toX } }: { gap: number; placement: Placement }) {
  return <path className="sweep-break" d={`M${toX(gap) - 6},${area.y + area.height + 6}l6,-12m0,12l6,-12`} />;
}

function Value({ point, placement: { toX, toY } }: { point: DrawnPoint; placement: Placement }) {
  const { place, value, centre, stroke, band, dots } = point;
  const x = toX(place);
  return (
    <g data-testid="sweep-point" data-value={value} data-centre={centre ?? ''}>
      {band !== null && (
        <rect
          x={x - BAND / 2}
          width={BAND}
          y={toY(band[1])}
          height={Math.max(1, toY(band[0]) - toY(band[1]))}
          fill={stroke}
          fillOpacity="0.18"
        />
      )}
      {dots.map((share, seed) =>
        share === null ? null : (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a seed is its index
            key={seed}
            cx={x + (seed - (dots.length - 1) / 2) * SPREAD}
            cy={toY(share)}
            r="3"
            fill={stroke}
            fillOpacity="0.7"
          />
        ),
      )}
      {centre !== null && (
        <line x1={x - BAND / 2} x2={x + BAND / 2} y1={toY(centre)} y2={toY(centre)} stroke={stroke} strokeWidth="3" />
      )}
    </g>
  );
}
