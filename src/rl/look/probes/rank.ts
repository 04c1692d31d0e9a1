/**
 * Effective rank: the number of directions that a cloud of activations fills, as the participation ratio (tr C)² / tr C² of
 * its covariance C. It is 1 on a line, and `width` for the same spread in every direction. Gao et al., bioRxiv 214262
 * (2017). Float64.
 */

/** Effective rank of these rows of x [n, width]; 0 if they are all the same. */
export function effectiveRank(x: ArrayLike<number>, rows: readonly number[], width: number): number {
  const mean = new Float64Array(width);
  for (const row of rows) {
    for (let i = 0; i < width; i++) mean[i] += x[row * width + i] / rows.length;
  }
  const covariance = new Float64Array(width * width);
  for (const row of rows) {
    for (let i = 0; i < width; i++) {
      const centred = x[row * width + i] - mean[i];
      for (let j = 0; j <= i; j++) {
        covariance[i * width + j] += centred * (x[row * width + j] - mean[j]);
      }
    }
  }
  let trace = 0;
  let squares = 0;
  for (let i = 0; i < width; i++) {
    trace += covariance[i * width + i];
    squares += covariance[i * width + i] ** 2;
    for (let j = 0; j < i; j++) squares += 2 * covariance[i * width + j] ** 2;
  }
  return squares === 0 ? 0 : trace ** 2 / squares;
}
