/**
 * Causal attention of packed trajectories and its gradient from the saved log-sum-exp (as FlashAttention, arXiv
 * 2205.14135, appendix B). Row by row and head by head: the scores of four keys at a time, then sums over keys with up
 * to 16 columns of the head in registers.
 */
import { ROW_BYTES } from './rows';
import { FLOAT, Simd } from './simd';

const LOWEST: f32 = -3.0e38;

/** scores[t] = query·keys[t] for t < T; four at a time. Strides in bytes. */
function dots(scores: usize, query: usize, keys: usize, stride: usize, T: usize, D: usize): void {
  let t: usize = 0;
  for (; t + 4 <= T; t += 4) {
    const k1 = keys + stride;
    const k2 = k1 + stride;
    const k3 = k2 + stride;
    let s0 = f32x4.splat(0);
    let s1 = f32x4.splat(0);
    let s2 = f32x4.splat(0);
    let s3 = f32x4.splat(0);
    for (let i: usize = 0; i < D * FLOAT; i += 16) {
      const q = v128.load(query + i);
      s0 = Simd.madd(q, v128.load(keys + i), s0);
      s1 = Simd.madd(q, v128.load(k1 + i), s1);
      s2 = Simd.madd(q, v128.load(k2 + i), s2);
      s3 = Simd.madd(q, v128.load(k3 + i), s3);
    }
    v128.store(scores + t * FLOAT, Simd.sums(s0, s1, s2, s3));
    keys = k3 + stride;
  }
  for (; t < T; t++) {
    store<f32>(scores + t * FLOAT, Simd.dot(query, keys, D));
    keys += stride;
  }
}

/** out [D] = factor·Σ_t weights[t]·values[t]. */
function weightedSum(out: usize, weights: usize, values: usize, stride: usize, T: usize, D: usize, factor: f32): void {
  const factors = f32x4.splat(factor);
  const end = D * FLOAT;
  let i: usize = 0;
  for (; i + 64 <= end; i += 64) {
    let a = f32x4.splat(0);
    let b = f32x4.splat(0);
    let c = f32x4.splat(0);
    let d = f32x4.splat(0);
    let value = values + i;
    for (let t: usize = 0; t < T; t++) {
      const weight = v128.load_splat<f32>(weights + t * FLOAT);
      a = Simd.madd(weight, v128.load(value), a);
      b = Simd.madd(weight, v128.load(value, 16), b);
      c = Simd.madd(weight, v128.load(value, 32), c);
      d = Simd.madd(weight, v128.load(value, 48), d);
      value += stride;
    }
    v128.store(out + i, f32x4.mul(factors, a));
    v128.store(out + i, f32x4.mul(factors, b), 16);
    v128.store(out + i, f32x4.mul(factors, c), 32);
    v128.store(out + i, f32x4.mul(factors, d), 48);
  }
  for (; i + 16 <= end; i += 16) {
    let sum = f32x4.splat(0);
    for (let t: usize = 0; t < T; t++) {
      const weight = v128.load_splat<f32>(weights + t * FLOAT);
      sum = Simd.madd(weight, v128.load(values + t * stride + i), sum);
    }
    v128.store(out + i, f32x4.mul(factors, sum));
  }
}

/**
 * out [rows, C], logSumExp [rows, H]. Keys of a trajectory begin at row keyBase of `keys` (stride bytes a row), values C
 * floats after them. scratch: the scores of one row, positions + 4 floats.
 */
export function attention(
  out: usize,
  logSumExp: usize,
  qkv: usize,
  keys: usize,
  stride: usize,
  table: usize,
  rows: usize,
  C: usize,
  H: usize,
  scratch: usize,
): void {
  const D = C / H;
  const headBytes = D * FLOAT;
  const scale: f32 = 1 / sqrt<f32>(f32(D));
  const scales = f32x4.splat(scale);
  for (let r: usize = 0; r < rows; r++) {
    const T = <usize>load<u32>(table, 4) + 1;
    const base = keys + <usize>load<u32>(table, 8) * stride;
    const padded = ((T + 3) & ~3) * FLOAT;
    for (let h: usize = 0; h < H; h++) {
      dots(scratch, qkv + h * headBytes, base + h * headBytes, stride, T, D);
      for (let t = T * FLOAT; t < padded; t += FLOAT) store<f32>(scratch + t, LOWEST);
      let largest = f32x4.splat(LOWEST);
      for (let t: usize = 0; t < padded; t += 16) largest = f32x4.pmax(largest, v128.load(scratch + t));
      const maximum = Simd.maximum(largest);
      const maxima = f32x4.splat(maximum);
      let lanes = f32x4.splat(0);
      for (let t: usize = 0; t < padded; t += 16) {
        const power = Simd.exp(f32x4.mul(f32x4.sub(v128.load(scratch + t), maxima), scales));
        v128.store(scratch + t, power);
        lanes = f32x4.add(lanes, power);
      }
      const total = Simd.sum(lanes);
      store<f32>(logSumExp + h * FLOAT, maximum * scale + Mathf.log(total));
      weightedSum(out + h * headBytes, scratch, base + C * FLOAT + h * headBytes, stride, T, D, 1 / total);
    }
    qkv += 3 * C * FLOAT;
    out += C * FLOAT;
    logSumExp += H * FLOAT;
    table += ROW_BYTES;
  }
}

/** Attention's weights of the values, out [count, H, T], 0 past a row's position. scratch: T + 4 floats. */
export function attentionProbabilities(
  out: usize,
  qkv: usize,
  logSumExp: usize,
  picks: usize,
  count: usize,
  table: usize,
  C: usize,
  H: usize,
  T: usize,
  scratch: usize,
): void {
  const D = C / H;
  const stride = C * 3 * FLOAT;
  const scales = f32x4.splat(1 / sqrt<f32>(f32(D)));
  for (let i: usize = 0; i < count; i++) {
    const r = <usize>load<u32>(picks + i * ROW_BYTES);
    const row = table + r * ROW_BYTES;
    const bytes = (<usize>load<u32>(row, 4) + 1) * FLOAT;
    const base = qkv + <usize>load<u32>(row, 8) * stride + C * FLOAT;
    for (let h: usize = 0; h < H; h++) {
      const head = h * D * FLOAT;
      const total = v128.load_splat<f32>(logSumExp + (r * H + h) * FLOAT);
      dots(scratch, qkv + r * stride + head, base + head, stride, bytes / FLOAT, D);
      for (let t: usize = 0; t < bytes; t += 16) {
        v128.store(scratch + t, Simd.exp(f32x4.sub(f32x4.mul(v128.load(scratch + t), scales), total)));
      }
      memory.copy(out, scratch, bytes);
      memory.fill(out + bytes, 0, T * FLOAT - bytes);
      out += T * FLOAT;
    }
  }
}

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

/**
 * dqkv (=) the gradient, in all rows. With P = exp(score − logSumExp) and δ = dOut·out of each row and head:
 *   dS = P·(dOut·v − δ)/√D.  scratch: two rows of positions + 4 floats, `scratchStride` bytes apart.
 */
export function attentionBackward(
  dqkv: usize,
  dOut: usize,
  out: usize,
  logSumExp: usize,
  qkv: usize,
  table: usize,
  rows: usize,
  C: usize,
  H: usize,
  scratch: usize,
  scratchStride: usize,
): void {
  const D = C / H;
  const stride = C * 3 * FLOAT;
  const toKeys = C * FLOAT;
  const scales = f32x4.splat(1 / sqrt<f32>(f32(D)));
  const P = scratch;
  const dS = scratch + scratchStride;
  memory.fill(dqkv, 0, rows * stride);
  for (let r: usize = 0; r < rows; r++) {
    const T = <usize>load<u32>(table, 4) + 1;
    const base = <usize>load<u32>(table, 8) * stride + toKeys;
    for (let h: usize = 0; h < H; h++) {
      const head = h * D * FLOAT;
      const query = qkv + r * stride + head;
      const given = dOut + r * toKeys + head;
      const keys = qkv + base + head;
      const delta = f32x4.splat(Simd.dot(given, out + r * toKeys + head, D));
      const total = v128.load_splat<f32>(logSumExp + (r * H + h) * FLOAT);
      dots(P, query, keys, stride, T, D);
      dots(dS, given, keys + toKeys, stride, T, D);
      for (let t: usize = 0; t < T * FLOAT; t += 16) {
        const weight = Simd.exp(f32x4.sub(f32x4.mul(v128.load(P + t), scales), total));
        v128.store(P + t, weight);
        v128.store(dS + t, f32x4.mul(f32x4.mul(weight, f32x4.sub(v128.load(dS + t), delta)), scales));
      }
      spread(dqkv + r * stride + head, dqkv + base + head, given, query, keys, stride, toKeys, P, dS, T, D);
    }
    table += ROW_BYTES;
  }
}
