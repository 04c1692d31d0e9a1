/**
 * A chart as SVG text that stands alone, for files, reports and slides: drawn as on the screen, in the light theme, with its
 * title above it and what is to be known under it. What stylesheets say of it is written into its elements.
 */
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { LabError } from '../../../foundation/errors';
import { escapeMarkup } from '../format';
import { linesOf } from './lines';
import { Plot } from './Plot';
import type { PlotProps } from './plot';

const WIDTH = 720;
/** Pixels of the title, of the chart, and of a line under it. */
const [HEAD, PLOT, LINE] = [28, 280, 18];
/** Characters of such a line, and pixels left of it. */
const [LONGEST, LEFT] = [105, 16];

const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'paint-order',
  'text-anchor',
] as const;
/** Attributes that place an element; all others are styles, or for the page. */
const KEPT = /^(d|r|[xy][12]?|c[xy]|dy|width|height|transform|clip-path|id)$/;
/** Styles of an element that has none of these attributes. */
const PLAIN: Readonly<Record<string, string>> = {
  fill: 'rgb(0, 0, 0)',
  'fill-opacity': '1',
  stroke: 'none',
  'stroke-width': '1px',
  'stroke-dasharray': 'none',
  'stroke-linecap': 'butt',
  'stroke-linejoin': 'miter',
  'paint-order': 'normal',
  'text-anchor': 'start',
};

interface About {
  /** Note under the chart. */
  readonly note: string;
  /** Description, which the picture has unseen. */
  readonly description: string;
  /** Pixels of the chart's height. */
  readonly plotHeight?: number;
}

/** Throws LabError 'internal' where the chart does not come about. */
export function pictureOf(plot: PlotProps, { note, description, plotHeight = PLOT }: About): string {
  const place = document.createElement('div');
  place.className = 'plot-picture on-paper';
  place.inert = true;
  document.body.append(place);
  // A report has several charts in one document, whose ids must differ.
  const root = createRoot(place, { identifierPrefix: `${plot.title}-`.replaceAll(/\W+/g, '-') });
  try {
    flushSync(() => root.render(<Plot {...plot} room={160} size={{ width: WIDTH - LEFT, height: plotHeight }} />));
    const svg = place.querySelector('svg');
    if (svg === null) throw new LabError('internal', 'The picture could not be drawn.', 'Try once more.');
    const drawn = markupOf(svg);
    const notes = linesOf(note, LONGEST);
    const height = HEAD + plotHeight + LINE * notes.length + 8;
    const written = (text: string, y: number, more: string): string =>
      `<text x="${LEFT}" y="${y}" ${more}>${escapeMarkup(text)}</text>`;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" `,
      `role="img" aria-label="${escapeMarkup(plot.title)}" font-family="system-ui, sans-serif" font-size="14">`,
      description === '' ? '' : `<desc>${escapeMarkup(description)}</desc>`,
      `<rect width="${WIDTH}" height="${height}" fill="#fbfaf7"/>`,
      written(plot.title, 20, 'font-weight="600" fill="#1d1f24"'),
      `<g transform="translate(${LEFT} ${HEAD})">${drawn}</g>`,
      ...notes.map((line, index) => written(line, HEAD + plotHeight + LINE * (index + 1) - 4, 'fill="#5b606b"')),
      '</svg>',
    ].join('');
  } finally {
    root.unmount();
    place.remove();
  }
}

function markupOf(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const copies = [...copy.querySelectorAll('*')];
  [...svg.querySelectorAll('*')].forEach((element, index) => {
    const own = copies[index] as Element;
    for (const name of own.getAttributeNames()) if (!KEPT.test(name)) own.removeAttribute(name);
    if (!/^(path|line|circle|rect|text|tspan)$/.test(own.localName)) return;
    const computed = getComputedStyle(element);
    for (const name of STYLES) {
      const value = computed.getPropertyValue(name);
      if (value !== PLAIN[name]) own.setAttribute(name, value);
    }
  });
  for (const told of copy.querySelectorAll(':scope > title, :scope > desc')) told.remove();
  for (const group of [...copy.querySelectorAll('g, defs')].reverse()) if (!group.hasChildNodes()) group.remove();
  return copy.innerHTML;
}
