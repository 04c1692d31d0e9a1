/** What curves are read against: a line at each value's tick, the horizontal axis, and the numbers of both. */
import type { PlotProps } from './Plot';
import type { Placement } from './placement';
import { writeTick } from './progress';
import { fitting } from './scale';

type Props = Pick<PlotProps, 'axis' | 'horizontal' | 'definition'> & { readonly placement: Placement };

/** From the plot's edge to a number. */
const GAP = 8;
/** Between two numbers at least. */
const APART = 5;
/** About as much as a character is wide, and a line high. */
const CHARACTER = 7.5;
const LINE = 15;

export function Frame({ axis, horizontal, definition, placement: { area, toX, toY } }: Props) {
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  const write = definition.unit.startsWith('of ') ? writePercent : writeValue;
  const across = horizontal.ticks.map((tick) => ({ at: toX(tick), text: writeTick(tick) }));
  const up = axis.ticks.map((tick) => ({ at: toY(tick), text: write(tick) }));
  return (
    <>
      <g className="plot-grid">
        {up.map(({ at, text }) => (
          <line key={text} x1={area.x} x2={right} y1={at} y2={at} />
        ))}
      </g>
      <line className="plot-axis" x1={area.x} x2={right} y1={bottom} y2={bottom} />
      <g className="plot-ticks" textAnchor="middle">
        {fitting(across, ({ text }) => text.length * CHARACTER + APART).map(({ at, text }) => (
          <text key={text} x={Math.min(at, right + GAP - (text.length * CHARACTER) / 2)} y={bottom + GAP} dy="0.71em">
            {text}
          </text>
        ))}
      </g>
      <g className="plot-ticks" textAnchor="end">
        {fitting(up, () => LINE + APART).map(({ at, text }) => (
          <text key={text} x={area.x - GAP} y={at} dy="0.355em">
            {text}
          </text>
        ))}
      </g>
    </>
  );
}

const writePercent = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;
const writeValue = (value: number): string => String(Number(value.toPrecision(3))).replace('-', '−');
