/**
 * Matrix products over rows: out (=|+=) act(x)·weight + bias, and its gradient by x. The weight is first copied into
 * panels of 8 columns, one after the other, so that the inner loop reads memory in order: some columns (rows for the gradient) at
 * a time, which stay in the second-level cache. A tile of 4 rows × 8 columns stays in registers. Each number is one sum over k in
 * order, in any tile.
 */
import { activate, activateBackward, NONE } from './activation';
import { PANEL, Panels, packColumns, packRows } from './panels';
import { FLOAT, Simd } from './simd';
import { Weights } from './weights';

/** Rows whose activation is kept in scratch at a time. */
const BLOCK: usize = 32;
/** Columns (or rows) of the weight that are in panels at a time. */
const PACKED: usize = 256;

/** Floats of scratch that `linear` and `linearBackwardInput` need. */
export function linearScratch(K: usize, N: usize): usize {
  return max(panelsOf(K, N), panelsOf(N, K)) + BLOCK * max(K, N);
}

/** Floats of the panels of a product over `depth`. */
function panelsOf(depth: usize, columns: usize): usize {
  return depth * Panels.padded(min(columns, PACKED));
}

class Tile {
  /** out (=|+=) sum + bias, one vector. */
  @inline static finish(out: usize, sum: v128, bias: v128, accumulate: bool): void {
    const value = f32x4.add(sum, bias);
    v128.store(out, accumulate ? f32x4.add(v128.load(out), value) : value);
  }

  /** a + splat(x)·b. */
  @inline static step(a: v128, x: usize, b: v128): v128 {
    return Simd.madd(v128.load_splat<f32>(x), b, a);
  }
}

/** 4 rows × 8 columns; rows of the panel `panelStride` apart. Strides in bytes. Unrolling over depth made it slower. */
export function tile4x8(
  out: usize,
  outStride: usize,
  x: usize,
  xStride: usize,
  depth: usize,
  panel: usize,
  panelStride: usize,
  bias: usize,
  accumulate: bool,
): void {
  let a0 = f32x4.splat(0);
  let a1 = f32x4.splat(0);
  let b0 = f32x4.splat(0);
  let b1 = f32x4.splat(0);
  let c0 = f32x4.splat(0);
  let c1 = f32x4.splat(0);
  let d0 = f32x4.splat(0);
  let d1 = f32x4.splat(0);
  let xb = x + xStride;
  let xc = xb + xStride;
  let xd = xc + xStride;
  const end = x + depth * FLOAT;
  while (x < end) {
    const w0 = v128.load(panel);
    const w1 = v128.load(panel, 16);
    let s = v128.load_splat<f32>(x);
    a0 = Simd.madd(s, w0, a0);
    a1 = Simd.madd(s, w1, a1);
    s = v128.load_splat<f32>(xb);
    b0 = Simd.madd(s, w0, b0);
    b1 = Simd.madd(s, w1, b1);
    s = v128.load_splat<f32>(xc);
    c0 = Simd.madd(s, w0, c0);
    c1 = Simd.madd(s, w1, c1);
    s = v128.load_splat<f32>(xd);
    d0 = Simd.madd(s, w0, d0);
    d1 = Simd.madd(s, w1, d1);
    panel += panelStride;
    x += 4;
    xb += 4;
    xc += 4;
    xd += 4;
  }
  const bias0 = bias ? v128.load(bias) : f32x4.splat(0);
  const bias1 = bias ? v128.load(bias, 16) : f32x4.splat(0);
  Tile.finish(out, a0, bias0, accumulate);
  Tile.finish(out + 16, a1, bias1, accumulate);
  out += outStride;
  Tile.finish(out, b0, bias0, accumulate);
  Tile.finish(out + 16, b1, bias1, accumulate);
  out += outStride;
  Tile.finish(out, c0, bias0, accumulate);
  Tile.finish(out + 16, c1, bias1, accumulate);
  out += outStride;
  Tile.finish(out, d0, bias0, accumulate);
  Tile.finish(out + 16, d1, bias1, accumulate);
}

/** 4 rows × 4 columns: the last panel when N is not a multiple of 8. */
export function tile4x4(
  out: usize,
  outStride: usize,
  x: usize,
  xStride: usize,
  depth: usize,
  panel: usize,
  panelStride: usize,
  bias: usize,
  accumulate: bool,
): void {
  let a = f32x4.splat(0);
  let b = f32x4.splat(0);
  let c = f32x4.splat(0);
  let d = f32x4.splat(0);
  for (let k: usize = 0; k < depth; k++) {
    const w = v128.load(panel);
    const at = x + k * FLOAT;
    a = Tile.step(a, at, w);
    b = Tile.step(b, at + xStride, w);
    c = Tile.step(c, at + 2 * xStride, w);
    d = Tile.step(d, at + 3 * xStride, w);
    panel += panelStride;
  }
  const shift = bias ? v128.load(bias) : f32x4.splat(0);
  Tile.finish(out, a, shift, accumulate);
  Tile.finish(out + outStride, b, shift, accumulate);
  Tile.finish(out + 2 * outStride, c, shift, accumulate);
  Tile.finish(out + 3 * outStride, d, shift, accumulate);
}

/** One row × `columns` (8 or 4) columns: the last rows. */
function tile1(out: usize, x: usize, depth: usize, panel: usize, columns: usize, bias: usize, accumulate: bool): void {
  for (let n: usize = 0; n < columns * FLOAT; n += 16) {
    let sum = f32x4.splat(0);
    for (let k: usize = 0; k < depth; k++) {
      sum = Tile.step(sum, x + k * FLOAT, v128.load(panel + k * PANEL * FLOAT + n));
    }
    Tile.finish(out + n, sum, bias ? v128.load(bias + n) : f32x4.splat(0), accumulate);
  }
}

/** out [rows, N], rows `outStride` bytes apart, (=|+=) x [rows, K]·panels + bias. */
export function product(
  out: usize,
  outStride: usize,
  x: usize,
  rows: usize,
  K: usize,
  N: usize,
  panels: usize,
  bias: usize,
  accumulate: bool,
): void {
  const xStride = K * FLOAT;
  const whole = rows & ~3;
  for (let n: usize = 0; n < N; n += PANEL) {
    const panel = panels + n * K * FLOAT;
    const columns = min(PANEL, N - n);
    const shift = bias ? bias + n * FLOAT : 0;
    let to = out + n * FLOAT;
    let from = x;
    let r: usize = 0;
    for (; r < whole; r += 4) {
      if (columns == PANEL) tile4x8(to, outStride, from, xStride, K, panel, PANEL * FLOAT, shift, accumulate);
      else tile4x4(to, outStride, from, xStride, K, panel, PANEL * FLOAT, shift, accumulate);
      to += 4 * outStride;
      from += 4 * xStride;
    }
    for (; r < rows; r++) {
      tile1(to, from, K, panel, columns, shift, accumulate);
      to += outStride;
      from += xStride;
    }
  }
}

/** out [rows, N] (=|+=) act(x [rows, K])·weight [K, N] of a type + bias [N] (0: none). */
export function linear(
  out: usize,
  x: usize,
  rows: usize,
  K: usize,
  N: usize,
  weight: usize,
  type: u32,
  bias: usize,
  activation: u32,
  accumulate: bool,
  scratch: usize,
): void {
  if (rows == 0) return;
  const bytes = Weights.bytes(type);
  const activated = scratch + panelsOf(K, N) * FLOAT;
  for (let n: usize = 0; n < N; n += PACKED) {
    const columns = min(PACKED, N - n);
    packColumns(scratch, weight + n * bytes, N * bytes, K, columns, PANEL, type);
    const shift = bias ? bias + n * FLOAT : 0;
    for (let r: usize = 0; r < rows; r += BLOCK) {
      const block = min(BLOCK, rows - r);
      let from = x + r * K * FLOAT;
      if (activation != NONE) {
        activate(activation, activated, from, block * K);
        from = activated;
      }
      product(out + (r * N + n) * FLOAT, N * FLOAT, from, block, K, columns, scratch, shift, accumulate);
    }
  }
}

/** dx [rows, K] (=|+=) (dOut [rows, N]·weightᵀ) ⊙ act′(x), of a weight of a type. */
export function linearBackwardInput(
  dx: usize,
  dOut: usize,
  x: usize,
  rows: usize,
  K: usize,
  N: usize,
  weight: usize,
  type: u32,
  activation: u32,
  accumulate: bool,
  scratch: usize,
): void {
  if (rows == 0) return;
  const stride = N * Weights.bytes(type);
  const products = scratch + panelsOf(N, K) * FLOAT;
  for (let k: usize = 0; k < K; k += PACKED) {
    const inputs = min(PACKED, K - k);
    packRows(scratch, weight + k * stride, stride, inputs, N, type);
    for (let r: usize = 0; r < rows; r += BLOCK) {
      const block = min(BLOCK, rows - r);
      const from = dOut + r * N * FLOAT;
      const at = (r * K + k) * FLOAT;
      if (activation == NONE) {
        product(dx + at, K * FLOAT, from, block, N, inputs, scratch, 0, accumulate);
        continue;
      }
      product(products, inputs * FLOAT, from, block, N, inputs, scratch, 0, false);
      for (let i: usize = 0; i < block; i++) {
        const row = at + i * K * FLOAT;
        activateBackward(activation, dx + row, products + i * inputs * FLOAT, x + row, inputs, accumulate);
      }
    }
  }
}
