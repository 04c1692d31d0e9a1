/** Charts for finding out why: folded away, and neither drawn nor loaded until opened. Own losses, worlds apart, texts and examinations stand before them. */
import { useEffect, useState } from 'react';
import { Chart } from '../../../model/charts/Chart';
import { isOf } from '../../../model/charts/kinds/definition';
import { detailCharts } from '../../../model/charts/kinds/detailDefinitions';
import { useIsAsked } from '../../../model/charts/kinds/shownChart';
import { useLabState } from '../../../model/useLab';
import { ExaminationCharts } from './ExaminationCharts';
import { ShownCharts } from './ShownCharts';
import { TextCharts } from './TextCharts';
import { WorldCharts } from './WorldCharts';

export function DetailCharts() {
  const [open, setOpen] = useState(false);
  const experiment = useLabState(({ running, edited }) => running ?? edited);
  const charts = detailCharts.filter((definition) => isOf(experiment, definition));
  const asked = useIsAsked((metric) => charts.some((definition) => definition.metric === metric));
  useEffect(() => {
    if (asked) setOpen(true);
  }, [asked]);
  return (
    <>
      <ShownCharts />
      <WorldCharts />
      <TextCharts />
      <ExaminationCharts />
      <details className="detail-charts" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{`${charts.length} more measurements: groups, ratios, distances, gradients, critic, parts of the reward`}</summary>
        {open && (
          <div className="cards chart-grid">
            {charts.map((definition) => (
              <Chart key={definition.metric} definition={definition} compact />
            ))}
          </div>
        )}
      </details>
    </>
  );
}
