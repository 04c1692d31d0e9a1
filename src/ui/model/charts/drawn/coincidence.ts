/** Test that one curve is drawn exactly over another, so that only one of them can be seen. */
import type { CurvePoint } from '../../../../measured/curves';

interface Curve {
  readonly points: readonly CurvePoint[];
  readonly arm: number;
}

/** Share of the axis' height that nobody can see: less than a line's width. */
const INVISIBLE = 0.005;

/** True if both have points at the same updates, as far as the first goes, and the eye cannot tell their means apart. */
export function coincides(first: Curve, second: Curve, [low, high]: readonly [number, number]): boolean {
  const drawn = first.points.flatMap(({ update, mean }) => {
    const value = mean[first.arm];
    return value == null ? [] : [{ update, value }];
  });
  const others = new Map(second.points.map(({ update, mean }) => [update, mean[second.arm]]));
  return (
    drawn.length > 0 &&
    drawn.every(({ update, value }) => {
      const other = others.get(update);
      return other != null && Math.abs(value - other) <= INVISIBLE * (high - low);
    })
  );
}
