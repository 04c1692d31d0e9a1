/** Condition for an angle between two gradients. */

/** Least ratio of the smaller norm to the larger. Below it a cosine worked out from float32 sums is only rounding. */
const COMPARABLE = 1e-6;

/** True where gradients of these norms have an angle: neither is 0 nor vanishes beside the other. */
export function isComparable(a: number, b: number): boolean {
  return Math.min(a, b) > COMPARABLE * Math.max(a, b);
}
