/** Charts of examinations: success on the same tasks each time, and without the policies' tool. */

import { Chart } from '../../../model/charts/Chart';
import { asExamined, examinationCharts, toolCharts, toolOffCharts } from '../../../model/charts/kinds/definitions';
import { worldOf } from '../../../model/environment';
import { useLabState } from '../../../model/useLab';

export function ExaminationCharts() {
  const { evaluation, environment } = useLabState((state) => state.running ?? state.edited);
  const world = worldOf(environment);
  const hasHeldOut = world?.environment.hasHeldOut === true;
  const hasTool = (world?.environment.withTool?.('down') ?? null) !== null;
  const ofTool =
    hasTool && evaluation.toolEvery > 0
      ? toolCharts.filter(({ metric }) => hasHeldOut || !metric.startsWith('new'))
      : [];
  const ofTasks = evaluation.every > 0 ? [...(hasTool ? toolOffCharts : []), ...examinationCharts] : [];
  if (ofTool.length + ofTasks.length === 0) return null;
  return (
    <>
      <h3>
        Examined on the same tasks each time
        {hasHeldOut && `, which training never draws${ofTool.length > 0 ? ', but for those called practised' : ''}`}
      </h3>
      <div className="cards chart-grid" data-testid="examinations">
        {[...ofTasks, ...ofTool].map((definition) => (
          <Chart key={definition.metric} definition={asExamined(definition, hasHeldOut)} compact />
        ))}
      </div>
    </>
  );
}
