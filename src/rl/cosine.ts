/** The angle between two gradients, where there is one. */

/** Of two norms further apart than this, what is worked out from float32 sums of both says nothing: it is rounding. */
const COMPARABLE = 1e-6;

/** Whether the angle between gradients of these norms is defined: neither is 0 nor vanishes beside the other. */
export function isComparable(a: number, b: number): boolean {
  return Math.min(a, b) > COMPARABLE * Math.max(a, b);
}
