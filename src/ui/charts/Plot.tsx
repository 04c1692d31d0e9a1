/**
 * One chart. Recharts, which only this file imports and which is loaded apart from the page, gives it its coordinates and
 * the crosshair that all charts share, by pointer and by keyboard; what stands in them is drawn by the files beside this one.
 */
import {
  ComposedChart,
  Line,
  Tooltip,
  useActiveTooltipLabel,
  useIsTooltipActive,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from 'recharts';
import type { CurvePoint } from '../../store/curves';
import type { ArmColour } from '../armColour';
import { Crosshair } from './Crosshair';
import { Curves, Dots } from './Curves';
import type { ChartDefinition } from './definition';
import { Frame } from './Frame';
import { type GhostCurves, Ghosts } from './Ghosts';
import { Overlay } from './Overlay';
import type { Placement } from './placement';
import type { HorizontalAxis } from './progress';
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

export function Plot(props: PlotProps) {
  const { definition, points, arms, marks, horizontal, axis } = props;
  const rows = rowsOf(points);
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
      <XAxis
        dataKey="at"
        type="number"
        domain={[0, horizontal.end]}
        tick={false}
        tickLine={false}
        axisLine={false}
        height={24}
        allowDataOverflow
      />
      <YAxis
        type="number"
        scale={axis.log ? 'log' : 'linear'}
        domain={[...axis.domain]}
        tick={false}
        tickLine={false}
        axisLine={false}
        width={44}
        allowDataOverflow
      />
      {/* Not drawn: a crosshair needs something to speak of. */}
      <Line dataKey="at" hide isAnimationActive={false} />
      <Drawing {...props} />
      <Pointed {...{ rows, arms, axis }} />
      <Tooltip
        includeHidden
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

function usePlacement(): Placement | null {
  const area = usePlotArea();
  const toX = useXAxisScale();
  const toY = useYAxisScale();
  if (area === undefined || toX === undefined || toY === undefined) return null;
  return { area, toX: (at) => toX(at) ?? area.x, toY: (value) => toY(value) ?? area.y + area.height };
}

function Drawing(props: PlotProps) {
  const placement = usePlacement();
  if (placement === null) return null;
  const { definition, ghost } = props;
  return (
    <>
      <Frame {...props} placement={placement} />
      {ghost !== null && <Ghosts {...props} ghost={ghost} placement={placement} isHidden={false} />}
      <Curves {...props} placement={placement} />
      {ghost !== null && <Ghosts {...props} ghost={ghost} placement={placement} isHidden />}
      <Overlay {...props} placement={placement} format={definition.format} />
    </>
  );
}

/** A dot on each line under the crosshair. */
function Pointed({ rows, arms, axis }: Pick<PlotProps, 'arms' | 'axis'> & { readonly rows: readonly Row[] }) {
  const placement = usePlacement();
  const label = useActiveTooltipLabel();
  const isActive = useIsTooltipActive();
  const row = isActive ? rows.find(({ at }) => at === label) : undefined;
  if (row === undefined || placement === null) return null;
  return <Dots {...{ arms, axis, placement }} radius={3} pointOf={(arm) => row.points[arm]} />;
}
