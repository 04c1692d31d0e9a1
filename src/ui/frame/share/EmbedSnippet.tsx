/** One arm or one chart for another page: the HTML of a frame that holds it. */
import { useState } from 'react';
import { Choice } from '../../kit/Choice';
import { escapeMarkup } from '../../kit/format';
import { decisiveCharts } from '../../model/charts/kinds/decisiveDefinitions';
import { otherCharts } from '../../model/charts/kinds/definitions';
import { embedLink } from '../../model/embedAddress';
import { useLabState } from '../../model/useLab';

/** Pixels that hold an arm's world or a chart without scrolling. */
const SIZES = { arm: [720, 520], chart: [640, 400] } as const;

export function EmbedSnippet({ link }: { link: string }) {
  const { arms, title } = useLabState(({ running, edited }) => running ?? edited);
  const [wanted, setPart] = useState('chart-successRate');
  const charts = [...decisiveCharts, ...otherCharts].map((chart) => ({
    part: `chart-${chart.metric}`,
    name: chart.title,
  }));
  const part = [...charts.map((chart) => chart.part), ...arms.map(({ id }) => id)].includes(wanted)
    ? wanted
    : 'chart-successRate';
  const [width, height] = part.startsWith('chart-') ? SIZES.chart : SIZES.arm;
  const html = `<iframe src="${escapeMarkup(embedLink(link, part))}" title="${escapeMarkup(`Unmask: ${title}`)}" width="${width}" height="${height}" style="border: 0" loading="lazy"></iframe>`;
  return (
    <details className="small">
      <summary data-testid="embed">Show one arm or chart in another page</summary>
      <div className="scale stack above-8">
        <Choice
          label="What to show"
          testId="embed-part"
          value={part}
          options={[
            { title: 'Arms', options: arms.map(({ id, name }) => [id, name]) },
            { title: 'Charts', options: charts.map((chart) => [chart.part, chart.name]) },
          ]}
          onChoose={setPart}
        />
        <textarea
          className="field embed-html full breaks"
          aria-label="HTML of the frame"
          data-testid="embed-html"
          readOnly
          rows={4}
          value={html}
          onFocus={({ target }) => target.select()}
        />
      </div>
    </details>
  );
}
