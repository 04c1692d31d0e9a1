/** Charts side by side, under a heading if there is one; nothing where there are none. */
import { Chart } from '../../../model/charts/Chart';
import type { ChartDefinition } from '../../../model/charts/kinds/definition';

interface Props {
  readonly title?: string;
  readonly testId?: string;
  readonly charts: readonly ChartDefinition[];
}

export function ChartCards({ title, testId, charts }: Props) {
  if (charts.length === 0) return null;
  return (
    <>
      {title !== undefined && <h3>{title}</h3>}
      <div className="cards chart-grid" data-testid={testId}>
        {charts.map((definition) => (
          <Chart key={`${definition.metric} ${definition.title}`} definition={definition} compact />
        ))}
      </div>
    </>
  );
}
