/**
 * A sweep as SVG text: success against the first axis, a line for every arm and every combination of the other axes, with a
 * bar for the 95% interval and a dot for each seed. Written by hand: the page’s chart of a sweep is Recharts’, which needs a
 * document.
 */
import { FINAL_UPDATES, summarise, tellingInterval } from '../conclude/statistics';
import type { Axis } from './axes';
import type { CellNumbers, SweptNumber } from './finding';
import { type GridLine, linesOf, titleOf } from './lines';

/** Pixels: the picture, the plot's edges in it, the height of a line of the legend, how far lines stand apart, and room for them. */
const [WIDTH, PLOT, LEGEND, APART, ROOM] = [720, 300, 18, 5, 24];
const AREA = { left: 64, right: 700, top: 44, bottom: 44 + PLOT } as const;
const [INK, SOFT, HAIRLINE, PAPER] = ['#1d1f24', '#5b606b', '#dcd9d1', '#fbfaf7'];
const COLOURS = ['#0b6e99', '#b3541e', '#3f7d3a', '#7a4a9e', '#a8831b', '#b23a6b', '#4b5a8a', '#5d5d5d'];

const SPANS: Readonly<Record<SweptNumber, string>> = { final: `the last ${FINAL_UPDATES}`, area: 'all' };

const inXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

export interface PicturedSweep {
  readonly axes: readonly Axis[];
  readonly cells: readonly CellNumbers[];
  readonly by?: SweptNumber;
  /** Lines of text below the picture. */
  readonly notes?: readonly string[];
  /** Words for programs and people who do not see it. */
  readonly description?: string;
}

export function sweepPicture({ axes, cells, by = 'final', notes = [], description = '' }: PicturedSweep): string {
  const [first] = axes;
  const { across, lines } = linesOf(axes, cells);
  const height = AREA.bottom + 52 + LEGEND * (lines.length + 1 + notes.length);
  const toX = (place: number): number => AREA.left + ROOM + place * (AREA.right - AREA.left - 2 * ROOM);
  const apart = Math.min(APART, (2 * ROOM) / lines.length);
  const title = titleOf(axes);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" `,
    `aria-label="${inXml(title)}" font-family="system-ui, sans-serif" font-size="13">`,
    description === '' ? '' : `<desc>${inXml(description)}</desc>`,
    `<rect width="${WIDTH}" height="${height}" fill="${PAPER}"/>`,
    textAt(title, 16, 24, `font-weight="600" fill="${INK}"`),
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((level) => [
      `<path d="M${AREA.left} ${toY(level)}H${AREA.right}" stroke="${HAIRLINE}"/>`,
      textAt(`${100 * level}%`, AREA.left - 8, toY(level) + 4, `text-anchor="end" fill="${SOFT}"`),
    ]),
    ...across.map(({ value, place }) =>
      textAt(value, toX(place), AREA.bottom + 20, `text-anchor="middle" fill="${SOFT}"`),
    ),
    textAt(first?.key ?? '', (AREA.left + AREA.right) / 2, AREA.bottom + 40, `text-anchor="middle" fill="${INK}"`),
    ...lines.flatMap((line, index) =>
      lineOf(
        line,
        by,
        COLOURS[index % COLOURS.length] as string,
        (place) => toX(place) + (index - (lines.length - 1) / 2) * apart,
      ),
    ),
    ...lines.map(({ name }, index) => {
      const y = AREA.bottom + 62 + LEGEND * index;
      const colour = COLOURS[index % COLOURS.length];
      return `<path d="M16 ${y - 4}h22" stroke="${colour}" stroke-width="2"/>${textAt(name, 46, y, `fill="${INK}"`)}`;
    }),
    ...[`Success over ${SPANS[by]} updates: mean, 95% interval, and a dot for each seed.`, ...notes].map(
      (text, index) => textAt(text, 16, height - 8 - LEGEND * (notes.length - index), `fill="${SOFT}"`),
    ),
    '</svg>\n',
  ];
  return parts.join('');
}

const textAt = (text: string, x: number, y: number, more: string): string =>
  `<text x="${round(x)}" y="${round(y)}" ${more}>${inXml(text)}</text>`;

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** Pixels of a share; an interval may reach beyond where a share can be. */
const toY = (level: number): number => round(AREA.bottom - Math.min(1, Math.max(0, level)) * PLOT);

function lineOf({ points }: GridLine, by: SweptNumber, colour: string, toX: (place: number) => number): string[] {
  const known = points.flatMap(({ place, arm }) => {
    const seeds = arm.seeds.map((seed) => seed[by]);
    const estimate = summarise(seeds);
    const interval = tellingInterval(estimate);
    return estimate.mean === null ? [] : [{ x: round(toX(place)), y: toY(estimate.mean), interval, seeds }];
  });
  const path = known.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return [
    `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
    ...known.flatMap(({ x, y, interval, seeds }) => [
      ...(interval === null
        ? []
        : [
            `<path d="M${x} ${toY(interval[0])}V${toY(interval[1])}" stroke="${colour}" stroke-opacity="0.4" stroke-width="6"/>`,
          ]),
      ...seeds.flatMap((seed) =>
        seed === null ? [] : [`<circle cx="${x}" cy="${toY(seed)}" r="2.5" fill="${colour}" fill-opacity="0.6"/>`],
      ),
      `<path d="M${x - 6} ${y}h12" stroke="${colour}" stroke-width="3"/>`,
    ]),
  ];
}
