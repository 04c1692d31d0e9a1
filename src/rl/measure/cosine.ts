/** Condition for an angle between two gradients. */

/** Smallest ratio of the smaller norm to the larger. Below it a cosine worked out from float32 sums is only rounding. */
const COMPARABLE = 1e-6;

/** True if an angle between gradients with these norms can be computed: neither is 0 or negligible beside the other. */
export function isComparable(a: number, b: number): boolean {
  return Math.min(a, b) > COMPARABLE * Math.max(a, b);
}
