/**
 * The reference of the optimiser: the sum of gradients over chunks, the global norm, and AdamW (arXiv 1711.05101) after
 * clipping by that norm, as torch.nn.utils.clip_grad_norm_ followed by torch.optim.AdamW; no step where the norm is not
 * finite.
 */
import type { Tensor } from '../backend';
import { HYPER } from '../layout';
import { add, at, member } from './storage';

type F32 = Tensor<'f32'>;

const NORM_EPSILON = 1e-6;

export function reduceChunks(
  members: number,
  gradients: F32,
  partials: F32,
  chunks: number,
  options: { accumulate: boolean },
): void {
  const N = gradients.stride;
  for (let p = 0; p < members; p++) {
    const [gradient, partial] = [member(gradients, p), member(partials, p)];
    for (let i = 0; i < N; i++) {
      let sum = 0;
      for (let chunk = 0; chunk < chunks; chunk++) sum += at(partial, chunk * N + i);
      gradient[i] = options.accumulate ? at(gradient, i) + sum : sum;
    }
  }
}

export function gradientNorm(members: number, norm: F32, _scratch: F32, a: F32, b: F32 | null): void {
  for (let p = 0; p < members; p++) {
    const subtrahend = b === null ? null : member(b, p);
    const sum = member(a, p).reduce(
      (total, value, i) => total + (value - (subtrahend === null ? 0 : at(subtrahend, i))) ** 2,
      0,
    );
    member(norm, p)[0] = Math.sqrt(sum);
  }
}

export function adamW(
  members: number,
  parameters: F32,
  firstMoment: F32,
  secondMoment: F32,
  step: F32,
  gradients: F32,
  norm: F32,
  hyper: F32,
  active: Tensor<'u32'>,
): void {
  for (let p = 0; p < members; p++) {
    const ownNorm = at(member(norm, p), 0);
    const first = at(member(active, p), 0) - 1;
    if (first < 0 || !Number.isFinite(ownNorm)) continue;
    const [theta, m, v, gradient] = [
      member(parameters, p),
      member(firstMoment, p),
      member(secondMoment, p),
      member(gradients, p),
    ];
    const table = member(hyper, p);
    const learningRate = at(table, HYPER.learningRate);
    const beta1 = at(table, HYPER.beta1);
    const beta2 = at(table, HYPER.beta2);
    add(member(step, p), 0, 1);
    const t = at(member(step, p), 0);
    const scale = Math.min(1, at(table, HYPER.maxGradNorm) / (ownNorm + NORM_EPSILON));
    for (let i = first; i < theta.length; i++) {
      const g = at(gradient, i) * scale;
      add(theta, i, -learningRate * at(table, HYPER.weightDecay) * at(theta, i));
      m[i] = beta1 * at(m, i) + (1 - beta1) * g;
      v[i] = beta2 * at(v, i) + (1 - beta2) * g ** 2;
      const meanEstimate = at(m, i) / (1 - beta1 ** t);
      const squareEstimate = at(v, i) / (1 - beta2 ** t);
      add(theta, i, (-learningRate * meanEstimate) / (Math.sqrt(squareEstimate) + at(table, HYPER.epsilon)));
    }
  }
}
