/** A chart that was asked for, and that the experiment does not draw: the setting that it waits for. */
import { useEffect, useRef, useState } from 'react';
import type { MetricName } from '../../../../rl/measure/metrics';
import { chartOf } from '../../../model/charts/kinds/definitions';
import { useAskedChart, useShown } from '../../../model/charts/kinds/shownChart';
import { fragmentTo } from '../../../model/place';
import { useLabState } from '../../../model/useLab';
import { needOf } from '../charts/need';

export function AbsentChart() {
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
