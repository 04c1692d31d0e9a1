/**
 * A sweep as SVG text: success against the first axis, a line for every arm and every combination of the other axes, with a
 * bar for the 95% interval and a dot for each seed. It is written here and not by the page’s charts, which need a document.
 */
import { placesOf } from '../../experiment/grid/places';
import { FINAL_UPDATES } from '../../experiment/statistics';
import type { SweepResult, SweptArm } from './result';

/** Pixels: the picture, the plot's edges in it, the height of a line of the legend, and how far lines stand apart. */
const [WIDTH, PLOT, LEGEND, APART] = [720, 300, 18, 5];
const AREA = { left: 64, right: 700, top: 44, bottom: 44 + PLOT } as const;
const [INK, SOFT, HAIRLINE, PAPER] = ['#1d1f24', '#5b606b', '#dcd9d1', '#fbfaf7'];
const COLOURS = ['#0b6e99', '#b3541e', '#3f7d3a', '#7a4a9e', '#a8831b', '#b23a6b', '#4b5a8a', '#5d5d5d'];

interface Line {
  readonly name: string;
  readonly points: readonly { readonly place: number; readonly arm: SweptArm }[];
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

export function sweepPicture(result: SweepResult): string {
  const { axes } = result;
  const [first, ...others] = axes;
  const values = [...(first?.values ?? [])];
  const numbers = values.map(Number);
  const isNumeric = numbers.every((value) => Number.isFinite(value));
  const ordered = isNumeric ? values.toSorted((a, b) => Number(a) - Number(b)) : values;
  const places = isNumeric
    ? placesOf(ordered.map(Number)).places
    : ordered.map((_, index) => index / Math.max(1, ordered.length - 1));
  const lines = linesOf(result, (value) => places[ordered.indexOf(value)] ?? 0);
  const height = AREA.bottom + 52 + LEGEND * (lines.length + 1);
  const toX = (place: number): number => AREA.left + 24 + place * (AREA.right - AREA.left - 48);
  const title = `Success against ${axes.map(({ key }) => key).join(' and ')}`;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" `,
    `aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="13">`,
    `<rect width="${WIDTH}" height="${height}" fill="${PAPER}"/>`,
    written(title, 16, 24, `font-weight="600" fill="${INK}"`),
    ...[0, 0.25, 0.5, 0.75, 1].flatMap((level) => [
      `<path d="M${AREA.left} ${toY(level)}H${AREA.right}" stroke="${HAIRLINE}"/>`,
      written(`${100 * level}%`, AREA.left - 8, toY(level) + 4, `text-anchor="end" fill="${SOFT}"`),
    ]),
    ...ordered.map((value, index) =>
      written(value, toX(places[index] ?? 0), AREA.bottom + 20, `text-anchor="middle" fill="${SOFT}"`),
    ),
    written(first?.key ?? '', (AREA.left + AREA.right) / 2, AREA.bottom + 40, `text-anchor="middle" fill="${INK}"`),
    ...lines.flatMap((line, index) =>
      drawn(
        line,
        COLOURS[index % COLOURS.length] as string,
        (place) => toX(place) + (index - (lines.length - 1) / 2) * APART,
      ),
    ),
    ...lines.map(({ name }, index) => {
      const y = AREA.bottom + 62 + LEGEND * index;
      const colour = COLOURS[index % COLOURS.length];
      return `<path d="M16 ${y - 4}h22" stroke="${colour}" stroke-width="2"/>${written(name, 46, y, `fill="${INK}"`)}`;
    }),
    written(
      `Success over the last ${FINAL_UPDATES} updates: mean, 95% interval${others.length === 0 ? '' : ', a line for each combination'}, and a dot for each seed.`,
      16,
      height - 8,
      `fill="${SOFT}"`,
    ),
    '</svg>\n',
  ];
  return parts.join('');
}

const written = (text: string, x: number, y: number, more: string): string =>
  `<text x="${round(x)}" y="${round(y)}" ${more}>${escaped(text)}</text>`;

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** Pixels of a share; an interval may reach beyond where a share can be. */
const toY = (level: number): number => round(AREA.bottom - Math.min(1, Math.max(0, level)) * PLOT);

function linesOf({ axes, cells }: SweepResult, placeOf: (value: string) => number): Line[] {
  const lines = new Map<string, { place: number; arm: SweptArm }[]>();
  const arms = new Set(cells.flatMap((cell) => cell.arms.map(({ id }) => id)));
  for (const { values, arms: own } of cells) {
    const rest = axes.slice(1).map(({ key }, axis) => `${key} = ${values[axis + 1]}`);
    for (const arm of own) {
      const name = [...(arms.size > 1 || rest.length === 0 ? [arm.name] : []), ...rest].join(', ');
      const points = lines.get(name) ?? [];
      points.push({ place: placeOf(values[0] ?? ''), arm });
      lines.set(name, points);
    }
  }
  return Array.from(lines, ([name, points]) => ({ name, points: points.sort((a, b) => a.place - b.place) }));
}

function drawn({ points }: Line, colour: string, toX: (place: number) => number): string[] {
  const known = points.flatMap(({ place, arm }) => {
    const { mean, low, high } = arm.summary.final;
    return mean === null ? [] : [{ x: round(toX(place)), y: toY(mean), low, high, arm }];
  });
  const path = known.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return [
    `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
    ...known.flatMap(({ x, y, low, high, arm }) => [
      ...(low === null || high === null
        ? []
        : [`<path d="M${x} ${toY(low)}V${toY(high)}" stroke="${colour}" stroke-opacity="0.4" stroke-width="6"/>`]),
      ...arm.seeds.flatMap(({ final }) =>
        final === null ? [] : [`<circle cx="${x}" cy="${toY(final)}" r="2.5" fill="${colour}" fill-opacity="0.6"/>`],
      ),
      `<path d="M${x - 6} ${y}h12" stroke="${colour}" stroke-width="3"/>`,
    ]),
  ];
}
