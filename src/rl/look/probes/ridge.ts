/**
 * Ridge regression in closed form, and the linear classifier made of it: one-hot classes regressed on standardised inputs,
 * the largest output wins (Hastie et al., The Elements of Statistical Learning, sections 3.4.1 and 4.2). Float64,
 * deterministic.
 */

/** W [d, k] that minimises ‖x·W − y‖² + penalty·‖W‖², from (xᵀx + penalty·I)·W = xᵀy by Cholesky. x [n, d], y [n, k]. */
export function ridge(x: Float64Array, y: Float64Array, n: number, penalty: number): Float64Array {
  const [d, k] = [x.length / n, y.length / n];
  const gram = new Float64Array(d * d);
  const cross = new Float64Array(d * k);
  for (let r = 0; r < n; r++) {
    for (let i = 0; i < d; i++) {
      const value = x[r * d + i];
      for (let j = 0; j <= i; j++) gram[i * d + j] += value * x[r * d + j];
    }
    for (let c = 0; c < k; c++) {
      const output = y[r * k + c];
      // One-hot outputs are nearly all 0.
      if (output === 0) continue;
      for (let i = 0; i < d; i++) cross[i * k + c] += x[r * d + i] * output;
    }
  }
  for (let i = 0; i < d; i++) gram[i * d + i] += penalty;
  factorise(gram, d);
  substitute(gram, cross, d, k);
  return cross;
}

/** Cholesky factor L of a positive definite matrix a = L·Lᵀ [d, d], in place in the lower triangle. */
function factorise(a: Float64Array, d: number): void {
  for (let j = 0; j < d; j++) {
    for (let i = j; i < d; i++) {
      let sum = a[i * d + j];
      for (let m = 0; m < j; m++) sum -= a[i * d + m] * a[j * d + m];
      a[i * d + j] = i === j ? Math.sqrt(sum) : sum / a[j * d + j];
    }
  }
}

/** Solution w of L·Lᵀ·w = b [d, k], in place in b. */
function substitute(factor: Float64Array, b: Float64Array, d: number, k: number): void {
  const eliminate = (row: number, coefficient: (m: number) => number, from: number, to: number): void => {
    const diagonal = factor[row * d + row];
    for (let c = 0; c < k; c++) {
      let sum = b[row * k + c];
      for (let m = from; m < to; m++) sum -= coefficient(m) * b[m * k + c];
      b[row * k + c] = sum / diagonal;
    }
  };
  for (let row = 0; row < d; row++) eliminate(row, (m) => factor[row * d + m], 0, row);
  for (let row = d - 1; row >= 0; row--) eliminate(row, (m) => factor[m * d + row], row + 1, d);
}

/** Examples: row r of x [n, d] has class labels[r], 0 … classes − 1. */
export interface Examples {
  readonly x: ArrayLike<number>;
  readonly labels: ArrayLike<number>;
  readonly classes: number;
}

/** Ridge penalty per row, for inputs of variance 1. */
const PENALTY = 0.01;

/** Fits the rows `fit` and returns the class predicted for each of the rows `rows`. Constant inputs are ignored. */
export function classify({ x, labels, classes }: Examples, fit: readonly number[], rows: readonly number[]): number[] {
  const n = fit.length;
  const d = x.length / labels.length;
  const { mean, scale } = momentsOf(x, d, fit);
  const standardised = (row: number, i: number): number => (x[row * d + i] - mean[i]) * scale[i];
  const inputs = new Float64Array(n * d);
  const outputs = new Float64Array(n * classes);
  const share = new Float64Array(classes);
  fit.forEach((row, r) => {
    for (let i = 0; i < d; i++) inputs[r * d + i] = standardised(row, i);
    const label = labels[row];
    outputs[r * classes + label] = 1;
    share[label] += 1 / n;
  });
  // Inputs are centred, so the intercept is the outputs' mean.
  const weights = ridge(inputs, outputs, n, PENALTY * n);
  const scores = new Float64Array(classes);
  return rows.map((row) => {
    scores.set(share);
    for (let i = 0; i < d; i++) {
      const value = standardised(row, i);
      for (let c = 0; c < classes; c++) scores[c] += value * weights[i * classes + c];
    }
    return largestOf(scores);
  });
}

/** Index of the largest value, the first of equals. */
function largestOf(values: Float64Array): number {
  let largest = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[largest]) largest = i;
  return largest;
}

/** Mean and 1/standard deviation of each column over some rows; 0 for a column that does not vary. */
function momentsOf(
  x: ArrayLike<number>,
  d: number,
  rows: readonly number[],
): { mean: Float64Array; scale: Float64Array } {
  const mean = new Float64Array(d);
  const scale = new Float64Array(d);
  for (let i = 0; i < d; i++) {
    const column = rows.map((row) => x[row * d + i]);
    const center = column.reduce((a, b) => a + b, 0) / rows.length;
    const variance = column.reduce((sum, value) => sum + (value - center) ** 2, 0) / rows.length;
    mean[i] = center;
    // Rounding gives a constant column a small variance, about the square of its last digit.
    scale[i] = variance > 1e-12 * center * center && variance > 0 ? 1 / Math.sqrt(variance) : 0;
  }
  return { mean, scale };
}
