/** Charts of the training that there will be, told before a run. */
import { otherCharts } from '../../../model/charts/kinds/definitions';
import { useWorldCharts } from '../charts/WorldCharts';

export function TrainingToCome() {
  const charts = [...otherCharts, ...useWorldCharts()];
  return (
    <>
      <p className="small soft">
        Nothing has run yet. These curves of every arm, and more, are drawn here as it trains.
      </p>
      <dl className="cards padded small" data-testid="training-to-come">
        {charts.map(({ metric, title, help }) => (
          <div key={metric} data-metric={metric}>
            <dt>{title}</dt>
            <dd className="soft">{help}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
