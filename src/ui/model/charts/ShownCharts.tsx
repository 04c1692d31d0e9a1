/** What the arms' own losses show, where an arm has one. */
import { useMemo } from 'react';
import { useLabState } from '../useLab';
import { Chart } from './Chart';
import { shownCharts } from './shownDefinitions';

export function ShownCharts() {
  // As they are trained at present, which is later than they are edited.
  const arms = useLabState(({ running, told, edited }) => (running === null ? edited.arms : told));
  const charts = useMemo(() => shownCharts(arms), [arms]);
  if (charts.length === 0) return null;
  return (
    <>
      <h3>Losses of your own</h3>
      <div className="cards chart-grid" data-testid="shown-charts">
        {charts.map((definition) => (
          <Chart key={`${definition.metric} ${definition.title}`} definition={definition} compact />
        ))}
      </div>
    </>
  );
}
