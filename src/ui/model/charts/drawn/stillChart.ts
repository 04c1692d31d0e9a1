/** A metric's chart of a run as SVG text that stands alone, drawn without a document: what the command line writes. */
import type { Experiment } from '../../../../experiment/experiment';
import { Curves, completed } from '../../../../measured/curves';
import type { MetricHistory } from '../../../../measured/history';
import { escapeMarkup } from '../../../kit/format';
import { inLight } from '../../../kit/plot/light';
import { linesOf } from '../../../kit/plot/lines';
import type { PlotAxis, PlotPoint, PlotProps, Series } from '../../../kit/plot/plot';
import { stillOf } from '../../../kit/plot/still';
import { worldOf } from '../../environment';
import { randomSuccessOf } from '../../useRandomSuccess';
import { windowOf } from '../kinds/definition';
import { allCharts, asExamined, worldCharts } from '../kinds/definitions';
import { drawingOf, placeOf } from './drawing';
import { noteOf } from './note';
import { plotOf } from './plotted';

/** Pixels: the picture's width, the plot in it, a line of text, and left of that. */
const [WIDTH, PLOT, LINE, LEFT] = [720, 320, 20, 16];
/** Characters of a line of text; points of a curve at most. */
const [LONGEST, POINTS] = [100, 400];
/** Updates that a point is the mean of, as the page draws it unless told otherwise. */
const SMOOTHING = 5;

const CHARTS = [...allCharts, ...worldCharts];
/** Metrics that have a chart. */
export const DRAWN: readonly string[] = CHARTS.map(({ metric }) => metric);

/** A point whose band does not leave the plot: Student's intervals know nothing of 0 and 100%. */
const cutTo =
  ({ domain: [low, high] }: PlotAxis) =>
  ({ band = null, ...point }: PlotPoint): PlotPoint => {
    const cut = (value: number): number => Math.min(Math.max(value, low), high);
    return { ...point, band: band === null ? null : [cut(band[0]), cut(band[1])] };
  };

/** The line to compare with, where there is one. */
const referenceOf = ({ reference, across }: PlotProps): Series[] => {
  if (reference == null) return [];
  const { name, value } = reference;
  const points = across.domain.map((at) => ({ at, value }));
  return [{ id: 'reference', name, kind: 'behind', colour: 'var(--soft-ink)', dash: '4 4', points }];
};

/** Means over seeds with their bands; `metric`: one of DRAWN. */
export async function stillChart(experiment: Experiment, history: MetricHistory, metric: string): Promise<string> {
  const found = CHARTS.find((one) => one.metric === metric) as (typeof CHARTS)[number];
  const definition = asExamined(found, worldOf(experiment.environment)?.environment.hasHeldOut === true);
  const curves = new Curves(history, experiment);
  const shape = { limit: POINTS, window: windowOf(definition, SMOOTHING) };
  for (const one of [definition.metric, definition.floor]) if (one !== null) await completed(curves, one, shape);
  const place = placeOf(definition, experiment);
  const randomSuccess = place === null ? null : await randomSuccessOf(place);
  const drawing = drawingOf(definition, shape, { experiment, curves, ghost: null, choice: 'whole', randomSuccess });
  const plot = plotOf(drawing);
  const across = { ...plot.across, name: drawing.horizontal.over };
  const smoothed = shape.window === 1 ? '' : `Each point is the mean of ${drawing.width} updates. `;
  const note = noteOf(drawing, { smoothing: drawing.width, seeds: history.seeds });
  const notes = linesOf(smoothed + note, LONGEST);
  const named = [...plot.series.filter(({ kind }) => kind === 'mean'), ...referenceOf(plot)];
  const floors = plot.series.filter(({ kind }) => kind === 'floor');
  const series = [...floors, ...named].map(({ points, ...one }) => {
    const known = one.isJoined === true ? points.filter(({ value }) => value !== null) : points;
    return { ...one, points: known.map(cutTo(plot.up)), hasDots: known.length === 1 };
  });
  const [top, bottom] = [24 + 2 * LINE, 24 + 2 * LINE + PLOT + LINE * named.length];
  const height = bottom + LINE * notes.length + 12;
  const written = (text: string, x: number, y: number, colour: string): string =>
    `<text x="${x}" y="${y}" fill="var(--${colour})">${escapeMarkup(text)}</text>`;
  return inLight(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" `,
      `role="img" aria-label="${escapeMarkup(`${experiment.title}: ${plot.title}`)}" `,
      `font-family="system-ui, sans-serif" font-size="14"><rect width="${WIDTH}" height="${height}" fill="var(--paper)"/>`,
      `<g font-weight="600">${written(experiment.title, LEFT, 28, 'ink')}</g>`,
      written(plot.title, LEFT, 28 + LINE, 'soft-ink'),
      `<g transform="translate(0 ${top})">${stillOf({ ...plot, across, series }, [WIDTH, PLOT])}</g>`,
      ...named.map(({ name, colour, dash = '' }, index) => {
        const y = top + PLOT + LINE * (index + 1) - 6;
        const line = `<path d="M${LEFT} ${y - 5}h24" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`;
        return line + written(name, LEFT + 34, y, 'ink');
      }),
      ...notes.map((text, index) => written(text, LEFT, bottom + LINE * (index + 1) - 4, 'soft-ink')),
      '</svg>\n',
    ].join(''),
  );
}
