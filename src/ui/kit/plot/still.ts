/**
 * A chart's description as SVG text, drawn without a document: for files that the command line writes as well as the page. It has
 * lines, bands and both axes, but no tooltip. Colours stay variables of the stylesheet around it.
 */
import { escapeMarkup } from '../format';
import { NUMBERS_LEFT } from './axes';
import { bandPath, linePath, type PixelScale, placeOf } from './paths';
import type { PlotProps, Series } from './plot';

const SIZE = [400, 220] as const;
/** Pixels around the plot; the last number of the horizontal axis reaches half its width to the right. */
const [TOP, RIGHT, BOTTOM] = [8, 20, 44];

/** `size`: its width and height in pixels. */
export function stillOf(
  { title, description, across, up, series }: PlotProps,
  [width, height]: readonly [number, number] = SIZE,
): string {
  const x = placeOf(across, NUMBERS_LEFT, width - RIGHT);
  const y = placeOf(up, height - BOTTOM, TOP);
  const bottom = height - BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img"`,
    ` aria-label="${escapeMarkup(title)}" font-size="13"><desc>${escapeMarkup(description)}</desc>`,
    ...up.ticks.map((tick) => {
      const line = `<path d="M${NUMBERS_LEFT} ${y(tick)}H${width - RIGHT}" stroke="var(--hairline)"/>`;
      return line + written(up.write(tick), NUMBERS_LEFT - 8, y(tick) + 5, 'end');
    }),
    `<path d="M${NUMBERS_LEFT} ${bottom}H${width - RIGHT}" stroke="var(--control)"/>`,
    ...across.ticks.map((tick) => written(across.write(tick), x(tick), bottom + 18, 'middle')),
    across.name === undefined ? '' : written(across.name, (NUMBERS_LEFT + width - RIGHT) / 2, bottom + 38, 'middle'),
    ...series.map((one) => bandsOf(one, x, y)),
    ...series.map((one) => linesOf(one, x, y)),
    '</svg>',
  ].join('');
}

const written = (text: string, x: number, y: number, anchor: 'middle' | 'end'): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="var(--soft-ink)">${escapeMarkup(text)}</text>`;

/** Strokes of the kinds, the page's own: lines behind others are thin and dotted. */
const BEHIND = { mean: [2, ''], floor: [2, ''], behind: [1, '1 3'], same: [1, '1 6'] } as const;

function linesOf({ points, colour, kind, dash = '', hasDots = false }: Series, x: PixelScale, y: PixelScale): string {
  const [width, dots] = BEHIND[kind];
  const line = `<path d="${linePath(points, x, y)}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-dasharray="${dash || dots}"/>`;
  const circles = points.map(({ at, value }) =>
    value === null || !hasDots ? '' : `<circle cx="${x(at)}" cy="${y(value)}" r="3" fill="${colour}"/>`,
  );
  return line + circles.join('');
}

function bandsOf({ points, colour }: Series, x: PixelScale, y: PixelScale): string {
  const d = bandPath(points, x, y);
  return d === '' ? '' : `<path d="${d}" fill="${colour}" fill-opacity="0.16"/>`;
}
