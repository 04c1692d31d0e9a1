/**
 * Global norm (float64 sums over blocks of 1024) and AdamW (arXiv 1711.05101) after clipping by that norm; the moments'
 * corrections are computed once a member, in float64. The sum of gradient chunks is `add` in rows.ts.
 */
import { Bound, Column } from './columns';
import { FLOAT } from './simd';

const BLOCK: usize = 1024;

/** ‖a − b‖₂ of one block, squared; b may be 0. */
function squaredNorm(a: usize, b: usize, count: usize): f64 {
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  for (let i: usize = 0; i < count * FLOAT; i += 16) {
    let value = v128.load(a + i);
    if (b) value = f32x4.sub(value, v128.load(b + i));
    const first = f64x2.promote_low_f32x4(value);
    const second = f64x2.promote_low_f32x4(v128.shuffle<f32>(value, value, 2, 3, 2, 3));
    low = f64x2.add(low, f64x2.mul(first, first));
    high = f64x2.add(high, f64x2.mul(second, second));
  }
  const lanes = f64x2.add(low, high);
  return f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1);
}

export function gradientNorm(a: usize, b: usize, N: usize): f32 {
  let total: f64 = 0;
  for (let i: usize = 0; i < N; i += BLOCK) {
    total += squaredNorm(a + i * FLOAT, b ? b + i * FLOAT : 0, min(BLOCK, N - i));
  }
  return <f32>sqrt<f64>(total);
}

/** One step of one member that is active and has a finite norm; `step` is incremented first. */
export function adamW(
  parameters: usize,
  firstMoment: usize,
  secondMoment: usize,
  step: usize,
  gradients: usize,
  norm: f32,
  hyper: usize,
  N: usize,
): void {
  const t: f32 = load<f32>(step) + 1;
  store<f32>(step, t);
  const learningRate = load<f32>(hyper, Column.learningRate);
  const beta1 = load<f32>(hyper, Column.beta1);
  const beta2 = load<f32>(hyper, Column.beta2);
  const epsilon = load<f32>(hyper, Column.epsilon);
  const decay = learningRate * load<f32>(hyper, Column.weightDecay);
  const clip = min<f32>(1, load<f32>(hyper, Column.maxGradNorm) / (norm + Bound.norm));
  const meanCorrection: f32 = <f32>(1 - Math.pow(beta1, t));
  const squareCorrection: f32 = <f32>(1 - Math.pow(beta2, t));

  for (let i: usize = 0; i < N * FLOAT; i += 16) {
    const g = f32x4.mul(v128.load(gradients + i), f32x4.splat(clip));
    const theta = v128.load(parameters + i);
    const kept = f32x4.sub(theta, f32x4.mul(f32x4.splat(decay), theta));
    const m = f32x4.add(
      f32x4.mul(f32x4.splat(beta1), v128.load(firstMoment + i)),
      f32x4.mul(f32x4.splat(1 - beta1), g),
    );
    const v = f32x4.add(
      f32x4.mul(f32x4.splat(beta2), v128.load(secondMoment + i)),
      f32x4.mul(f32x4.splat(1 - beta2), f32x4.mul(g, g)),
    );
    const root = f32x4.sqrt(f32x4.div(v, f32x4.splat(squareCorrection)));
    const direction = f32x4.div(f32x4.div(m, f32x4.splat(meanCorrection)), f32x4.add(root, f32x4.splat(epsilon)));
    v128.store(firstMoment + i, m);
    v128.store(secondMoment + i, v);
    v128.store(parameters + i, f32x4.sub(kept, f32x4.mul(f32x4.splat(learningRate), direction)));
  }
}
