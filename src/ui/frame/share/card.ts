/** A run as one picture, for a message or the address of a page: SVG text that stands alone, as wide as previews of links. */
import { escapeMarkup } from '../../kit/format';
import { linesOf } from '../../kit/plot/lines';

const [WIDTH, LEAST_HEIGHT, LEFT] = [1200, 630, 56];
/** Pixels of the chart's height before it is enlarged so many times. */
export const CARD_PLOT = 190;
const ENLARGED = 1.5;

interface Card {
  readonly title: string;
  readonly verdict: string;
  /** Note of the run; empty without one. */
  readonly note: string;
  /** Link to the experiment, of which the page's address is written. */
  readonly address: string;
  /** SVG of the decisive chart. */
  readonly chart: string;
}

/** Size of a text, characters of a line of it, pixels of a line, its colour and weight. */
type Type = readonly [size: number, longest: number, line: number, colour: string, weight: number];
const TITLE: Type = [34, 56, 44, '#1d1f24', 600];
const VERDICT: Type = [24, 84, 33, '#1d1f24', 400];
const NOTE: Type = [21, 96, 29, '#5b606b', 400];

export function cardOf({ title, verdict, note, address, chart }: Card): string {
  const parts: string[] = [];
  let y = 28;
  const write = (text: string, [size, longest, line, colour, weight]: Type): void => {
    for (const words of linesOf(text, longest)) {
      y += line;
      parts.push(textAt(words, LEFT, y, `font-size="${size}" font-weight="${weight}" fill="${colour}"`));
    }
  };
  write(title, TITLE);
  y += 6;
  write(verdict, VERDICT);
  if (note !== '') write(`“${note}”`, NOTE);
  y += 18;
  const tall = Number(/height="(\d+)"/.exec(chart)?.[1] ?? 0) * ENLARGED;
  const height = Math.max(LEAST_HEIGHT, Math.round(y + tall + 64));
  const page = address.replace(/^\w+:\/\/|#.*$/gs, '').replace(/\/$/, '');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" `,
    `role="img" aria-label="${escapeMarkup(`${title}. ${verdict}`)}" font-family="system-ui, sans-serif">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fbfaf7"/>`,
    ...parts,
    `<g transform="translate(${LEFT - 16 * ENLARGED} ${y}) scale(${ENLARGED})">${chart}</g>`,
    LOGO(height - 50),
    textAt('Unmask', LEFT + 40, height - 28, 'font-size="24" font-weight="600" fill="#1d1f24"'),
    textAt(page, WIDTH - LEFT, height - 28, 'font-size="21" text-anchor="end" fill="#5b606b"'),
    '</svg>',
  ].join('');
}

const textAt = (text: string, x: number, y: number, more: string): string =>
  `<text x="${x}" y="${y}" ${more}>${escapeMarkup(text)}</text>`;

/** Solid, veiled and lit, as in the page's head. */
const LOGO = (y: number): string =>
  `<g transform="translate(${LEFT} ${y})"><rect width="8" height="24" rx="2" fill="#2f3440"/>` +
  '<rect x="11" width="8" height="24" rx="2" fill="#ece9e1"/><path d="M11 8l8-8M11 16l8-8M11 24l8-8" stroke="#a9a59b" stroke-width="2"/>' +
  '<rect x="22" width="8" height="24" rx="2" fill="#e9a36b"/></g>';
