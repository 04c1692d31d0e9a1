/** Charts for finding out why: folded away, and neither drawn nor loaded until opened. */
import { useState } from 'react';
import { Chart } from './Chart';
import { detailCharts } from './definitions';

export function DetailCharts() {
  const [open, setOpen] = useState(false);
  return (
    <details className="detail-charts" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{`${detailCharts.length} more measurements: groups, ratios, distances, gradients, critic, parts of the reward`}</summary>
      {open && (
        <div className="chart-grid">
          {detailCharts.map((definition) => (
            <Chart key={definition.metric} definition={definition} compact />
          ))}
        </div>
      )}
    </details>
  );
}
