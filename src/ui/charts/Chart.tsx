/**
 * A chart's frame: title, unit, table on request, and a body whose size never changes. The plot itself is loaded apart
 * and redrawn only while it is on screen.
 */
import { memo, useEffect, useId, useRef, useState } from 'react';
import { later } from '../kit/plot/later';
import { type Prepare, useOnScreen } from '../kit/plot/turns';
import { useLab, usePreferences } from '../useLab';
import { useRandomSuccess } from '../useRandomSuccess';
import { AxisChoice } from './AxisChoice';
import { ChartMenu } from './ChartMenu';
import { CurveTable } from './CurveTable';
import type { ChartDefinition } from './definition';
import { drawingOf, placeOf } from './drawing';
import { noteOf } from './note';
import { ProgressChoice } from './ProgressChoice';
import { shapeOf, useCompletion, usePrepare, useRedraw } from './redraw';
import { SmoothingChoice } from './SmoothingChoice';
import { chartFound, useIsAsked } from './shownChart';
import { useLetGo } from './useLetGo';
import './charts.css';

const metricPlot = later(() => import('./MetricPlot').then((module) => module.MetricPlot));

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
  const visible = useOnScreen(frame, metricPlot, prepare);
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
  const Plot = metricPlot.use();
  const { running, edited, ghost } = lab.store.getState();
  const experiment = running ?? edited;
  const choice = usePreferences((state) => state.crossEntropyAxis);
  const again = useRedraw(visible, prepare);
  const randomSuccess = useRandomSuccess(placeOf(definition, experiment));
  // Charts follow other choices one after the other, as they do new measurements.
  const drawing = drawingOf(definition, shapeOf(lab, definition), {
    experiment,
    curves: visible ? lab.curves() : null,
    ghost: visible ? ghost : null,
    choice,
    randomSuccess,
  });
  useCompletion(drawing.isComplete, prepare, again);
  const smoothing = compact ? 1 : lab.preferences.getState().smoothing;
  const note = noteOf(drawing, { smoothing, seeds: compact ? null : experiment.seeds });
  return (
    <>
      <div className="chart-body">
        {Plot === null && <p className="soft small">Loading the charts.</p>}
        {Plot !== null && visible && <Plot drawing={drawing} />}
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
