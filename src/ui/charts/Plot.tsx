/**
 * One chart drawn with Recharts, which only this file and its overlay import: it is loaded apart from the page. Mean
 * lines over 95% bands, no animation, a crosshair shared by all charts.
 */
import { Area, CartesianGrid, ComposedChart, Line, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts';
import type { CurvePoint } from '../../store/curves';
import type { ArmColour } from '../armColour';
import { Crosshair } from './Crosshair';
import type { ChartDefinition } from './definitions';
import { type GhostCurves, Ghosts } from './Ghosts';
import { Overlay } from './Overlay';
import { type HorizontalAxis, writeTick } from './progress';
import { type Row, rowsOf } from './rows';
import type { ValueAxis } from './scale';

export interface PlottedArm {
  readonly id: string;
  readonly name: string;
  readonly colour: ArmColour;
}

/** A setting changed live: where in which arms (by index), and in words. */
export interface Mark {
  readonly update: number;
  readonly places: readonly { readonly arm: number; readonly at: number }[];
  readonly words: string;
}

export interface PlotProps {
  readonly definition: ChartDefinition;
  readonly points: readonly CurvePoint[];
  /** Below which the means cannot get, point by point; null where that is 0. */
  readonly floors: readonly CurvePoint[] | null;
  readonly arms: readonly PlottedArm[];
  readonly marks: readonly Mark[];
  readonly horizontal: HorizontalAxis;
  /** Another run's means, drawn behind. */
  readonly ghost: GhostCurves | null;
  readonly axis: ValueAxis;
  readonly reference: { readonly value: number; readonly name: string } | null;
}

const MARGIN = { top: 8, right: 112, bottom: 0, left: 0 };
const TICK = { fontSize: 13, fill: 'var(--soft-ink)' };

export function Plot({ definition, points, floors, arms, marks, horizontal, axis, reference, ghost }: PlotProps) {
  const [low, high] = axis.domain;
  const floorAt = new Map(floors?.map(({ update, mean }) => [update, mean]));
  const rows = rowsOf(points);
  const bandOpacity = Math.min(0.16, 0.5 / arms.length);
  // Arms that stand apart on the axis share no rows, so each joins its own.
  const joined = definition.sparse || rows.length > points.length;
  return (
    <ComposedChart
      responsive
      className="plot"
      data={rows as Row[]}
      margin={MARGIN}
      syncId={horizontal.over}
      syncMethod="value"
      title={`${definition.title}, ${definition.unit}`}
      desc={`Mean of each arm over its seeds, over ${horizontal.over}. The same numbers are under “As table”.`}
    >
      <CartesianGrid vertical={false} stroke="var(--hairline)" />
      <XAxis
        dataKey="at"
        type="number"
        domain={[0, horizontal.end]}
        ticks={horizontal.ticks as number[]}
        tickFormatter={writeTick}
        tick={TICK}
        tickLine={false}
        axisLine={{ stroke: 'var(--control)' }}
        height={24}
        allowDataOverflow
      />
      <YAxis
        type="number"
        scale={axis.log ? 'log' : 'linear'}
        domain={[low, high]}
        ticks={axis.ticks as number[]}
        tickFormatter={definition.unit.startsWith('of ') ? writePercent : writeValue}
        tick={TICK}
        tickLine={false}
        axisLine={false}
        width={44}
        allowDataOverflow
      />
      {arms.map(({ id, colour }, index) => (
        <Area
          key={`band-${id}`}
          dataKey={({ points: at }: Row) => clamp(at[index]?.band[index] ?? null, axis)}
          stroke="none"
          fill={colour.stroke}
          fillOpacity={bandOpacity}
          isAnimationActive={false}
          connectNulls={joined}
          activeDot={false}
          legendType="none"
        />
      ))}
      {reference !== null && (
        <ReferenceLine y={reference.value} stroke="var(--soft-ink)" strokeDasharray="3 3" ifOverflow="hidden" />
      )}
      {floors !== null &&
        arms.map(({ id, colour }, index) => (
          <Line
            key={`floor-${id}`}
            dataKey={({ points: at }: Row) => floorAt.get(at[index]?.update ?? Number.NaN)?.[index] ?? null}
            stroke={colour.stroke}
            strokeWidth={1}
            dot={false}
            activeDot={false}
            isAnimationActive={false}
            connectNulls={joined}
            legendType="none"
          />
        ))}
      {arms.map(({ id, name, colour }, index) => (
        <Line
          key={`mean-${id}`}
          name={name}
          dataKey={({ points: at }: Row) => at[index]?.mean[index] ?? null}
          stroke={colour.stroke}
          strokeDasharray={colour.dash}
          strokeWidth={2}
          dot={points.length === 1 ? { r: 2, strokeWidth: 0, fill: colour.stroke } : false}
          activeDot={{ r: 3, strokeWidth: 0 }}
          isAnimationActive={false}
          connectNulls={joined}
        />
      ))}
      {ghost !== null && <Ghosts {...{ ghost, arms, points, axis, horizontal }} />}
      <Overlay {...{ points, arms, marks, axis, reference, ghost }} format={definition.format} />
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: 'var(--control)' }}
        content={({ active, label }) =>
          active && typeof label === 'number' ? (
            <Crosshair at={label} {...{ rows, arms, marks, definition }} over={horizontal.over} />
          ) : null
        }
      />
    </ComposedChart>
  );
}

const writePercent = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;
const writeValue = (value: number): string => String(Number(value.toPrecision(3))).replace('-', '−');

/** Bands end at the chart's edge; on a logarithmic axis nothing at or below zero can be drawn. */
function clamp(band: readonly [number, number] | null, { domain, log }: ValueAxis): [number, number] | null {
  if (band === null) return null;
  return [log ? Math.max(band[0], domain[0]) : band[0], log ? Math.max(band[1], domain[0]) : band[1]];
}
