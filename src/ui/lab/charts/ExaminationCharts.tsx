/** How policies do on the same tasks each time and without their tool, where the experiment examines them. */
import { worldOf } from '../../environment';
import { useLabState } from '../../useLab';
import { Chart } from './Chart';
import { asExamined, examinationCharts, toolOffCharts } from './definitions';

export function ExaminationCharts() {
  const { evaluation, environment } = useLabState((state) => state.running ?? state.edited);
  const world = worldOf(environment);
  if (evaluation.every === 0) return null;
  const hasHeldOut = world?.environment.hasHeldOut === true;
  const hasTool = (world?.environment.withTool?.('down') ?? null) !== null;
  return (
    <>
      <h3 className="chart-group">
        Examined on the same tasks each time{hasHeldOut ? ', which training never draws' : ''}
      </h3>
      <div className="chart-grid" data-testid="examinations">
        {[...(hasTool ? toolOffCharts : []), ...examinationCharts].map((definition) => (
          <Chart key={definition.metric} definition={asExamined(definition, hasHeldOut)} compact />
        ))}
      </div>
    </>
  );
}
