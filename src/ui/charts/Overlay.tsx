/** What is written on a chart: each arm's name at its line's end (a ghost's where there is no other line), the reference line's name, and hollow marks of changes. */
import type { CurvePoint } from '../../store/curves';
import { ghostColour } from './Ghosts';
import { shorten, spreadLabels } from './labels';
import type { PlotProps } from './Plot';
import type { Placement } from './placement';

type Props = Pick<PlotProps, 'points' | 'arms' | 'marks' | 'axis' | 'reference' | 'ghost'> & {
  readonly format: (value: number) => string;
  readonly placement: Placement;
};

const LONGEST_NAME = 13;
/** Of a label, at most, in pixels. */
const CHARACTER_WIDTH = 8;
/** Names of lines that end so near to the plot's right edge stand right of it, in one column with the reference's. */
const NEAR = 64;
/** From a label's middle to its baseline. */
const BASELINE = 4;

export function Overlay({ points, arms, marks, axis, reference, ghost, format, placement }: Props) {
  const { area, toX, toY } = placement;
  const top = area.y;
  const bottom = area.y + area.height;
  const right = area.x + area.width;
  const heightOf = (value: number): number => Math.min(bottom, Math.max(top, toY(value)));
  const { curves, lines } = linesOf({ points, arms, ghost });
  const ends = lines.flatMap(({ id, name, colour }, index) => {
    const last = curves.findLast(({ at, mean }) => at[index] != null && mean[index] != null);
    const value = last?.mean[index];
    if (last === undefined || value == null) return [];
    const above = value > axis.domain[1];
    const text = shorten(name, above ? 8 : LONGEST_NAME) + (above ? ` ${format(value)} ↑` : '');
    return [
      {
        id,
        name,
        colour,
        text,
        x: labelStart(toX(last.at[index] ?? 0), right),
        y: heightOf(value),
      },
    ];
  });
  const referenceHeight = reference === null ? null : toY(reference.value);
  const inMargin = ends.some(({ x, text }) => x + text.length * CHARACTER_WIDTH > right);
  const together = inMargin && referenceHeight !== null ? [referenceHeight] : [];
  const heights = spreadLabels([...ends.map(({ y }) => y), ...together], 16, top + 4, bottom - 4);
  return (
    <g className="plot-overlay">
      {reference !== null && referenceHeight !== null && (
        <text className="plot-reference" x={right + 6} y={(heights[ends.length] ?? referenceHeight) + BASELINE}>
          {reference.name}
        </text>
      )}
      {marks.flatMap((mark) =>
        mark.places.map(({ arm: index, at }) => {
          const value = valueAt(points, at, index);
          if (value === null) return null;
          return (
            <circle
              key={`${mark.update}-${mark.words}-${index}`}
              cx={toX(at)}
              cy={heightOf(value)}
              r="4.5"
              fill="var(--paper)"
              stroke={arms[index]?.colour.stroke}
              strokeWidth="2"
            >
              <title>{`update ${mark.update}: ${mark.words}`}</title>
            </circle>
          );
        }),
      )}
      {ends.map(({ id, name, colour, text, x }, index) => (
        <text key={id} className="plot-name" x={x} y={(heights[index] ?? 0) + BASELINE} fill={colour}>
          {text}
          <title>{name}</title>
        </text>
      ))}
    </g>
  );
}

/** The lines that are named, and what they are drawn from. */
function linesOf({ points, arms, ghost }: Pick<Props, 'points' | 'arms' | 'ghost'>) {
  if (points.length === 0 && ghost !== null) {
    const lines = ghost.arms.map(({ id, name }) => ({ id, name, colour: ghostColour(arms, id) }));
    return { curves: ghost.points, lines };
  }
  return { curves: points, lines: arms.map(({ id, name, colour }) => ({ id, name, colour: colour.stroke })) };
}

/** Right of the line's end. */
const labelStart = (end: number, right: number): number => (end > right - NEAR ? right : end) + 6;

/** The mean where a change acts; a change of the next update waits for it. */
function valueAt(points: readonly CurvePoint[], at: number, arm: number): number | null {
  return points.find((point) => (point.at[arm] ?? Number.NEGATIVE_INFINITY) >= at)?.mean[arm] ?? null;
}
