/**
 * Causal attention of packed trajectories (softmax in one pass over kept scores, arXiv 2205.14135, appendix B), head by
 * head, for four rows of a trajectory at a time and for single rows.
 */
import { dots, dotsOfFour, FOUR, Rows, weightedSum, weightedSums } from './attentionRows';
import { ROW_BYTES } from './rows';
import { FLOAT, Simd } from './simd';

/** out [D] = factor·out. */
function multiply(out: usize, factor: f32, D: usize): void {
  const factors = f32x4.splat(factor);
  for (let i: usize = 0; i < D * FLOAT; i += 16) v128.store(out + i, f32x4.mul(factors, v128.load(out + i)));
}

/** Largest of the scores that `softmax` saw last. */
let maximum: f32 = 0;

/** scores [T] → exp((score − largest)·scale), 0 behind them up to a multiple of four; returns their sum. */
function softmax(scores: usize, T: usize, scales: v128): f32 {
  const padded = Rows.padded(T) * FLOAT;
  let largest = Rows.lowest();
  Rows.hide(scores, T);
  for (let t: usize = 0; t < padded; t += 16) largest = f32x4.pmax(largest, v128.load(scores + t));
  maximum = Simd.maximum(largest);
  const maxima = f32x4.splat(maximum);
  let lanes = f32x4.splat(0);
  for (let t: usize = 0; t < padded; t += 16) {
    const power = Simd.exp(f32x4.mul(f32x4.sub(v128.load(scores + t), maxima), scales));
    v128.store(scores + t, power);
    lanes = f32x4.add(lanes, power);
  }
  return Simd.sum(lanes);
}

class Power {
  /** exp((scores − maximum)·scale), stored in their place. */
  @inline static take(scores: usize, maxima: v128, scales: v128): v128 {
    const power = Simd.exp(f32x4.mul(f32x4.sub(v128.load(scores), maxima), scales));
    v128.store(scores, power);
    return power;
  }
}

/**
 * `softmax` of four rows, of which the first has T keys: writes their largest scores and their sums, four each, to `largest` and
 * behind it.
 */
function softmaxOfFour(scores: usize, stride: usize, T: usize, scales: v128, largest: usize): void {
  const b = scores + stride;
  const c = b + stride;
  const d = c + stride;
  let ma = Rows.lowest();
  Rows.hide(scores, T);
  Rows.hide(b, T + 1);
  Rows.hide(c, T + 2);
  let mb = ma;
  let mc = ma;
  let md = ma;
  for (let t: usize = 0; t < stride; t += 16) {
    ma = f32x4.pmax(ma, v128.load(scores + t));
    mb = f32x4.pmax(mb, v128.load(b + t));
    mc = f32x4.pmax(mc, v128.load(c + t));
    md = f32x4.pmax(md, v128.load(d + t));
  }
  const maxima = Simd.maxima(ma, mb, mc, md);
  v128.store(largest, maxima);
  ma = v128.shuffle<f32>(maxima, maxima, 0, 0, 0, 0);
  mb = v128.shuffle<f32>(maxima, maxima, 1, 1, 1, 1);
  mc = v128.shuffle<f32>(maxima, maxima, 2, 2, 2, 2);
  md = v128.shuffle<f32>(maxima, maxima, 3, 3, 3, 3);
  let sa = f32x4.splat(0);
  let sb = sa;
  let sc = sa;
  let sd = sa;
  for (let t: usize = 0; t < stride; t += 16) {
    sa = f32x4.add(sa, Power.take(scores + t, ma, scales));
    sb = f32x4.add(sb, Power.take(b + t, mb, scales));
    sc = f32x4.add(sc, Power.take(c + t, mc, scales));
    sd = f32x4.add(sd, Power.take(d + t, md, scales));
  }
  v128.store(largest, Simd.sums(sa, sb, sc, sd), 16);
}

/**
 * out [rows, H·D], logSumExp [rows, H]; K heads of keys. Keys of a trajectory begin at row keyBase of `keys` (stride bytes a
 * row), values K·D floats after them. scratch: 4·(positions + 6) floats, the scores of four rows, their largest ones and sums.
 */
export function attention(
  out: usize,
  logSumExp: usize,
  qkv: usize,
  keys: usize,
  stride: usize,
  table: usize,
  rows: usize,
  D: usize,
  H: usize,
  K: usize,
  scratch: usize,
): void {
  const scale: f32 = 1 / sqrt<f32>(f32(D));
  const scales = f32x4.splat(scale);
  const group = H / K;
  const outStride = H * D * FLOAT;
  const toValues = K * D * FLOAT;
  const queryStride = outStride + 2 * toValues;
  for (let r: usize = 0; r < rows; ) {
    const T = <usize>load<u32>(table, 4) + 1;
    const count = Rows.areFour(table, rows - r) ? FOUR : 1;
    const padded = Rows.padded(T);
    const scoresStride = padded * FLOAT;
    const totals = scratch + count * scoresStride;
    for (let h: usize = 0; h < H; h++) {
      const to = out + h * D * FLOAT;
      const query = qkv + h * D * FLOAT;
      const key = keys + <usize>load<u32>(table, 8) * stride + (h / group) * D * FLOAT;
      if (count == FOUR) {
        dotsOfFour(scratch, scoresStride, query, queryStride, key, stride, padded, D);
        softmaxOfFour(scratch, scoresStride, T, scales, totals);
        weightedSums(to, outStride, scratch, scoresStride, key + toValues, stride, T, D);
        for (let i: usize = 0; i < FOUR; i++) {
          const total = load<f32>(totals + i * FLOAT, 16);
          store<f32>(logSumExp + (i * H + h) * FLOAT, load<f32>(totals + i * FLOAT) * scale + Mathf.log(total));
          multiply(to + i * outStride, 1 / total, D);
        }
      } else {
        dots(scratch, query, key, stride, T, D);
        const total = softmax(scratch, T, scales);
        store<f32>(logSumExp + h * FLOAT, maximum * scale + Mathf.log(total));
        weightedSum(to, scratch, key + toValues, stride, T, D, 1 / total);
      }
    }
    qkv += count * queryStride;
    out += count * outStride;
    logSumExp += count * H * FLOAT;
    table += count * ROW_BYTES;
    r += count;
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
  D: usize,
  H: usize,
  K: usize,
  T: usize,
  scratch: usize,
): void {
  const group = H / K;
  const stride = (H + 2 * K) * D * FLOAT;
  const scales = f32x4.splat(1 / sqrt<f32>(f32(D)));
  for (let i: usize = 0; i < count; i++) {
    const r = <usize>load<u32>(picks + i * ROW_BYTES);
    const row = table + r * ROW_BYTES;
    const bytes = (<usize>load<u32>(row, 4) + 1) * FLOAT;
    const base = qkv + <usize>load<u32>(row, 8) * stride + H * D * FLOAT;
    for (let h: usize = 0; h < H; h++) {
      const query = qkv + r * stride + h * D * FLOAT;
      const total = v128.load_splat<f32>(logSumExp + (r * H + h) * FLOAT);
      dots(scratch, query, base + (h / group) * D * FLOAT, stride, bytes / FLOAT, D);
      for (let t: usize = 0; t < bytes; t += 16) {
        v128.store(scratch + t, Simd.exp(f32x4.sub(f32x4.mul(v128.load(scratch + t), scales), total)));
      }
      memory.copy(out, scratch, bytes);
      memory.fill(out + bytes, 0, T * FLOAT - bytes);
      out += T * FLOAT;
    }
  }
}
