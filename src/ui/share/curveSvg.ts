/** A chart as SVG text that stands alone, in the colours of the light theme: for reports, files and slides. */
import type { CurvePoint } from '../../store/curves';
import { type ChartDefinition, formatInterval } from '../charts/definition';
import { spreadLabels } from '../charts/labels';
import { type HorizontalAxis, writeTick } from '../charts/progress';
import { valueAxis } from '../charts/scale';

export interface DrawnArm {
  readonly name: string;
  /** A colour such as `#3f6fb5`. */
  readonly colour: string;
  readonly dash: string;
}

const WIDTH = 720;
const HEIGHT = 300;
/** Between the end of the axis, where half of its last number stands, and its name. */
const NUMBER_ROOM = 28;
const PLOT = { left: 52, right: WIDTH - 150, top: 36, bottom: HEIGHT - 36 } as const;

export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export interface DrawnCurves {
  readonly definition: ChartDefinition;
  readonly points: readonly CurvePoint[];
  /** Below which the means cannot get; none where that is 0. */
  readonly floors?: readonly CurvePoint[];
  readonly arms: readonly DrawnArm[];
  readonly horizontal: HorizontalAxis;
  /** What the picture is of, for whoever finds it alone: goes along unseen. */
  readonly description?: string;
}

/** Mean lines over their bands, thin lines for floors, each arm named at its line's end. */
export function curveSvg(curves: DrawnCurves): string {
  const { definition, points, floors = [], arms, horizontal, description = '' } = curves;
  const { domain, ticks } = valueAxis(definition, points, null, 'whole');
  const x = (at: number) => round(PLOT.left + (at / horizontal.end) * (PLOT.right - PLOT.left));
  const y = (value: number) => {
    const share = (Math.min(domain[1], Math.max(domain[0], value)) - domain[0]) / (domain[1] - domain[0]);
    return round(PLOT.bottom - share * (PLOT.bottom - PLOT.top));
  };
  const title = escapeMarkup(`${definition.title}, ${definition.unit}`);
  const ends = arms.map((_, arm) => y(points.findLast(({ mean }) => mean[arm] != null)?.mean[arm] ?? domain[0]));
  const heights = spreadLabels(ends, 18, PLOT.top, PLOT.bottom);
  const grid = ticks.map(
    (tick) =>
      `<line x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(tick)}" y2="${y(tick)}" stroke="#e4e1d9"/>` +
      `<text x="${PLOT.left - 6}" y="${y(tick) + 4}" text-anchor="end" fill="#5b606b">${definition.format(tick)}</text>`,
  );
  const axis = [
    ...horizontal.ticks.map(
      (tick) =>
        `<text x="${x(tick)}" y="${PLOT.bottom + 18}" text-anchor="middle" fill="#5b606b">${writeTick(tick)}</text>`,
    ),
    `<text x="${PLOT.right + NUMBER_ROOM}" y="${PLOT.bottom + 18}" fill="#5b606b">${horizontal.over}</text>`,
  ];
  const lines = arms.map(({ name, colour, dash }, arm) => {
    const means = (drawn: readonly CurvePoint[]): string =>
      drawn
        .flatMap(({ at, mean }) => (at[arm] == null || mean[arm] == null ? [] : [`${x(at[arm])},${y(mean[arm])}`]))
        .join(' ');
    const banded = points.flatMap(({ at, band }) =>
      at[arm] == null || band[arm] == null ? [] : [{ place: x(at[arm]), band: band[arm] }],
    );
    const edge = [
      ...banded.map(({ place, band }) => `${place},${y(band[1])}`),
      ...banded.reverse().map(({ place, band }) => `${place},${y(band[0])}`),
    ];
    return [
      `<polygon points="${edge.join(' ')}" fill="${colour}" fill-opacity="0.16"/>`,
      `<polyline points="${means(points)}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`,
      floors.length === 0 ? '' : `<polyline points="${means(floors)}" fill="none" stroke="${colour}"/>`,
      `<text x="${PLOT.right + 8}" y="${(heights[arm] ?? 0) + 4}" fill="${colour}">${escapeMarkup(name)}</text>`,
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" `,
    `role="img" aria-label="${title}" font-family="system-ui, sans-serif" font-size="13">`,
    description === '' ? '' : `<desc>${escapeMarkup(description)}</desc>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fbfaf7"/>`,
    `<text x="${PLOT.left}" y="20" font-weight="600" fill="#1d1f24">${title}</text>`,
    ...grid,
    ...axis,
    ...lines,
    '</svg>',
  ].join('');
}

const round = (place: number): number => Number(place.toFixed(1));

/** The last point of an arm in words, for the table under a chart. */
export function lastInWords(definition: ChartDefinition, points: readonly CurvePoint[], arm: number): string {
  const last = points.findLast(({ mean }) => mean[arm] != null);
  const value = last?.mean[arm];
  if (last === undefined || value == null) return 'not measured';
  const band = last.band[arm];
  return definition.format(value) + (band == null ? '' : ` ${formatInterval(definition, band)}`);
}
