import type { CurvePoint } from '../../../../store/look/curves';

/** Smaller floors, in the metric's unit, are not told apart from 0. */
const LEAST = 0.005;

/** True if the part that nobody could foresee is large enough to be drawn. */
export const isFloor = (points: readonly CurvePoint[]): boolean =>
  points.some(({ mean }) => mean.some((value) => (value ?? 0) > LEAST));
