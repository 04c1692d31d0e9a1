/**
 * Writing on a chart: names of lines and of the reference right of the plot, in one column, at the height of the line's end:
 * there they cover no line, and stay while lines grow, which faint lines lead to. Names of lines that ended early stand at their
 * ends. And hollow marks.
 */
import { freeHeight, shorten, spreadColumns } from './labels';
import type { Placement } from './placement';
import type { PlotProps, SeriesKind } from './plot';
import { textWidth } from './textWidth';

/** Pixels from the plot's right edge to names. */
const GAP = 6;
/** Pixels of a plot on which a name leaves the lines to be seen. */
const WIDE = 320;
/** Pixels from a line's end to a name over it. */
const ABOVE = 8;
/** Pixels from a label's middle to its baseline. */
const BASELINE = 4;

type Props = Pick<PlotProps, 'series' | 'marks' | 'reference' | 'behind' | 'floor' | 'room'> & {
  readonly placement: Placement;
};

export function Names(props: Props) {
  const { series, marks = [], reference = null, behind = '', floor = '', room = 0, placement } = props;
  const { area, toX, toY } = placement;
  const [top, bottom, right] = [area.y, area.y + area.height, area.x + area.width];
  const heightOf = (value: number): number => Math.min(bottom, Math.max(top, toY(value)));
  const ends = series.flatMap(({ id, name, colour, label, points, isShort = false }) => {
    const last = points.findLast(({ value }) => value !== null);
    if (label === undefined || last?.value == null || (isShort && area.width < WIDE)) return [];
    const after = label === '' ? '' : ` ${label}`;
    const x = (isShort ? toX(last.at) : right) + GAP;
    const text = shorten(name, right + room - x - textWidth(after), textWidth) + after;
    return [{ id, name, colour, text, x, y: heightOf(last.value), end: toX(last.at) }];
  });
  /** Height of the highest end of the lines of a kind, which have one name: no name of a line makes way for it. */
  const highest = (of: SeriesKind): number =>
    Math.min(
      ...series
        .filter(({ kind }) => kind === of)
        .flatMap(({ points }) => points.findLast(({ value }) => value !== null)?.value ?? [])
        .map(heightOf),
    );
  const references = reference === null ? [] : [{ text: reference.name, y: toY(reference.value), x: right + GAP }];
  const heights = spreadColumns([...ends, ...references], top + 4, bottom - 4);
  const placed = [...ends, ...references].flatMap(({ x }, index) => (x === right + GAP ? (heights[index] ?? []) : []));
  const softly = references.map(({ text }, index) => ({ text, y: heights[ends.length + index] ?? 0 }));
  for (const [text, wanted] of [[behind, highest('behind') - ABOVE] as const, [floor, highest('floor')] as const]) {
    if (text === '' || !Number.isFinite(wanted)) continue;
    const y = freeHeight(wanted, placed, top + 4, bottom - 4);
    placed.push(y);
    softly.push({ text, y });
  }
  return (
    <>
      {softly.map(({ text, y }) => (
        <text key={text} className="plot-reference" x={right + GAP} y={y + BASELINE}>
          {shorten(text, room - GAP, textWidth)}
          <title>{text}</title>
        </text>
      ))}
      {marks.map(({ at, value, colour, title }) => (
        <circle
          key={`${title} ${at} ${colour}`}
          className="plot-mark"
          cx={toX(at)}
          cy={heightOf(value)}
          r="4.5"
          stroke={colour}
        >
          <title>{title}</title>
        </circle>
      ))}
      {ends.map(({ id, colour, x, y, end }, index) =>
        x - end < 3 * GAP ? null : (
          <path
            key={id}
            className="plot-lead"
            d={`M${end + GAP} ${y}H${x - 2 * GAP}L${x - 2} ${heights[index] ?? 0}`}
            stroke={colour}
          />
        ),
      )}
      {ends.map(({ id, name, colour, text, x }, index) => (
        <text key={id} className="plot-name" x={x} y={(heights[index] ?? 0) + BASELINE} fill={colour}>
          {text}
          <title>{name}</title>
        </text>
      ))}
    </>
  );
}
