/**
 * Gradient of a linear map by its weight: dWeight = act(x)ᵀ·dOut, dBias = Σ dOut, over the rows of one
 * gradient chunk. Blocks of rows are copied into panels (4 columns of x, 8 of dOut, rows one after the other), then a
 * tile of 4×8 numbers of dWeight stays in registers over the block. Every sum runs over the rows in order.
 */
import { activate, NONE } from './activation';
import { add } from './rows';
import { FLOAT, Simd } from './simd';

/** Rows a block: panels of K + N columns should stay in the second-level cache. */
const BLOCK: usize = 128;

/** Floats of scratch that `linearBackwardWeight` needs. */
export function linearWeightScratch(K: usize, N: usize): usize {
  return BLOCK * (K + N);
}

class Rows {
  /** x [rows, columns] → panels of `width` columns [rows][width]. */
  @inline static pack(panels: usize, x: usize, rows: usize, columns: usize, width: usize): void {
    for (let c: usize = 0; c < columns; c += width) {
      const isWhole = c + width <= columns;
      let from = x + c * FLOAT;
      for (let r: usize = 0; r < rows; r++) {
        v128.store(panels, v128.load(from));
        panels += 16;
        if (width == 8 && isWhole) {
          v128.store(panels, v128.load(from, 16));
          panels += 16;
        }
        from += columns * FLOAT;
      }
    }
  }
}

/** dWeight[0…3, 0…7] += xᵀ·dOut over `rows` rows of the panels. */
function tile4x8(dWeight: usize, stride: usize, x: usize, dOut: usize, rows: usize): void {
  const outB = dWeight + stride;
  const outC = outB + stride;
  const outD = outC + stride;
  let a0 = v128.load(dWeight);
  let a1 = v128.load(dWeight, 16);
  let b0 = v128.load(outB);
  let b1 = v128.load(outB, 16);
  let c0 = v128.load(outC);
  let c1 = v128.load(outC, 16);
  let d0 = v128.load(outD);
  let d1 = v128.load(outD, 16);
  const end = x + rows * 16;
  while (x < end) {
    const g0 = v128.load(dOut);
    const g1 = v128.load(dOut, 16);
    let s = v128.load_splat<f32>(x);
    a0 = Simd.madd(s, g0, a0);
    a1 = Simd.madd(s, g1, a1);
    s = v128.load_splat<f32>(x, 4);
    b0 = Simd.madd(s, g0, b0);
    b1 = Simd.madd(s, g1, b1);
    s = v128.load_splat<f32>(x, 8);
    c0 = Simd.madd(s, g0, c0);
    c1 = Simd.madd(s, g1, c1);
    s = v128.load_splat<f32>(x, 12);
    d0 = Simd.madd(s, g0, d0);
    d1 = Simd.madd(s, g1, d1);
    x += 16;
    dOut += 32;
  }
  v128.store(dWeight, a0);
  v128.store(dWeight, a1, 16);
  v128.store(outB, b0);
  v128.store(outB, b1, 16);
  v128.store(outC, c0);
  v128.store(outC, c1, 16);
  v128.store(outD, d0);
  v128.store(outD, d1, 16);
}

/** dWeight[0…3, 0…3] += xᵀ·dOut, for the last 4 columns when N is not a multiple of 8. */
function tile4x4(dWeight: usize, stride: usize, x: usize, dOut: usize, rows: usize): void {
  for (let k: usize = 0; k < 4; k++) {
    let sum = v128.load(dWeight + k * stride);
    for (let r: usize = 0; r < rows; r++) {
      const value = v128.load_splat<f32>(x + r * 16 + k * FLOAT);
      sum = Simd.madd(value, v128.load(dOut + r * 16), sum);
    }
    v128.store(dWeight + k * stride, sum);
  }
}

/** dWeight [K,N] = act(x)ᵀ·dOut and, unless 0, dBias [N] = Σ dOut, over `rows` rows of x [rows,K] and dOut [rows,N]. */
export function linearBackwardWeight(
  dWeight: usize,
  dBias: usize,
  x: usize,
  dOut: usize,
  rows: usize,
  K: usize,
  N: usize,
  activation: u32,
  scratch: usize,
): void {
  memory.fill(dWeight, 0, K * N * FLOAT);
  if (dBias) {
    memory.fill(dBias, 0, N * FLOAT);
    for (let r: usize = 0; r < rows; r++) add(dBias, dOut + r * N * FLOAT, N);
  }
  const stride = N * FLOAT;
  for (let r: usize = 0; r < rows; r += BLOCK) {
    const block = min(BLOCK, rows - r);
    const xPanels = scratch;
    const dPanels = scratch + block * K * FLOAT;
    Rows.pack(xPanels, x + r * K * FLOAT, block, K, 4);
    if (activation != NONE) activate(activation, xPanels, xPanels, block * K);
    Rows.pack(dPanels, dOut + r * N * FLOAT, block, N, 8);
    for (let n: usize = 0; n < N; n += 8) {
      const dPanel = dPanels + n * block * FLOAT;
      for (let k: usize = 0; k < K; k += 4) {
        const xPanel = xPanels + k * block * FLOAT;
        const to = dWeight + (k * N + n) * FLOAT;
        if (n + 8 <= N) tile4x8(to, stride, xPanel, dPanel, block);
        else tile4x4(to, stride, xPanel, dPanel, block);
      }
    }
  }
}
