/** How policies write, in a world where they write texts; what they have kept and carry over, where they are examined. */
import { worldOf } from '../environment';
import { useLabState } from '../useLab';
import { Chart } from './Chart';
import { textCharts, textExaminationCharts } from './definitions';

export function TextCharts() {
  const { evaluation, environment } = useLabState((state) => state.running ?? state.edited);
  if (worldOf(environment)?.environment.texts === undefined) return null;
  const charts = [...textCharts, ...(evaluation.every > 0 ? textExaminationCharts : [])];
  return (
    <>
      <h3>How they write</h3>
      <div className="cards chart-grid" data-testid="texts">
        {charts.map((definition) => (
          <Chart key={definition.metric} definition={definition} compact />
        ))}
      </div>
    </>
  );
}
