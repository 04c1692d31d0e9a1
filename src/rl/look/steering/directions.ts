/**
 * Directions of the residual stream, [C] each, float64: from one cell's mean activation to another's, and random ones to hold
 * against them. A difference of class means is what moves a linear reading from one class to the other (Marks and Tegmark,
 * arXiv 2310.06824; Rimsky et al., arXiv 2312.06681).
 */
import type { RandomStream } from '../../../foundation/philox';

/** Mean rows of x [n, width], by the rows' labels. */
export function meansOf(x: ArrayLike<number>, labels: readonly string[], width: number): Map<string, Float64Array> {
  const means = new Map<string, Float64Array>();
  const counts = new Map<string, number>();
  labels.forEach((label, row) => {
    const sum = means.get(label) ?? new Float64Array(width);
    for (let i = 0; i < width; i++) sum[i] += x[row * width + i];
    means.set(label, sum);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  });
  for (const [label, sum] of means) for (let i = 0; i < width; i++) sum[i] /= counts.get(label) ?? 1;
  return means;
}

export const difference = (to: Float64Array, from: Float64Array): Float64Array => to.map((value, i) => value - from[i]);

export const lengthOf = (direction: Float64Array): number => Math.hypot(...direction);

/** Direction drawn uniformly from all of this length. */
export function drawDirection(width: number, length: number, random: RandomStream): Float64Array {
  return ofLength(
    length,
    Float64Array.from({ length: width }, () => random.normal()),
  );
}

/** A direction scaled to a length. One without a side stays 0. */
export function ofLength(length: number, direction: Float64Array): Float64Array {
  const scale = length / (lengthOf(direction) || 1);
  return direction.map((value) => value * scale);
}
