/**
 * The reference of the optimiser: the sum of gradients over chunks, the global norm, and AdamW (arXiv 1711.05101) after
 * clipping by that norm, as torch.nn.utils.clip_grad_norm_ followed by torch.optim.AdamW; no step where the norm is not
 * finite.
 */
import { BOUND } from '../bounds';
import { HYPER } from '../layout';
import { add, at, member, type Written } from './storage';

export const reduceChunks: Written<'reduceChunks'> = (members, gradients, partials, chunks, options) => {
  const N = gradients.stride;
  for (let p = 0; p < members; p++) {
    const [gradient, partial] = [member(gradients, p), member(partials, p)];
    for (let i = 0; i < N; i++) {
      let sum = 0;
      for (let chunk = 0; chunk < chunks; chunk++) sum += at(partial, chunk * N + i);
      gradient[i] = options.accumulate ? at(gradient, i) + sum : sum;
    }
  }
};

export const gradientNorm: Written<'gradientNorm'> = (members, norm, _scratch, a, b) => {
  for (let p = 0; p < members; p++) {
    const subtrahend = b === null ? null : member(b, p);
    const sum = member(a, p).reduce(
      (total, value, i) => total + (value - (subtrahend === null ? 0 : at(subtrahend, i))) ** 2,
      0,
    );
    member(norm, p)[0] = Math.sqrt(sum);
  }
};

export const adamW: Written<'adamW'> = (
  members,
  parameters,
  firstMoment,
  secondMoment,
  step,
  gradients,
  norm,
  hyper,
  active,
) => {
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
    const scale = Math.min(1, at(table, HYPER.maxGradNorm) / (ownNorm + BOUND.norm));
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
};
