/**
 * Charts of texts that policies write: how they write, and what they have kept and carry over where they are examined.
 */

import { Chart } from '../../../model/charts/Chart';
import { textCharts, textExaminationCharts } from '../../../model/charts/kinds/definitions';
import { worldOf } from '../../../model/environment';
import { useLabState } from '../../../model/useLab';

/** Metrics that are measured of any text. */
const OF_ANY_TEXT: readonly string[] = ['repeatedWords', 'ordinaryCrossEntropy'];

export function TextCharts() {
  const { evaluation, environment } = useLabState((state) => state.running ?? state.edited);
  const { texts, model } = worldOf(environment)?.environment ?? {};
  if (texts === undefined && model === undefined) return null;
  const all = [...textCharts, ...(evaluation.every > 0 ? textExaminationCharts : [])];
  // A world that is played elsewhere was written by somebody: nothing is asked for that could be taken up.
  const charts = texts === undefined ? all.filter(({ metric }) => OF_ANY_TEXT.includes(metric)) : all;
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
