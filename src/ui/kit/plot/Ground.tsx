/** Axes of a plot, with a line across it at each number. Numbers that have no room beside the next one are left out. */
import { NUMBERS_APART } from './axes';
import type { Placement } from './placement';
import type { PlotProps } from './plot';
import { textWidth } from './textWidth';

/** Pixels from the middle of a number to its baseline; from a plot to the baseline of the words under it. */
const [BASELINE, UNDER, NAME_UNDER] = [5, 18, 38];
/** Pixels of a number's height; least ones between two numbers. */
const [TALL, BETWEEN] = [14, 5];

type Props = Pick<PlotProps, 'across' | 'up'> & { readonly placement: Placement };

export function Ground({ across, up, placement: { area, toX, toY } }: Props) {
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  return (
    <>
      <g className="plot-grid">
        {up.ticks.map((tick) => (
          <line key={tick} x1={area.x} x2={right} y1={toY(tick)} y2={toY(tick)} />
        ))}
      </g>
      <line className="plot-axis" x1={area.x} x2={right} y1={bottom} y2={bottom} />
      {apart(across.ticks, toX, (tick) => textWidth(across.write(tick))).map((tick) => (
        <text key={tick} className="plot-tick" x={toX(tick)} y={bottom + UNDER} textAnchor="middle">
          {across.write(tick)}
        </text>
      ))}
      {apart(up.ticks, toY, () => TALL).map((tick) => (
        <text key={tick} className="plot-tick" x={area.x - NUMBERS_APART} y={toY(tick) + BASELINE} textAnchor="end">
          {up.write(tick)}
        </text>
      ))}
      {across.name !== undefined && (
        <text className="plot-tick" x={(area.x + right) / 2} y={bottom + NAME_UNDER} textAnchor="middle">
          {across.name}
        </text>
      )}
    </>
  );
}

/** Numbers with room for their words: the last one, and before it those that leave room to the next. */
function apart(
  ticks: readonly number[],
  placeOf: (tick: number) => number,
  sizeOf: (tick: number) => number,
): number[] {
  const kept: number[] = [];
  for (const tick of ticks.toReversed()) {
    const next = kept[0];
    const room = next === undefined ? Number.POSITIVE_INFINITY : Math.abs(placeOf(next) - placeOf(tick));
    if (next === undefined || room >= (sizeOf(tick) + sizeOf(next)) / 2 + BETWEEN) kept.unshift(tick);
  }
  return kept;
}
