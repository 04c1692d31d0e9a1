/** Charts of the values that the arms' own losses show (`show` in their texts). */
import { useMemo } from 'react';
import { Chart } from '../../../model/charts/Chart';
import { useLabState } from '../../../model/useLab';
import { shownCharts } from './shownDefinitions';

export function ShownCharts() {
  // Arms trained at present, which may be older than the edited ones.
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
