/**
 * Inner loops of attention: scores of queries and keys, sums over keys, and what queries add to each key's gradient. For
 * one row, and for four neighbours in a trajectory, which read keys and values once for all four: scores are of the last
 * one's keys, sums first of those that all four see, then of the three that only later ones do. Every sum has the same order
 * either way, so a row is the same bits alone and among others. Strides are in bytes.
 */
import { tile4x4, tile4x8 } from './linear';
import { ROW_BYTES } from './rows';
import { FLOAT, Simd } from './simd';

/** Rows that are computed together. */
export const FOUR: usize = 4;
/** Score of a key that is not seen: its power is 0. */
const LOWEST: f32 = -3.0e38;
/** Bits of the first 0, 1, 2 and 3 lanes. */
const SEEN = memory.data<u32>([0, 0, 0, 0, ~0, 0, 0, 0, ~0, ~0, 0, 0, ~0, ~0, ~0, 0]);

export class Rows {
  /** True if the next four rows of the table are neighbours in one trajectory, the first at a multiple of four. */
  @inline static areFour(table: usize, left: usize): bool {
    if (left < FOUR || (load<u32>(table, 4) & 3) != 0) return false;
    return Rows.follows(table, 1) && Rows.follows(table, 2) && Rows.follows(table, 3);
  }

  @inline static follows(table: usize, i: u32): bool {
    const row = table + i * ROW_BYTES;
    return load<u32>(row, 4) == load<u32>(table, 4) + i && load<u32>(row, 8) == load<u32>(table, 8);
  }

  /** T in whole fours: keys that a row's scores have room for, and those of four rows of which the first has T. */
  @inline static padded(T: usize): usize {
    return (T + 3) & ~3;
  }

  /** Hides the keys from T on. One store of 16 bytes: what is read back from smaller ones has to wait for them. */
  @inline static hide(scores: usize, T: usize): void {
    if ((T & 3) == 0) return;
    const last = scores + (T & ~3) * FLOAT;
    v128.store(last, v128.bitselect(v128.load(last), Rows.lowest(), v128.load(SEEN + (T & 3) * 16)));
  }

  @inline static lowest(): v128 {
    return f32x4.splat(LOWEST);
  }
}

/** scores[t] = query·keys[t] for t < T; four at a time. */
export function dots(scores: usize, query: usize, keys: usize, stride: usize, T: usize, D: usize): void {
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

/** `dots` of two queries; T is a multiple of 4. */
function dotsOfTwo(
  scores: usize,
  scoresStride: usize,
  query: usize,
  queryStride: usize,
  keys: usize,
  stride: usize,
  T: usize,
  D: usize,
): void {
  const other = query + queryStride;
  for (const end = scores + T * FLOAT; scores < end; scores += 16) {
    const k1 = keys + stride;
    const k2 = k1 + stride;
    const k3 = k2 + stride;
    let a0 = f32x4.splat(0);
    let a1 = f32x4.splat(0);
    let a2 = f32x4.splat(0);
    let a3 = f32x4.splat(0);
    let b0 = f32x4.splat(0);
    let b1 = f32x4.splat(0);
    let b2 = f32x4.splat(0);
    let b3 = f32x4.splat(0);
    for (let i: usize = 0; i < D * FLOAT; i += 16) {
      const a = v128.load(query + i);
      const b = v128.load(other + i);
      let key = v128.load(keys + i);
      a0 = Simd.madd(a, key, a0);
      b0 = Simd.madd(b, key, b0);
      key = v128.load(k1 + i);
      a1 = Simd.madd(a, key, a1);
      b1 = Simd.madd(b, key, b1);
      key = v128.load(k2 + i);
      a2 = Simd.madd(a, key, a2);
      b2 = Simd.madd(b, key, b2);
      key = v128.load(k3 + i);
      a3 = Simd.madd(a, key, a3);
      b3 = Simd.madd(b, key, b3);
    }
    v128.store(scores, Simd.sums(a0, a1, a2, a3));
    v128.store(scores + scoresStride, Simd.sums(b0, b1, b2, b3));
    keys = k3 + stride;
  }
}

/** `dots` of four queries; T is a multiple of 4. */
export function dotsOfFour(
  scores: usize,
  scoresStride: usize,
  query: usize,
  queryStride: usize,
  keys: usize,
  stride: usize,
  T: usize,
  D: usize,
): void {
  dotsOfTwo(scores, scoresStride, query, queryStride, keys, stride, T, D);
  dotsOfTwo(scores + 2 * scoresStride, scoresStride, query + 2 * queryStride, queryStride, keys, stride, T, D);
}

/** out [D] = factor·Σ_t weights[t]·values[t]. */
export function weightedSum(
  out: usize,
  weights: usize,
  values: usize,
  stride: usize,
  T: usize,
  D: usize,
  factor: f32,
): void {
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
  for (; i + 32 <= end; i += 32) {
    let a = f32x4.splat(0);
    let b = f32x4.splat(0);
    let value = values + i;
    for (let t: usize = 0; t < T; t++) {
      const weight = v128.load_splat<f32>(weights + t * FLOAT);
      a = Simd.madd(weight, v128.load(value), a);
      b = Simd.madd(weight, v128.load(value, 16), b);
      value += stride;
    }
    v128.store(out + i, f32x4.mul(factors, a));
    v128.store(out + i, f32x4.mul(factors, b), 16);
  }
  if (i < end) {
    let sum = f32x4.splat(0);
    for (let t: usize = 0; t < T; t++) {
      const weight = v128.load_splat<f32>(weights + t * FLOAT);
      sum = Simd.madd(weight, v128.load(values + t * stride + i), sum);
    }
    v128.store(out + i, f32x4.mul(factors, sum));
  }
}

/** out[r] [D] = Σ_{t < T + r} weights[r][t]·values[t], for four rows. */
export function weightedSums(
  out: usize,
  outStride: usize,
  weights: usize,
  weightsStride: usize,
  values: usize,
  stride: usize,
  T: usize,
  D: usize,
): void {
  let i: usize = 0;
  for (; i + 8 <= D; i += 8) {
    const from = values + i * FLOAT;
    tile4x8(out + i * FLOAT, outStride, weights, weightsStride, T, from, stride, 0, false);
  }
  if (i < D) tile4x4(out + i * FLOAT, outStride, weights, weightsStride, T, values + i * FLOAT, stride, 0, false);
  const wb = weights + weightsStride + T * FLOAT;
  const wc = wb + weightsStride;
  const wd = wc + weightsStride;
  let b = out + outStride;
  let v = values + T * stride;
  for (const end = b + D * FLOAT; b < end; b += 16) {
    const c = b + outStride;
    const d = c + outStride;
    const v0 = v128.load(v);
    const v1 = v128.load(v + stride);
    const v2 = v128.load(v + 2 * stride);
    v128.store(b, Simd.madd(v128.load_splat<f32>(wb), v0, v128.load(b)));
    const sumC = Simd.madd(v128.load_splat<f32>(wc), v0, v128.load(c));
    v128.store(c, Simd.madd(v128.load_splat<f32>(wc, 4), v1, sumC));
    const sumD = Simd.madd(v128.load_splat<f32>(wd), v0, v128.load(d));
    v128.store(d, Simd.madd(v128.load_splat<f32>(wd, 8), v2, Simd.madd(v128.load_splat<f32>(wd, 4), v1, sumD)));
    v += 16;
  }
}

/** sums[t] [D] += Σ_r weights[r][t]·values[r], row r to t < T + r, for four rows in order. */
export function spreadFour(
  sums: usize,
  stride: usize,
  weights: usize,
  weightsStride: usize,
  values: usize,
  valuesStride: usize,
  T: usize,
  D: usize,
): void {
  const w1 = weightsStride;
  const w2 = w1 + weightsStride;
  const w3 = w2 + weightsStride;
  const last = weights + T * FLOAT;
  for (const end = sums + D * FLOAT; sums < end; sums += 16) {
    const a = v128.load(values);
    const b = v128.load(values + valuesStride);
    const c = v128.load(values + 2 * valuesStride);
    const d = v128.load(values + 3 * valuesStride);
    let sum = sums;
    for (let weight = weights; weight < last; weight += FLOAT) {
      let s = Simd.madd(v128.load_splat<f32>(weight), a, v128.load(sum));
      s = Simd.madd(v128.load_splat<f32>(weight + w1), b, s);
      s = Simd.madd(v128.load_splat<f32>(weight + w2), c, s);
      v128.store(sum, Simd.madd(v128.load_splat<f32>(weight + w3), d, s));
      sum += stride;
    }
    let s = Simd.madd(v128.load_splat<f32>(last + w1), b, v128.load(sum));
    s = Simd.madd(v128.load_splat<f32>(last + w2), c, s);
    v128.store(sum, Simd.madd(v128.load_splat<f32>(last + w3), d, s));
    sum += stride;
    s = Simd.madd(v128.load_splat<f32>(last + w2, 4), c, v128.load(sum));
    v128.store(sum, Simd.madd(v128.load_splat<f32>(last + w3, 4), d, s));
    sum += stride;
    v128.store(sum, Simd.madd(v128.load_splat<f32>(last + w3, 8), d, v128.load(sum)));
    values += 16;
  }
}
