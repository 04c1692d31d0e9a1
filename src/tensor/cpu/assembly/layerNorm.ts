/**
 * Layer normalisation over the last axis (arXiv 1607.06450) and its gradient.
 */
import { Bound } from './columns';
import { FLOAT, Simd } from './simd';

/** out = gamma·(x − mean)·rstd + beta; stats [rows, 2] = (mean, rstd). */
export function layerNorm(out: usize, stats: usize, x: usize, rows: usize, C: usize, gamma: usize, beta: usize): void {
  const end = C * FLOAT;
  for (let r: usize = 0; r < rows; r++) {
    let lanes = f32x4.splat(0);
    for (let i: usize = 0; i < end; i += 16) lanes = f32x4.add(lanes, v128.load(x + i));
    const mean = Simd.sum(lanes) / f32(C);

    const means = f32x4.splat(mean);
    lanes = f32x4.splat(0);
    for (let i: usize = 0; i < end; i += 16) {
      const centred = f32x4.sub(v128.load(x + i), means);
      lanes = Simd.madd(centred, centred, lanes);
    }
    const rstd: f32 = 1 / sqrt<f32>(Simd.sum(lanes) / f32(C) + Bound.layerNorm);

    const rstds = f32x4.splat(rstd);
    for (let i: usize = 0; i < end; i += 16) {
      const normalised = f32x4.mul(f32x4.sub(v128.load(x + i), means), rstds);
      v128.store(out + i, Simd.madd(normalised, v128.load(gamma + i), v128.load(beta + i)));
    }
    store<f32>(stats, mean);
    store<f32>(stats, rstd, 4);
    x += end;
    out += end;
    stats += 8;
  }
}

/**
 * With x̂ = (x − mean)·rstd and g = dOut·gamma: dx (=|+=) rstd·(g − mean(g) − x̂·mean(g·x̂)), and over these rows
 * dGamma (=) Σ dOut·x̂, dBeta (=) Σ dOut.
 */
export function layerNormBackward(
  dx: usize,
  dGamma: usize,
  dBeta: usize,
  dOut: usize,
  x: usize,
  stats: usize,
  rows: usize,
  C: usize,
  gamma: usize,
  accumulate: bool,
): void {
  const end = C * FLOAT;
  memory.fill(dGamma, 0, end);
  memory.fill(dBeta, 0, end);
  for (let r: usize = 0; r < rows; r++) {
    const mean = load<f32>(stats);
    const rstd = load<f32>(stats, 4);
    const means = f32x4.splat(mean);
    const rstds = f32x4.splat(rstd);
    let gLanes = f32x4.splat(0);
    let productLanes = f32x4.splat(0);
    for (let i: usize = 0; i < end; i += 16) {
      const given = v128.load(dOut + i);
      const normalised = f32x4.mul(f32x4.sub(v128.load(x + i), means), rstds);
      const scaled = f32x4.mul(given, normalised);
      const scale = v128.load(gamma + i);
      v128.store(dGamma + i, f32x4.add(v128.load(dGamma + i), scaled));
      v128.store(dBeta + i, f32x4.add(v128.load(dBeta + i), given));
      gLanes = Simd.madd(given, scale, gLanes);
      productLanes = Simd.madd(scaled, scale, productLanes);
    }
    const meansG = f32x4.splat(Simd.sum(gLanes) / f32(C));
    const meansProduct = f32x4.splat(Simd.sum(productLanes) / f32(C));
    for (let i: usize = 0; i < end; i += 16) {
      const normalised = f32x4.mul(f32x4.sub(v128.load(x + i), means), rstds);
      const g = f32x4.mul(v128.load(dOut + i), v128.load(gamma + i));
      const rest = f32x4.sub(f32x4.sub(g, meansG), f32x4.mul(normalised, meansProduct));
      let result = f32x4.mul(rstds, rest);
      if (accumulate) result = f32x4.add(v128.load(dx + i), result);
      v128.store(dx + i, result);
    }
    dx += end;
    dOut += end;
    x += end;
    stats += 8;
  }
}
