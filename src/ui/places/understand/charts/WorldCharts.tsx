/** Charts of success in each world of a mixture. */

import { Chart } from '../../../model/charts/Chart';
import type { ChartDefinition } from '../../../model/charts/kinds/definition';
import { worldCharts } from '../../../model/charts/kinds/definitions';
import { worldOf } from '../../../model/environment';
import { useLabState } from '../../../model/useLab';

export function WorldCharts() {
  const charts = useWorldCharts();
  if (charts.length === 0) return null;
  return (
    <>
      <h3>Each world of the mixture apart</h3>
      <div className="cards chart-grid" data-testid="worlds-apart">
        {charts.map((definition) => (
          <Chart key={definition.metric} definition={definition} compact />
        ))}
      </div>
    </>
  );
}

/** None where the environment is no mixture. */
export function useWorldCharts(): readonly ChartDefinition[] {
  const environment = useLabState(({ running, edited }) => (running ?? edited).environment);
  const parts = worldOf(environment)?.environment.parts ?? [];
  return worldCharts.filter(({ world }) => parts.some(({ id }) => id === world));
}
