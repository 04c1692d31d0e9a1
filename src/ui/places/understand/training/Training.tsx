/** The curves of the training itself; the two decisive ones stand on the first screen. */
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import type { MetricName } from '../../../../rl/measure/metrics';
import { loading, part } from '../../../kit/part';
import { Titled } from '../../../kit/Titled';
import { decisiveCharts } from '../../../model/charts/kinds/decisiveDefinitions';
import { chartOf, otherCharts } from '../../../model/charts/kinds/definitions';
import { useAskedChart, useIsAsked, useShown } from '../../../model/charts/kinds/shownChart';
import { Group } from '../../../model/Group';
import { fragmentTo } from '../../../model/place';
import { useKeptRuns, useLabState } from '../../../model/useLab';
import { ChartCards } from '../charts/ChartCards';
import { DetailCharts, useWorldCharts } from '../charts/DetailCharts';
import { needOf } from '../charts/need';

const WarmStartCurves = part(
  'The warm start’s curves',
  () => import('./WarmStartCurves'),
  'WarmStartCurves',
  loading('the curves'),
);

export function Training() {
  const hasCurves = useHasCurves();
  const wasAsked = useWasAsked();
  // Eight charts are much for the task in which a run begins: they come after it.
  const isDrawn = useDeferredValue(hasCurves || wasAsked);
  return (
    <Group id="training" about="How the training itself is doing, update by update.">
      <div className="panel">{isDrawn ? <Curves /> : <TrainingToCome />}</div>
    </Group>
  );
}

function Curves() {
  const isWarm = useLabState((state) => state.warmStart.length > 0);
  return (
    <>
      <AbsentChart />
      {isWarm && (
        <Titled title="Warm start">
          <WarmStartCurves />
        </Titled>
      )}
      <ChartCards charts={otherCharts} />
      <DetailCharts />
    </>
  );
}

/** A run, or a whole one behind it: results that are sent or recorded have none of these curves. */
function useHasCurves(): boolean {
  const started = useLabState((state) => state.running !== null);
  const pinned = useKeptRuns((state) => state.pinned !== null);
  return started || pinned;
}

/** A sign of failure leads to its chart, an empty one too. */
function useWasAsked(): boolean {
  const [was, setWas] = useState(false);
  const asked = useIsAsked((wanted) => decisiveCharts.every(({ metric }) => metric !== wanted));
  useEffect(() => {
    if (asked) setWas(true);
  }, [asked]);
  return was;
}

/** A chart that was asked for, and that the experiment does not draw: the setting that it waits for. */
function AbsentChart() {
  const line = useRef<HTMLParagraphElement>(null);
  const [metric, setMetric] = useState<MetricName | null>(null);
  const experiment = useLabState(({ running, edited }) => running ?? edited);
  const asked = useAskedChart();
  useEffect(() => {
    if (asked !== null) setMetric(needOf(chartOf(asked), experiment) === null ? null : asked);
  }, [asked, experiment]);
  useShown(line, (wanted) => wanted === metric);
  if (metric === null) return null;
  const definition = chartOf(metric);
  const need = needOf(definition, experiment);
  if (need === null) return null;
  return (
    <p ref={line} className="small" data-testid="absent-chart">
      “{definition.title}” is drawn once <a href={fragmentTo('settings', need.name)}>“{need.label}”</a> is on.
    </p>
  );
}

/** Charts of the training that there will be, told before a run. */
function TrainingToCome() {
  const charts = [...otherCharts, ...useWorldCharts()];
  return (
    <>
      <p className="small soft">
        Nothing has run yet. These curves of every arm, and more, are drawn here as it trains.
      </p>
      <dl className="cards padded small" data-testid="training-to-come">
        {charts.map(({ metric, title, help }) => (
          <div key={metric} data-metric={metric}>
            <dt>{title}</dt>
            <dd className="soft">{help}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
