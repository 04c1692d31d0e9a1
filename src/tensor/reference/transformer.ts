/**
 * The reference of the policy's operations on single rows: embedding, layer normalisation (arXiv 1607.06450), linear
 * maps, rotary positions (RoFormer, arXiv 2104.09864), and their gradients. Attention is in attention.ts.
 */
import type { Activation, Tensor } from '../backend';
import { BOUND } from '../bounds';
import { headWidths } from '../heads';
import { ROTARY_THETA } from '../layout';
import { add, at, member, parameter, parameterPartial, rowsByChunk, rowsInUse, values, type Written } from './storage';

type F32 = Tensor<'f32'>;

/** GELU in the tanh form of GPT-2 (arXiv 1606.08415, section 2): x/2 · (1 + tanh(√(2/π)(x + 0.044715x³))). */
function activate(activation: Activation, x: number): number {
  if (activation === 'relu') return Math.max(x, 0);
  if (activation === 'gelu') return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
  return x;
}

/** The derivative of `activate`; relu′(0) = 0. */
function activateDerivative(activation: Activation, x: number): number {
  if (activation === 'relu') return x > 0 ? 1 : 0;
  if (activation === 'gelu') {
    const tanh = Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3));
    const inner = Math.sqrt(2 / Math.PI) * (1 + 3 * 0.044715 * x ** 2);
    return 0.5 * (1 + tanh) + 0.5 * x * (1 - tanh ** 2) * inner;
  }
  return 1;
}

export const embed: Written<'embed'> = (members, out, rows, tokens, positions) => {
  const C = tokens.shape[1];
  for (let p = 0; p < members; p++) {
    const y = member(out, p);
    const tokenTable = parameter(tokens, p);
    const positionTable = positions === null ? null : parameter(positions, p);
    for (const { index: r, token, position } of rowsInUse(rows, p)) {
      for (let c = 0; c < C; c++) {
        y[r * C + c] =
          at(tokenTable, token * C + c) + (positionTable === null ? 0 : at(positionTable, position * C + c));
      }
    }
  }
};

export const embedBackward: Written<'embedBackward'> = (members, partials, dx, rows, tokens, positions) => {
  const C = tokens.shape[1];
  for (let p = 0; p < members; p++) {
    const gradient = member(dx, p);
    rowsByChunk(rows, p).forEach((chunkRows, chunk) => {
      const dTokens = parameterPartial(partials, tokens, p, chunk).fill(0);
      const dPositions = positions === null ? null : parameterPartial(partials, positions, p, chunk).fill(0);
      for (const { index: r, token, position } of chunkRows) {
        for (let c = 0; c < C; c++) {
          add(dTokens, token * C + c, at(gradient, r * C + c));
          if (dPositions !== null) add(dPositions, position * C + c, at(gradient, r * C + c));
        }
      }
    });
  }
};

export const layerNorm: Written<'layerNorm'> = (members, out, stats, x, rows, gamma, beta) => {
  const C = gamma.shape[0];
  for (let p = 0; p < members; p++) {
    const [y, moments, input, scale, shift] = [
      member(out, p),
      member(stats, p),
      member(x, p),
      parameter(gamma, p),
      parameter(beta, p),
    ];
    for (const { index: r } of rowsInUse(rows, p)) {
      let mean = 0;
      for (let c = 0; c < C; c++) mean += at(input, r * C + c) / C;
      let variance = 0;
      for (let c = 0; c < C; c++) variance += (at(input, r * C + c) - mean) ** 2 / C;
      const rstd = 1 / Math.sqrt(variance + BOUND.layerNorm);
      moments[r * 2] = mean;
      moments[r * 2 + 1] = rstd;
      for (let c = 0; c < C; c++) y[r * C + c] = at(scale, c) * (at(input, r * C + c) - mean) * rstd + at(shift, c);
    }
  }
};

/** With x̂ = (x − mean)·rstd and g = dOut·gamma: dx = rstd·(g − mean(g) − x̂·mean(g·x̂)), means over the last axis. */
export const layerNormBackward: Written<'layerNormBackward'> = (
  members,
  dx,
  partials,
  dOut,
  x,
  stats,
  rows,
  gamma,
  beta,
  options,
) => {
  const C = gamma.shape[0];
  for (let p = 0; p < members; p++) {
    const [dInput, dy, input, moments, scale] = [
      member(dx, p),
      member(dOut, p),
      member(x, p),
      member(stats, p),
      parameter(gamma, p),
    ];
    rowsByChunk(rows, p).forEach((chunkRows, chunk) => {
      const dGamma = parameterPartial(partials, gamma, p, chunk).fill(0);
      const dBeta = parameterPartial(partials, beta, p, chunk).fill(0);
      for (const { index: r } of chunkRows) {
        const mean = at(moments, r * 2);
        const rstd = at(moments, r * 2 + 1);
        const normalised = (c: number): number => (at(input, r * C + c) - mean) * rstd;
        const g = (c: number): number => at(dy, r * C + c) * at(scale, c);
        let meanG = 0;
        let meanGX = 0;
        for (let c = 0; c < C; c++) {
          meanG += g(c) / C;
          meanGX += (g(c) * normalised(c)) / C;
        }
        for (let c = 0; c < C; c++) {
          const value = rstd * (g(c) - meanG - normalised(c) * meanGX);
          dInput[r * C + c] = options.accumulate ? at(dInput, r * C + c) + value : value;
          add(dGamma, c, at(dy, r * C + c) * normalised(c));
          add(dBeta, c, at(dy, r * C + c));
        }
      }
    });
  }
};

export const linear: Written<'linear'> = (members, out, x, rows, weight, bias, options) => {
  const [K, N] = weight.shape;
  const { inputActivation: activation = 'none', residual } = options ?? {};
  for (let p = 0; p < members; p++) {
    const [y, input, w] = [member(out, p), member(x, p), parameter(weight, p)];
    const b = bias === null ? null : parameter(bias, p);
    const added = residual === undefined ? null : member(residual, p);
    for (const { index: r } of rowsInUse(rows, p)) {
      for (let n = 0; n < N; n++) {
        let sum = b === null ? 0 : at(b, n);
        for (let k = 0; k < K; k++) sum += activate(activation, at(input, r * K + k)) * at(w, k * N + n);
        y[r * N + n] = added === null ? sum : at(added, r * N + n) + sum;
      }
    }
  }
};

export const linearBackwardInput: Written<'linearBackwardInput'> = (members, dx, dOut, x, rows, weight, options) => {
  const [K, N] = weight.shape;
  const activation = options?.inputActivation ?? 'none';
  for (let p = 0; p < members; p++) {
    const [dInput, dy, w] = [member(dx, p), member(dOut, p), parameter(weight, p)];
    const input = activation === 'none' ? null : member(x, p);
    for (const { index: r } of rowsInUse(rows, p)) {
      for (let k = 0; k < K; k++) {
        let sum = 0;
        for (let n = 0; n < N; n++) sum += at(dy, r * N + n) * at(w, k * N + n);
        const value = input === null ? sum : sum * activateDerivative(activation, at(input, r * K + k));
        dInput[r * K + k] = options?.accumulate ? at(dInput, r * K + k) + value : value;
      }
    }
  }
};

export const linearBackwardWeight: Written<'linearBackwardWeight'> = (
  members,
  partials,
  x,
  dOut,
  rows,
  weight,
  bias,
  options,
) => {
  const [K, N] = weight.shape;
  const activation = options?.inputActivation ?? 'none';
  for (let p = 0; p < members; p++) {
    const [input, dy] = [member(x, p), member(dOut, p)];
    rowsByChunk(rows, p).forEach((chunkRows, chunk) => {
      const dWeight = parameterPartial(partials, weight, p, chunk).fill(0);
      const dBias = bias === null ? null : parameterPartial(partials, bias, p, chunk).fill(0);
      for (const { index: r } of chunkRows) {
        for (let n = 0; n < N; n++) {
          const gradient = at(dy, r * N + n);
          if (dBias !== null) add(dBias, n, gradient);
          for (let k = 0; k < K; k++) add(dWeight, k * N + n, activate(activation, at(input, r * K + k)) * gradient);
        }
      }
    });
  }
};

export const rotary: Written<'rotary'> = (members, qkv, rows, heads, direction, theta = ROTARY_THETA) => {
  const { queries, keys, row } = headWidths(heads);
  const D = heads.width;
  for (let p = 0; p < members; p++) {
    const x = member(qkv, p);
    for (const { index: r, position } of rowsInUse(rows, p)) {
      for (let c = 0; c < queries + keys; c += 2) {
        const angle = direction * position * theta ** (-(c % D) / D);
        const [even, odd] = [at(x, r * row + c), at(x, r * row + c + 1)];
        x[r * row + c] = even * Math.cos(angle) - odd * Math.sin(angle);
        x[r * row + c + 1] = even * Math.sin(angle) + odd * Math.cos(angle);
      }
    }
  }
};

export const gatherRows: Written<'gatherRows'> = (members, out, x, picks) => {
  const C = out.stride / picks.capacity;
  for (let p = 0; p < members; p++) {
    const [y, input, table] = [member(out, p), member(x, p), member(picks.table, p)];
    for (const { index: i } of rowsInUse(picks, p)) {
      for (let c = 0; c < C; c++) y[i * C + c] = at(input, at(table, i * 4) * C + c);
    }
  }
};

export function fill(_members: number, tensor: F32, value: number): void {
  values(tensor).fill(value);
}

export const copyMembers: Written<'copyMembers'> = (members, target, source, active) => {
  for (let p = 0; p < members; p++) if (at(member(active, p), 0) !== 0) member(target, p).set(member(source, p));
};

export function copy(_members: number, target: Tensor, source: Tensor): void {
  values(target).set(values(source));
}
