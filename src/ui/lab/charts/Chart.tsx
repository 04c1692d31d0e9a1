/**
 * A chart's frame: title, unit, table on request, and a body whose size never changes. The plot itself is loaded apart
 * and redrawn only while it is on screen.
 */
import { memo, Suspense, useEffect, useId, useRef, useState } from 'react';
import { part } from '../../kit/part';
import { later } from '../../kit/plot/later';
import { useOnScreen } from '../../kit/plot/turns';
import { usePlace } from '../../place';
import { ChartBody } from './ChartBody';
import type { ChartDefinition } from './definition';
import { usePrepare } from './redraw';
import { chartFound, useIsAsked } from './shownChart';
import { useLetGo } from './useLetGo';
import './charts.css';

/** Menus of a chart, of use once something is measured. */
const Menus = part('The menus of the charts', () => import('./ChartMenus').then((module) => module.ChartMenus));
const CurveTable = part('The table', () => import('./CurveTable').then((module) => module.CurveTable));

const drawnChart = later('The charts', () => import('./Drawn').then((module) => module.Drawn));

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
  const visible = useOnScreen(frame, drawnChart, prepare);
  const Drawn = drawnChart.use();
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
        <Suspense fallback={null}>
          <Menus definition={definition} />
        </Suspense>
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
      {asTable ? (
        <Suspense fallback={<div className="chart-body" />}>
          <CurveTable definition={definition} />
        </Suspense>
      ) : Drawn === null ? (
        <ChartBody definition={definition} compact={compact}>
          <p className="soft small">Loading the charts.</p>
        </ChartBody>
      ) : (
        <Drawn {...{ definition, visible, prepare, compact }} />
      )}
    </section>
  );
});

/** Into view and into focus when it is asked for elsewhere. */
function useShown(element: React.RefObject<HTMLElement | null>, metric: ChartDefinition['metric']): void {
  const { place } = usePlace();
  const asked = useIsAsked((wanted) => wanted === metric);
  useEffect(() => {
    // Not while its place is on its way.
    if (!asked || (place !== 'lab' && place !== 'training')) return;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    focusOnce(element.current);
    element.current?.scrollIntoView({ block: 'center', behavior: still ? 'auto' : 'smooth' });
    chartFound();
  }, [asked, element, place]);
}

/** Takes the focus now, but not whenever somebody presses on it. */
function focusOnce(element: HTMLElement | null): void {
  if (element === null) return;
  element.tabIndex = -1;
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  element.focus({ preventScroll: true });
}
