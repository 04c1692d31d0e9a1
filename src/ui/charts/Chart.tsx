/**
 * A chart's frame: title, unit, table on request, and a body whose size never changes. The plot itself is loaded apart
 * and redrawn only while it is on screen.
 */
import { memo, useEffect, useId, useRef, useState } from 'react';
import { armSettings, type Change, type Experiment } from '../../experiment/experiment';
import { EVERY_ARM } from '../../experiment/timeline';
import type { CurvePoint, CurveShape, CurveSource } from '../../store/curves';
import { armColours } from '../armColour';
import { nameOfValue } from '../controls/valueNames';
import { worldOf } from '../environment';
import { formatMeasured } from '../format';
import { useLab, usePreferences } from '../useLab';
import { useRandomSuccess } from '../useRandomSuccess';
import { AxisChoice } from './AxisChoice';
import { ChartMenu } from './ChartMenu';
import { CurveTable } from './CurveTable';
import type { ChartDefinition } from './definition';
import { isFloor } from './floor';
import { usePlot } from './loadPlot';
import { noteOf } from './note';
import type { Mark, PlotProps } from './Plot';
import { ProgressChoice } from './ProgressChoice';
import { horizontalAxis, inSight } from './progress';
import { type Prepare, shapeOf, useCompletion, useOnScreen, usePrepare, useRedraw } from './redraw';
import { SmoothingChoice } from './SmoothingChoice';
import { armsAbove, valueAxis } from './scale';
import { chartFound, useIsAsked } from './shownChart';
import { useLetGo } from './useLetGo';
import './charts.css';

const NOTHING: readonly CurvePoint[] = [];

export const Chart = memo(function Chart({
  definition,
  compact = false,
}: {
  definition: ChartDefinition;
  compact?: boolean;
}) {
  const [asTable, setAsTable] = useState(false);
  const frame = useRef<HTMLElement>(null);
  const prepare = usePrepare(definition);
  const visible = useOnScreen(frame, prepare);
  useShown(frame, definition.metric);
  useLetGo(frame);
  const titleId = useId();
  return (
    <section
      ref={frame}
      className={`chart${compact ? ' chart-compact' : ''}`}
      aria-labelledby={titleId}
      data-testid={`chart-${definition.metric}`}
    >
      <div className="chart-head">
        <h3 id={titleId}>
          {definition.title}
          <span className="soft chart-unit">, {definition.unit}</span>
        </h3>
        <ChartMenu definition={definition} />
        <button
          type="button"
          className="button button-quiet small"
          aria-pressed={asTable}
          aria-label={`${definition.title}: data as ${asTable ? 'chart' : 'table'}`}
          data-testid={`table-${definition.metric}`}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? 'As chart' : 'As table'}
        </button>
      </div>
      {asTable ? <CurveTable definition={definition} /> : <Drawn {...{ definition, visible, prepare, compact }} />}
    </section>
  );
});

interface DrawnProps {
  readonly definition: ChartDefinition;
  readonly visible: boolean;
  readonly prepare: Prepare;
  readonly compact: boolean;
}

function Drawn({ definition, visible, prepare, compact }: DrawnProps) {
  const lab = useLab();
  const Plot = usePlot();
  const { running, edited } = lab.store.getState();
  const experiment = running ?? edited;
  const choice = usePreferences((state) => state.crossEntropyAxis);
  // Charts follow this choice one after the other, as they do new measurements.
  const { progress: over, smoothing } = lab.preferences.getState();
  const again = useRedraw(visible, prepare);
  const shape = shapeOf(lab, definition);
  const curves = visible ? lab.curves() : null;
  const own = curveOf(curves, definition.metric, shape);
  const floors = curveOf(curves, definition.floor, shape);
  const { ghost } = lab.store.getState();
  const behind = curveOf(visible ? (ghost?.curves ?? null) : null, definition.metric, shape);
  useCompletion(own.complete && floors.complete && behind.complete, prepare, again);
  const { points, width } = own;
  const reference = useReference(definition, experiment);
  const horizontal = horizontalAxis(over, experiment.updates, [...points, ...behind.points]);
  const ghostPoints = inSight(behind.points, horizontal);
  const axis = valueAxis(definition, [...points, ...ghostPoints], reference?.value ?? null, choice);
  const colours = armColours(experiment.arms);
  const arms = experiment.arms.flatMap(({ id, name }) => {
    const colour = colours.get(id);
    return colour === undefined ? [] : [{ id, name, colour }];
  });
  const hasFloor = isFloor(floors.points);
  const note = noteOf({
    above: armsAbove(points, axis),
    arms,
    width,
    said: compact ? 1 : smoothing,
    over,
    points,
    ghost,
    behind: ghostPoints,
    axis,
    hasFloor,
    seeds: compact ? null : experiment.seeds,
  });
  const plot: PlotProps = {
    definition,
    points,
    floors: hasFloor ? floors.points : null,
    arms,
    marks: marksOf(experiment, (update, arm) => curves?.progress.at(over, update, arm) ?? null),
    horizontal,
    ghost: ghost === null ? null : { label: ghost.label, arms: ghost.arms, points: ghostPoints },
    axis,
    reference,
  };
  return (
    <>
      <div className="chart-body">
        {Plot === null && <p className="soft small">Loading the charts.</p>}
        {Plot !== null && visible && <Plot {...plot} />}
        <ProgressChoice compact={compact} />
      </div>
      <p className="chart-help small soft">
        {!compact && (
          <span className="chart-corner">
            <SmoothingChoice />
            {definition.axis === 'crossEntropy' && <AxisChoice />}
          </span>
        )}
        {definition.help} <span className="chart-note">{note}</span>
      </p>
    </>
  );
}

/** Nothing where there is no such curve. */
function curveOf(curves: CurveSource | null, metric: ChartDefinition['floor'], shape: CurveShape) {
  if (curves === null || metric === null) return { points: NOTHING, width: 1, complete: true };
  return curves.points(metric, shape);
}

function useReference(
  { reference, world: part }: ChartDefinition,
  { environment }: Experiment,
): PlotProps['reference'] {
  const world = worldOf(environment);
  const parts = world?.environment.parts;
  const place = parts?.find(({ id }) => id === part)?.environment ?? world?.environment ?? null;
  const randomSuccess = useRandomSuccess(reference === 'randomSuccess' ? place : null);
  if (world === null || reference === null) return null;
  const { legalSets } = world.environment;
  if (reference === 'randomSuccess') {
    return randomSuccess === null ? null : { value: randomSuccess, name: 'random policy' };
  }
  if (reference === 'uniformWords') {
    const value = Math.log(world.words.length);
    return { value, name: `ln V = ${formatMeasured(value)}` };
  }
  const [legal] = legalSets;
  // Each world of a mixture has its own.
  if (legal === undefined || parts !== undefined) return null;
  return {
    value: Math.log(legal.length),
    name: `uniform, ${formatMeasured(Math.log(legal.length))}`,
  };
}

function marksOf(
  { arms, timeline }: Pick<Experiment, 'arms' | 'timeline'>,
  placeOf: (update: number, arm: number) => number | null,
): Mark[] {
  return timeline.map(({ update, arm, setting, value }: Change) => {
    const places = arms.flatMap(({ id }, index) => {
      const at = arm === EVERY_ARM || arm === id ? placeOf(update, index) : null;
      return at === null ? [] : [{ arm: index, at }];
    });
    const label = armSettings.find(({ path }) => path === setting)?.label ?? setting;
    const name = arm === EVERY_ARM ? 'all arms' : (arms.find(({ id }) => id === arm)?.name ?? arm);
    return { update, places, words: `${name}: ${label} to ${nameOfValue(setting, value)}` };
  });
}

/** Into view and into focus when it is asked for elsewhere. */
function useShown(element: React.RefObject<HTMLElement | null>, metric: ChartDefinition['metric']): void {
  const asked = useIsAsked((wanted) => wanted === metric);
  useEffect(() => {
    if (!asked) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    focusOnce(element.current);
    element.current?.scrollIntoView({ block: 'center', behavior: still ? 'auto' : 'smooth' });
    chartFound();
  }, [asked, element]);
}

/** Takes the focus now, but not whenever somebody presses on it. */
function focusOnce(element: HTMLElement | null): void {
  if (element === null) return;
  element.tabIndex = -1;
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  element.focus({ preventScroll: true });
}
