/**
 * Success against the value of the first setting: a line for each arm and combination of the other settings, through the mean
 * or interquartile mean, with 95% intervals, and a dot a seed where there is one line. Drawn by Recharts, which comes with the
 * first sweep.
 */
import {
  CartesianGrid,
  ComposedChart,
  Legend,
  Line,
  Tooltip,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from 'recharts';
import type { Axis } from '../../../../../experiment/grid/axes';
import type { CellNumbers } from '../../../../../experiment/grid/finding';
import { type GridLines, linesOf } from '../../../../../experiment/grid/lines';
import { formatPercent, formatSetting } from '../../../../kit/format';
import { numbersLeft, SHARES } from '../../../../kit/plot/axes';
import type { Placement } from '../../../../kit/plot/placement';
import type { ArmColour } from '../../../../model/armColour';
import { type Centre, type Share, shareInWords, shareOf } from './shares';
import '../../../../kit/plot/plot.css';

/** Pixels: how wide an interval is drawn, and how far a value's seeds stand apart, so that equal ones can be counted. */
const [BAND, SPREAD] = [18, 3];
const COLOURS = 8;
/** Most lines whose intervals are drawn: more cover one another. */
const MOST_BANDS = 3;

interface SweepPoint extends Share {
  readonly place: number;
  readonly value: string;
  readonly seeds: readonly (number | null)[];
  readonly stroke: string;
}

interface SweepLine {
  readonly name: string;
  readonly colour: ArmColour;
  readonly points: readonly SweepPoint[];
}

interface Props extends Pick<GridLines, 'across' | 'gap'> {
  /** Label of the first setting, and of all. */
  readonly name: string;
  readonly title: string;
  readonly lines: readonly SweepLine[];
}

export interface DrawnSweep {
  readonly axes: readonly Axis[];
  readonly cells: readonly CellNumbers[];
  /** Colours of arms by their ids, or of values where each is an arm; null where each line takes the next. */
  readonly colours: ReadonlyMap<string, ArmColour | undefined> | null;
  readonly by: Centre;
}

/** Lines and places of a chart: intervals of many seeds take their time. */
export function drawnSweep({ axes, cells, colours, by }: DrawnSweep): Props {
  const { across, gap, lines } = linesOf(axes, cells);
  const valueAt = (place: number): string => across.find((one) => one.place === place)?.value ?? '';
  return {
    name: axes[0]?.key ?? '',
    title: `Success against ${axes.map(({ key }) => key).join(' and ')}`,
    across,
    gap,
    lines: lines.map(({ short, points }, index) => {
      const next = { stroke: `var(--arm-${(index % COLOURS) + 1})`, dash: '' };
      const ofArm = colours === null ? next : colours.get(points[0]?.arm.id ?? '');
      return {
        name: short,
        colour: ofArm ?? { stroke: 'var(--soft-ink)', dash: '' },
        points: points.map(({ place, arm }): SweepPoint => {
          const value = valueAt(place);
          const { stroke } = ofArm ?? colours?.get(value) ?? next;
          return { place, value, seeds: arm.seeds, stroke, ...shareOf(arm, by) };
        }),
      };
    }),
  };
}

const WORDS = { fill: 'var(--soft-ink)' };
/** Axis of numbers, without small lines at them. */
const NUMBERS = { type: 'number', tickLine: false, interval: 'preserveEnd', tick: WORDS } as const;

const valueInWords = (value: string): string => (Number.isFinite(Number(value)) ? formatSetting(Number(value)) : value);

/** Every value of every line: what the picture says, for those who do not see it. */
function inWords({ title, lines }: Props): string {
  const said = lines.map(({ name, points }) => {
    const each = points.map((point) => `${valueInWords(point.value)}: ${shareInWords(point)}`);
    return `${name}: ${each.join(', ')}`;
  });
  return `${title}. ${said.join('; ')}`;
}

export function SweepChart(props: Props) {
  const { name, title, across, lines } = props;
  const places = across.map(({ place }) => place);
  const valueAt = (at: number): string => valueInWords(across.find(({ place }) => place === at)?.value ?? '');
  const pointAt = (line: SweepLine, at: number) => line.points.find(({ place }) => place === at);
  const up = { ...SHARES, write: formatPercent };
  return (
    <ComposedChart
      responsive
      className="plot sweep-chart plot-thin full"
      data={places.map((place) => ({ place }))}
      margin={{ top: 16, right: 12, bottom: 0, left: 0 }}
      title={title}
      desc={inWords(props)}
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
      {lines.length > 1 && (
        <Legend iconType="plainline" formatter={(line) => <span className="small soft">{line}</span>} />
      )}
      {lines.map((line) => (
        <Line
          key={line.name}
          name={line.name}
          dataKey={({ place }: { place: number }) => pointAt(line, place)?.centre ?? null}
          className="plot-mean"
          stroke={line.colour.stroke}
          strokeDasharray={line.colour.dash}
          type="linear"
          connectNulls
          dot={false}
          activeDot={false}
          isAnimationActive={false}
        />
      ))}
      <Over {...props} />
      <Tooltip
        isAnimationActive={false}
        cursor={{ className: 'plot-axis' }}
        content={({ active, label: place }) =>
          active && typeof place === 'number' ? (
            <div className="crosshair small frame raised">
              <p className="soft">{`${name}: ${valueAt(place)}`}</p>
              {lines.map((line) => (
                <p key={line.name}>
                  {line.name} {shareInWords(pointAt(line, place) ?? { centre: null, interval: null })}
                </p>
              ))}
            </div>
          ) : null
        }
      />
    </ComposedChart>
  );
}

/** Seeds and intervals over the lines, in Recharts’ coordinates. */
function Over({ lines, gap }: Pick<Props, 'lines' | 'gap'>) {
  const [area, toX, toY] = [usePlotArea(), useXAxisScale(), useYAxisScale()];
  if (area === undefined || toX === undefined || toY === undefined) return null;
  const placement: Placement = { area, toX: (at) => toX(at) ?? area.x, toY: (share) => toY(share) ?? area.y };
  return (
    <g className="plot-overlay">
      {gap !== null && <Break gap={gap} placement={placement} />}
      {lines.flatMap(({ name, points }) =>
        points.map((point) => (
          <Value key={`${name} ${point.value}`} point={point} lines={lines.length} placement={placement} />
        )),
      )}
    </g>
  );
}

/** Break of the axis between 0 and the smallest other value. */
function Break({ gap, placement: { area, toX } }: { gap: number; placement: Placement }) {
  return <path className="sweep-break" d={`M${toX(gap) - 6},${area.y + area.height + 6}l6,-12m0,12l6,-12`} />;
}

interface ValueProps {
  readonly point: SweepPoint;
  /** Lines of the chart: many leave room for less of each. */
  readonly lines: number;
  readonly placement: Placement;
}

function Value({ point, lines, placement: { toX, toY } }: ValueProps) {
  const { value, place, seeds, centre, interval, stroke } = point;
  const x = toX(place);
  return (
    <g data-testid="sweep-point" data-value={value} data-centre={centre ?? ''}>
      {interval !== null && lines <= MOST_BANDS && (
        <rect
          x={x - BAND / 2}
          width={BAND}
          y={toY(interval[1])}
          height={Math.max(1, toY(interval[0]) - toY(interval[1]))}
          fill={stroke}
          fillOpacity="0.18"
        />
      )}
      {seeds.map((share, seed) =>
        lines === 1 && share !== null && Number.isFinite(share) ? (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a seed is its index
            key={seed}
            cx={x + (seed - (seeds.length - 1) / 2) * SPREAD}
            cy={toY(Math.min(1, Math.max(0, share)))}
            r="3"
            fill={stroke}
            fillOpacity="0.7"
          />
        ) : null,
      )}
      {centre !== null && (
        <line x1={x - BAND / 2} x2={x + BAND / 2} y1={toY(centre)} y2={toY(centre)} stroke={stroke} strokeWidth="3" />
      )}
    </g>
  );
}
