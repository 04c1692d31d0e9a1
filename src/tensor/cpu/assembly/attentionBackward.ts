/**
 * Gradient of attention from the saved log-sum-exp (as FlashAttention, arXiv 2205.14135, appendix B), head by head, for
 * four rows of a trajectory at a time and for single rows.
 */
import { dots, dotsOfFour, FOUR, Rows, spreadFour, weightedSums } from './attentionRows';
import { ROW_BYTES } from './rows';
import { FLOAT, Simd } from './simd';

/** For keys t < T: dQuery = Σ dS_t·k_t;  dKeys[t] += dS_t·query;  dValues[t] += P_t·dOut. */
function spread(
  dQuery: usize,
  dKeys: usize,
  dOut: usize,
  query: usize,
  keys: usize,
  stride: usize,
  toValues: usize,
  P: usize,
  dS: usize,
  T: usize,
  D: usize,
): void {
  const end = D * FLOAT;
  let i: usize = 0;
  for (; i + 32 <= end; i += 32) {
    const q0 = v128.load(query + i);
    const q1 = v128.load(query + i, 16);
    const g0 = v128.load(dOut + i);
    const g1 = v128.load(dOut + i, 16);
    let a = f32x4.splat(0);
    let b = f32x4.splat(0);
    let key = keys + i;
    let dKey = dKeys + i;
    for (let t: usize = 0; t < T * FLOAT; t += FLOAT) {
      const slope = v128.load_splat<f32>(dS + t);
      const weight = v128.load_splat<f32>(P + t);
      const dValue = dKey + toValues;
      a = Simd.madd(slope, v128.load(key), a);
      b = Simd.madd(slope, v128.load(key, 16), b);
      v128.store(dKey, Simd.madd(slope, q0, v128.load(dKey)));
      v128.store(dKey, Simd.madd(slope, q1, v128.load(dKey, 16)), 16);
      v128.store(dValue, Simd.madd(weight, g0, v128.load(dValue)));
      v128.store(dValue, Simd.madd(weight, g1, v128.load(dValue, 16)), 16);
      key += stride;
      dKey += stride;
    }
    v128.store(dQuery + i, a);
    v128.store(dQuery + i, b, 16);
  }
  if (i < end) {
    const q = v128.load(query + i);
    const g = v128.load(dOut + i);
    let sum = f32x4.splat(0);
    for (let t: usize = 0; t < T; t++) {
      const slope = v128.load_splat<f32>(dS + t * FLOAT);
      const dKey = dKeys + t * stride + i;
      const dValue = dKey + toValues;
      sum = Simd.madd(slope, v128.load(keys + t * stride + i), sum);
      v128.store(dKey, Simd.madd(slope, q, v128.load(dKey)));
      const weight = v128.load_splat<f32>(P + t * FLOAT);
      v128.store(dValue, Simd.madd(weight, g, v128.load(dValue)));
    }
    v128.store(dQuery + i, sum);
  }
}

class Slope {
  /** Four keys of a row: P, scores before and weights after; dS, dOut·v before and P·(dOut·v − δ)·scale after. */
  @inline static take(P: usize, dS: usize, total: v128, delta: v128, scales: v128): void {
    const weight = Simd.exp(f32x4.sub(f32x4.mul(v128.load(P), scales), total));
    v128.store(P, weight);
    v128.store(dS, f32x4.mul(f32x4.mul(weight, f32x4.sub(v128.load(dS), delta)), scales));
  }
}

/** `Slope.take` of four rows, also for keys that only later ones see, which nothing reads. `total` [·, H] is logSumExp's. */
function slopesOfFour(P: usize, dS: usize, stride: usize, total: usize, H: usize, deltas: v128, scales: v128): void {
  const ta = v128.load_splat<f32>(total);
  const tb = v128.load_splat<f32>(total + H * FLOAT);
  const tc = v128.load_splat<f32>(total + 2 * H * FLOAT);
  const td = v128.load_splat<f32>(total + 3 * H * FLOAT);
  const a = v128.shuffle<f32>(deltas, deltas, 0, 0, 0, 0);
  const b = v128.shuffle<f32>(deltas, deltas, 1, 1, 1, 1);
  const c = v128.shuffle<f32>(deltas, deltas, 2, 2, 2, 2);
  const d = v128.shuffle<f32>(deltas, deltas, 3, 3, 3, 3);
  for (const end = P + stride; P < end; P += 16) {
    Slope.take(P, dS, ta, a, scales);
    Slope.take(P + stride, dS + stride, tb, b, scales);
    Slope.take(P + 2 * stride, dS + 2 * stride, tc, c, scales);
    Slope.take(P + 3 * stride, dS + 3 * stride, td, d, scales);
    dS += 16;
  }
}

/** a[i]·b[i] [D] of four rows, `stride` bytes apart in both. */
function dotsOfRows(a: usize, b: usize, stride: usize, D: usize): v128 {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (const end = a + D * FLOAT; a < end; a += 16) {
    s0 = Simd.madd(v128.load(a), v128.load(b), s0);
    s1 = Simd.madd(v128.load(a + stride), v128.load(b + stride), s1);
    s2 = Simd.madd(v128.load(a + 2 * stride), v128.load(b + 2 * stride), s2);
    s3 = Simd.madd(v128.load(a + 3 * stride), v128.load(b + 3 * stride), s3);
    b += 16;
  }
  return Simd.sums(s0, s1, s2, s3);
}

/**
 * dqkv (=) the gradient, in all rows. With P = exp(score − logSumExp) and δ = dOut·out of each row and head:
 *   dS = P·(dOut·v − δ)/√D.  scratch: 8·(positions + 4) floats, P and dS of four rows.
 */
export function attentionBackward(
  dqkv: usize,
  dOut: usize,
  out: usize,
  logSumExp: usize,
  qkv: usize,
  table: usize,
  rows: usize,
  D: usize,
  H: usize,
  K: usize,
  scratch: usize,
): void {
  const group = H / K;
  const outStride = H * D * FLOAT;
  const toValues = K * D * FLOAT;
  const stride = outStride + 2 * toValues;
  const scales = f32x4.splat(1 / sqrt<f32>(f32(D)));
  for (let r: usize = 0; r < rows; ) {
    const T = <usize>load<u32>(table, 4) + 1;
    const base = <usize>load<u32>(table, 8) * stride + outStride;
    const count = Rows.areFour(table, rows - r) ? FOUR : 1;
    const P = scratch;
    const padded = Rows.padded(T);
    const scoresStride = padded * FLOAT;
    const dS = scratch + count * scoresStride;
    // A row's gradients are first added to by itself, so they are zeroed just before.
    memory.fill(dqkv + r * stride, 0, count * stride);
    for (let h: usize = 0; h < H; h++) {
      const head = h * D * FLOAT;
      const keyHead = (h / group) * D * FLOAT;
      const query = qkv + r * stride + head;
      const dQuery = dqkv + r * stride + head;
      const given = dOut + r * outStride + head;
      const keys = qkv + base + keyHead;
      const dKeys = dqkv + base + keyHead;
      const result = out + r * outStride + head;
      const total = logSumExp + (r * H + h) * FLOAT;
      if (count == FOUR) {
        dotsOfFour(P, scoresStride, query, stride, keys, stride, padded, D);
        dotsOfFour(dS, scoresStride, given, outStride, keys + toValues, stride, padded, D);
        slopesOfFour(P, dS, scoresStride, total, H, dotsOfRows(given, result, outStride, D), scales);
        weightedSums(dQuery, stride, dS, scoresStride, keys, stride, T, D);
        spreadFour(dKeys, stride, dS, scoresStride, query, stride, T, D);
        spreadFour(dKeys + toValues, stride, P, scoresStride, given, outStride, T, D);
      } else {
        dots(P, query, keys, stride, T, D);
        dots(dS, given, keys + toValues, stride, T, D);
        const totals = v128.load_splat<f32>(total);
        const deltas = f32x4.splat(Simd.dot(given, result, D));
        for (let t: usize = 0; t < T * FLOAT; t += 16) Slope.take(P + t, dS + t, totals, deltas, scales);
        spread(dQuery, dKeys, given, query, keys, stride, toValues, P, dS, T, D);
      }
    }
    table += count * ROW_BYTES;
    r += count;
  }
}
