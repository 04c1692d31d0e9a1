/** How often each world of a mixture is mastered, where the environment is one. */
import { worldOf } from '../environment';
import { useLabState } from '../useLab';
import { Chart } from './Chart';
import { worldCharts } from './definitions';

export function WorldCharts() {
  const environment = useLabState(({ running, edited }) => (running ?? edited).environment);
  const parts = worldOf(environment)?.environment.parts;
  if (parts === undefined) return null;
  const charts = worldCharts.filter(({ world }) => parts.some(({ id }) => id === world));
  return (
    <>
      <h3 className="chart-group">Each world of the mixture apart</h3>
      <div className="chart-grid" data-testid="worlds-apart">
        {charts.map((definition) => (
          <Chart key={definition.metric} definition={definition} compact />
        ))}
      </div>
    </>
  );
}
