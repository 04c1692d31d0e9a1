/**
 * A chart's frame: title, unit, table on request, and a body whose size never changes. The plot itself is loaded apart
 * and redrawn only while it is on screen.
 */

import { memo, useId, useRef, useState } from 'react';
import { Button } from '../../kit/Button';
import { part } from '../../kit/part';
import { later } from '../../kit/plot/later';
import { useOnScreen } from '../../kit/plot/turns';
import { useAsking } from '../useAsking';
import { ChartBody } from './ChartBody';
import { usePrepare } from './drawn/redraw';
import type { ChartDefinition } from './kinds/definition';
import { useShown } from './kinds/shownChart';
import { useLetGo } from './useLetGo';
import './charts.css';

/** Menus of a chart, of use once something is measured. */
const Menus = part('The menus of the charts', () => import('./ChartMenus'), 'ChartMenus');
const CurveTable = part(
  'The table',
  () => import('./CurveTable'),
  'CurveTable',
  <div className="chart-body short grow relative" />,
);

const drawnChart = later('The charts', () => import('./drawn/Drawn').then((module) => module.Drawn));

export const Chart = memo(function Chart({
  definition,
  compact = false,
}: {
  definition: ChartDefinition;
  compact?: boolean;
}) {
  const [asTable, setAsTable] = useState(false);
  const isStarted = !useAsking();
  const frame = useRef<HTMLElement>(null);
  const prepare = usePrepare(definition);
  const visible = useOnScreen(frame, drawnChart, prepare);
  const Drawn = drawnChart.use();
  useShown(frame, (wanted) => wanted === definition.metric);
  useLetGo(frame);
  const titleId = useId();
  return (
    <section
      ref={frame}
      className={`chart${compact ? ' chart-compact' : ''} shrinks`}
      aria-labelledby={titleId}
      data-testid={`chart-${definition.metric}`}
    >
      <div className="chart-head line apart baseline">
        <h3 id={titleId}>
          {definition.title}
          <span className="soft chart-unit plain">, {definition.unit}</span>
        </h3>
        {isStarted && <Menus definition={definition} />}
        <Button
          className="button-quiet small"
          aria-pressed={asTable}
          aria-label={`${definition.title}: data as ${asTable ? 'chart' : 'table'}`}
          data-testid={`table-${definition.metric}`}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? 'As chart' : 'As table'}
        </Button>
      </div>
      {asTable ? (
        <CurveTable definition={definition} />
      ) : Drawn === null ? (
        <ChartBody definition={definition}>
          <p className="soft small">Loading the charts.</p>
        </ChartBody>
      ) : (
        <Drawn {...{ definition, visible, prepare, compact }} />
      )}
    </section>
  );
});
