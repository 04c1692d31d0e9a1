/**
 * One chart, drawn by Recharts, which only this file imports and which is loaded apart from the page. Nothing is animated,
 * and layers stand in the order in which they are written here.
 */
import { type ComponentProps, memo, useMemo } from 'react';
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Curve,
  Line,
  ReferenceLine,
  Tooltip,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  type XAxisTickContentProps,
  YAxis,
  type YAxisTickContentProps,
} from 'recharts';
import { NUMBERS_APART, numbersLeft } from './axes';
import { Crosshair } from './Crosshair';
import { Names } from './Names';
import type { Placement } from './placement';
import type { PlotProps } from './plot';
import { rowsOf } from './rows';
import './plot.css';

/** Pixels for the numbers of the horizontal axis; and for an axis' name. */
const [NUMBERS_BELOW, NAME] = [24, 20];

/** Otherwise it fills its place. */
interface Size {
  readonly width: number;
  readonly height: number;
}

export const Plot = memo(function Plot(props: PlotProps & { readonly size?: Size }) {
  const { title, description, across, up, reference = null, head = 8, room = 12, together, size } = props;
  const series = useMemo(() => props.series.filter(({ points }) => points.length > 0), [props.series]);
  const rows = useMemo(() => rowsOf(series), [series]);
  const bands = series.filter(({ points }) => points.some(({ band }) => band != null));
  const bandOpacity = Math.min(0.16, 0.5 / bands.length);
  return (
    <ComposedChart
      {...(size ?? { responsive: true })}
      className="plot cover full"
      data={rows}
      margin={{ top: head, right: room, bottom: 0, left: 0 }}
      {...(together === undefined ? {} : { syncId: together, syncMethod: 'value' })}
      title={title}
      desc={description}
    >
      <CartesianGrid vertical={false} stroke="var(--hairline)" zIndex={0} />
      <XAxis
        {...axisOf(across)}
        dataKey="at"
        height={NUMBERS_BELOW + (across.name === undefined ? 0 : NAME)}
        padding={{ left: across.inset ?? 0, right: across.inset ?? 0 }}
        axisLine={{ className: 'plot-axis' }}
        {...(across.name === undefined
          ? {}
          : { label: { value: across.name, position: 'insideBottom', className: 'plot-tick' } })}
      />
      <YAxis {...axisOf(up)} width={numbersLeft(up)} axisLine={false} />
      {bands.map((one) => (
        <Area
          key={one.id}
          {...STILL}
          dataKey={`band-${series.indexOf(one)}`}
          shape={ownPlaces}
          className="plot-band"
          connectNulls={one.isJoined ?? false}
          fill={one.colour}
          fillOpacity={bandOpacity}
          stroke="none"
          activeDot={false}
        />
      ))}
      {reference !== null && <ReferenceLine y={reference.value} className="plot-reference-line" zIndex={0} />}
      {series.map(({ id, name, title: told = name, kind, colour, dash = '', ...more }, index) => (
        <Line
          key={`${kind} ${id}`}
          {...STILL}
          dataKey={`value-${index}`}
          name={name}
          shape={ownPlaces}
          className={`plot-${kind}`}
          connectNulls={more.isJoined ?? false}
          stroke={colour}
          strokeDasharray={dash}
          dot={
            (more.hasDots || more.points.length === 1) && {
              clipDot: false,
              r: 3.5,
              strokeDasharray: '',
              fill: colour,
              stroke: 'none',
            }
          }
          activeDot={kind === 'mean' && { r: 3, fill: colour, stroke: 'none' }}
        >
          <title>{told}</title>
        </Line>
      ))}
      <Over {...props} />
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: 'var(--control)' }}
        content={({ active, label }) =>
          active && typeof label === 'number' ? <Crosshair {...props} rows={rows} at={label} /> : null
        }
      />
    </ComposedChart>
  );
});

const STILL = { isAnimationActive: false, type: 'linear', zIndex: 0, tooltipType: 'none', legendType: 'none' } as const;

const axisOf = ({ domain, ticks, log = false, write }: PlotProps['up']) =>
  ({
    type: 'number',
    scale: log ? 'log' : 'linear',
    domain: [...domain],
    ticks: [...ticks],
    tickFormatter: write,
    tick: writeTick,
    tickLine: false,
    tickSize: 0,
    tickMargin: NUMBERS_APART,
    interval: 'preserveEnd',
    allowDataOverflow: true,
    zIndex: 0,
  }) as const;

/** Plain text: Recharts’ own measures each number’s words to break them into lines. */
function writeTick(props: XAxisTickContentProps | YAxisTickContentProps) {
  const { x, y, payload, textAnchor, tickFormatter, index } = props;
  const isAcross = textAnchor === 'middle';
  return (
    <text
      className="plot-tick"
      x={x}
      y={isAcross ? y : payload.coordinate}
      dy={isAcross ? '0.71em' : '0.355em'}
      textAnchor={textAnchor}
    >
      {tickFormatter?.(payload.value, index)}
    </text>
  );
}

type CurveProps = ComponentProps<typeof Curve>;

/**
 * Without the places at which only other lines have a point: those are no gaps. And without Recharts’ hold on the path, whose
 * length it would measure at every drawing, for animations.
 */
function ownPlaces(props: object) {
  const { points = [], baseLine, pathRef: _, ...rest } = props as CurveProps;
  const own = <T,>(all: readonly T[]): T[] => all.filter((_, index) => isOwn(points[index]));
  return <Curve {...rest} points={own(points)} {...(Array.isArray(baseLine) ? { baseLine: own(baseLine) } : {})} />;
}

/** A line's point has its value, a band's from where and to where. */
function isOwn(point: object | undefined): boolean {
  const { value } = point as { value: unknown };
  return (Array.isArray(value) ? value[1] : value) !== undefined;
}

/** Writing and marks on the lines, in Recharts’ coordinates. */
function Over(props: PlotProps) {
  const area = usePlotArea();
  const toX = useXAxisScale();
  const toY = useYAxisScale();
  if (area === undefined || toX === undefined || toY === undefined) return null;
  const placement: Placement = {
    area,
    toX: (at) => toX(at) ?? area.x,
    toY: (value) => toY(value) ?? area.y + area.height,
  };
  const { over } = props;
  return (
    <g className="plot-overlay">
      <Names {...props} placement={placement} />
      {over?.(placement)}
    </g>
  );
}
