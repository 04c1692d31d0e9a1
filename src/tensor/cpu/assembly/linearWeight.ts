/**
 * Gradient of a linear map by its weight: dWeight = act(x)ᵀ·dOut, dBias = Σ dOut, over the rows of one
 * gradient chunk. Blocks of rows are copied into panels (4 columns of x, 8 of dOut, rows one after the other), then a
 * tile of 4×8 numbers of dWeight stays in registers over the block. Every sum runs over the rows in order.
 */
import { activate, NONE } from './activation';
import { PANEL, Panels, packColumns } from './panels';
import { add } from './rows';
import { FLOAT, Simd } from './simd';

/** Rows a block: panels of K + N columns should stay in the second-level cache. */
const BLOCK: usize = 128;

/** Floats of scratch that `linearBackwardWeight` needs. */
export function linearWeightScratch(K: usize, N: usize): usize {
  return BLOCK * (K + Panels.padded(N));
}

/** dWeight[0…3, 0…7] (or 0…3, unless `isWhole`) += xᵀ·dOut over `rows` rows of the panels. */
function addTile(dWeight: usize, stride: usize, x: usize, dOut: usize, rows: usize, isWhole: bool): void {
  const outB = dWeight + stride;
  const outC = outB + stride;
  const outD = outC + stride;
  const none = f32x4.splat(0);
  let a0 = v128.load(dWeight);
  let a1 = isWhole ? v128.load(dWeight, 16) : none;
  let b0 = v128.load(outB);
  let b1 = isWhole ? v128.load(outB, 16) : none;
  let c0 = v128.load(outC);
  let c1 = isWhole ? v128.load(outC, 16) : none;
  let d0 = v128.load(outD);
  let d1 = isWhole ? v128.load(outD, 16) : none;
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
  v128.store(outB, b0);
  v128.store(outC, c0);
  v128.store(outD, d0);
  if (!isWhole) return;
  v128.store(dWeight, a1, 16);
  v128.store(outB, b1, 16);
  v128.store(outC, c1, 16);
  v128.store(outD, d1, 16);
}

/** dWeight [K,N] (`stride` bytes a row) += xᵀ·dOut over `rows` rows; panels of 4 columns of x and of 8 of dOut. */
export function addOuter(
  dWeight: usize,
  stride: usize,
  xPanels: usize,
  dPanels: usize,
  rows: usize,
  K: usize,
  N: usize,
): void {
  for (let n: usize = 0; n < N; n += PANEL) {
    for (let k: usize = 0; k < K; k += 4) {
      const to = dWeight + k * stride + n * FLOAT;
      addTile(to, stride, xPanels + k * rows * FLOAT, dPanels + n * rows * FLOAT, rows, n + 4 < N);
    }
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
  const dPanels = scratch + BLOCK * K * FLOAT;
  for (let r: usize = 0; r < rows; r += BLOCK) {
    const block = min(BLOCK, rows - r);
    packColumns(scratch, x + r * K * FLOAT, K * FLOAT, block, K, 4);
    if (activation != NONE) activate(activation, scratch, scratch, block * K);
    packColumns(dPanels, dOut + r * N * FLOAT, N * FLOAT, block, N, PANEL);
    addOuter(dWeight, N * FLOAT, scratch, dPanels, block, K, N);
  }
}
