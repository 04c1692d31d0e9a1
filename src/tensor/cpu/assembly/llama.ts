/**
 * Operations of decoders of the Llama family: RMS norm (arXiv 1910.07467), SwiGLU (arXiv 2002.05202), an embedding that is the
 * head read by columns; and columns added and taken, for low-rank products (LoRA, arXiv 2106.09685).
 */
import { ROW_BYTES } from './rows';
import { FLOAT, Simd } from './simd';
import { Weights } from './weights';

/** out[r] = head[:, token_r], head [C,V] of a type. */
export function embedTied(out: usize, table: usize, rows: usize, C: usize, V: usize, head: usize, type: u32): void {
  const bytes = Weights.bytes(type);
  for (let r: usize = 0; r < rows; r++) {
    let from = head + <usize>load<u32>(table) * bytes;
    for (let c: usize = 0; c < C; c++) {
      store<f32>(out, Weights.one(from, type));
      from += V * bytes;
      out += FLOAT;
    }
    table += ROW_BYTES;
  }
}

/** dHead[:, token_r] += dx[r] over these rows. */
export function embedTiedBackward(dHead: usize, dx: usize, table: usize, rows: usize, C: usize, V: usize): void {
  for (let r: usize = 0; r < rows; r++) {
    let to = dHead + <usize>load<u32>(table) * FLOAT;
    for (let c: usize = 0; c < C; c++) {
      store<f32>(to, load<f32>(to) + load<f32>(dx));
      to += V * FLOAT;
      dx += FLOAT;
    }
    table += ROW_BYTES;
  }
}

/** out = gamma·x·rstd, rstd = 1/√(mean(x²) + ε); stats [rows, 2] = (0, rstd). */
export function rmsNorm(out: usize, stats: usize, x: usize, rows: usize, C: usize, gamma: usize, epsilon: f32): void {
  const end = C * FLOAT;
  for (let r: usize = 0; r < rows; r++) {
    const rstd: f32 = 1 / sqrt<f32>(Simd.dot(x, x, C) / f32(C) + epsilon);
    const rstds = f32x4.splat(rstd);
    for (let i: usize = 0; i < end; i += 16) {
      v128.store(out + i, f32x4.mul(f32x4.mul(v128.load(x + i), rstds), v128.load(gamma + i)));
    }
    store<f32>(stats, 0);
    store<f32>(stats, rstd, 4);
    x += end;
    out += end;
    stats += 8;
  }
}

/**
 * With x̂ = x·rstd and g = dOut·gamma: dx (=|+=) rstd·(g − x̂·mean(g·x̂)), and over these rows dGamma (=, or 0 for none) Σ dOut·x̂.
 */
export function rmsNormBackward(
  dx: usize,
  dGamma: usize,
  dOut: usize,
  x: usize,
  stats: usize,
  rows: usize,
  C: usize,
  gamma: usize,
  accumulate: bool,
): void {
  const end = C * FLOAT;
  if (dGamma) memory.fill(dGamma, 0, end);
  for (let r: usize = 0; r < rows; r++) {
    const rstds = v128.load_splat<f32>(stats, 4);
    let lanes = f32x4.splat(0);
    for (let i: usize = 0; i < end; i += 16) {
      const scaled = f32x4.mul(v128.load(dOut + i), f32x4.mul(v128.load(x + i), rstds));
      if (dGamma) v128.store(dGamma + i, f32x4.add(v128.load(dGamma + i), scaled));
      lanes = Simd.madd(scaled, v128.load(gamma + i), lanes);
    }
    const means = f32x4.splat(Simd.sum(lanes) / f32(C));
    for (let i: usize = 0; i < end; i += 16) {
      const g = f32x4.mul(v128.load(dOut + i), v128.load(gamma + i));
      const along = f32x4.mul(f32x4.mul(v128.load(x + i), rstds), means);
      let result = f32x4.mul(rstds, f32x4.sub(g, along));
      if (accumulate) result = f32x4.add(v128.load(dx + i), result);
      v128.store(dx + i, result);
    }
    dx += end;
    dOut += end;
    x += end;
    stats += 8;
  }
}

class Sigmoid {
  @inline static take(x: v128): v128 {
    const one = f32x4.splat(1);
    return f32x4.div(one, f32x4.add(one, Simd.exp(f32x4.neg(x))));
  }
}

/** out [rows, F] = g·σ(g)·u of x [rows, 2F] = (g, u). */
export function swiglu(out: usize, x: usize, rows: usize, F: usize): void {
  const end = F * FLOAT;
  for (let r: usize = 0; r < rows; r++) {
    for (let i: usize = 0; i < end; i += 16) {
      const gate = v128.load(x + i);
      v128.store(out + i, f32x4.mul(f32x4.mul(gate, Sigmoid.take(gate)), v128.load(x + end + i)));
    }
    x += 2 * end;
    out += end;
  }
}

/** dx (=): dOut·u·(σ + g·σ·(1 − σ)) by the gate, dOut·g·σ by u. */
export function swigluBackward(dx: usize, dOut: usize, x: usize, rows: usize, F: usize): void {
  const end = F * FLOAT;
  const one = f32x4.splat(1);
  for (let r: usize = 0; r < rows; r++) {
    for (let i: usize = 0; i < end; i += 16) {
      const gate = v128.load(x + i);
      const given = v128.load(dOut + i);
      const s = Sigmoid.take(gate);
      const silu = f32x4.mul(gate, s);
      const slope = Simd.madd(silu, f32x4.sub(one, s), s);
      v128.store(dx + i, f32x4.mul(f32x4.mul(given, v128.load(x + end + i)), slope));
      v128.store(dx + end + i, f32x4.mul(given, silu));
    }
    x += 2 * end;
    dx += 2 * end;
    dOut += end;
  }
}

/** out [rows, N] += factor·x [rows, n], from column `first` on. */
export function addColumns(out: usize, x: usize, rows: usize, N: usize, n: usize, first: usize, factor: f32): void {
  const factors = f32x4.splat(factor);
  out += first * FLOAT;
  for (let r: usize = 0; r < rows; r++) {
    for (let i: usize = 0; i < n * FLOAT; i += 16) {
      v128.store(out + i, Simd.madd(factors, v128.load(x + i), v128.load(out + i)));
    }
    out += N * FLOAT;
    x += n * FLOAT;
  }
}

/** out [rows, n] = factor·x [rows, N], from column `first` on. */
export function takeColumns(out: usize, x: usize, rows: usize, N: usize, n: usize, first: usize, factor: f32): void {
  const factors = f32x4.splat(factor);
  x += first * FLOAT;
  for (let r: usize = 0; r < rows; r++) {
    for (let i: usize = 0; i < n * FLOAT; i += 16) v128.store(out + i, f32x4.mul(factors, v128.load(x + i)));
    out += n * FLOAT;
    x += N * FLOAT;
  }
}
