/**
 * The reference of what decoders of the Llama family have in place of GPT-2's parts: RMS norm (arXiv 1910.07467), SwiGLU
 * (arXiv 2002.05202), an embedding tied to the head; and the adding up of low-rank products (LoRA, arXiv 2106.09685).
 */
import { add, at, member, parameter, parameterPartial, rowsByChunk, rowsInUse, type Written } from './storage';

export const embedTied: Written<'embedTied'> = (members, out, rows, head) => {
  const [C, V] = head.shape;
  for (let p = 0; p < members; p++) {
    const [y, table] = [member(out, p), parameter(head, p)];
    for (const { index: r, token } of rowsInUse(rows, p)) {
      for (let c = 0; c < C; c++) y[r * C + c] = at(table, c * V + token);
    }
  }
};

export const embedTiedBackward: Written<'embedTiedBackward'> = (members, partials, dx, rows, head) => {
  const [C, V] = head.shape;
  for (let p = 0; p < members; p++) {
    const gradient = member(dx, p);
    rowsByChunk(rows, p).forEach((chunkRows, chunk) => {
      const dHead = parameterPartial(partials, head, p, chunk);
      for (const { index: r, token } of chunkRows) {
        for (let c = 0; c < C; c++) add(dHead, c * V + token, at(gradient, r * C + c));
      }
    });
  }
};

export const rmsNorm: Written<'rmsNorm'> = (members, out, stats, x, rows, gamma, epsilon) => {
  const C = gamma.shape[0];
  for (let p = 0; p < members; p++) {
    const [y, moments, input, scale] = [member(out, p), member(stats, p), member(x, p), parameter(gamma, p)];
    for (const { index: r } of rowsInUse(rows, p)) {
      let square = 0;
      for (let c = 0; c < C; c++) square += at(input, r * C + c) ** 2 / C;
      const rstd = 1 / Math.sqrt(square + epsilon);
      moments[r * 2] = 0;
      moments[r * 2 + 1] = rstd;
      for (let c = 0; c < C; c++) y[r * C + c] = at(scale, c) * at(input, r * C + c) * rstd;
    }
  }
};

/** With x̂ = x·rstd and g = dOut·gamma: dx = rstd·(g − x̂·mean(g·x̂)), the mean over the last axis. */
export const rmsNormBackward: Written<'rmsNormBackward'> = (
  members,
  dx,
  partials,
  dOut,
  x,
  stats,
  rows,
  gamma,
  options,
) => {
  const C = gamma.shape[0];
  for (let p = 0; p < members; p++) {
    const [dInput, dy, input] = [member(dx, p), member(dOut, p), member(x, p)];
    const [moments, scale] = [member(stats, p), parameter(gamma, p)];
    rowsByChunk(rows, p).forEach((chunkRows, chunk) => {
      const dGamma = partials === null ? null : parameterPartial(partials, gamma, p, chunk).fill(0);
      for (const { index: r } of chunkRows) {
        const rstd = at(moments, r * 2 + 1);
        const normalised = (c: number): number => at(input, r * C + c) * rstd;
        let mean = 0;
        for (let c = 0; c < C; c++) mean += (at(dy, r * C + c) * at(scale, c) * normalised(c)) / C;
        for (let c = 0; c < C; c++) {
          const value = rstd * (at(dy, r * C + c) * at(scale, c) - normalised(c) * mean);
          dInput[r * C + c] = options.accumulate ? at(dInput, r * C + c) + value : value;
          if (dGamma !== null) add(dGamma, c, at(dy, r * C + c) * normalised(c));
        }
      }
    });
  }
};

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

export const swiglu: Written<'swiglu'> = (members, out, x, rows) => {
  const F = out.stride / rows.capacity;
  for (let p = 0; p < members; p++) {
    const [y, input] = [member(out, p), member(x, p)];
    for (const { index: r } of rowsInUse(rows, p)) {
      for (let f = 0; f < F; f++) {
        const gate = at(input, r * 2 * F + f);
        y[r * F + f] = gate * sigmoid(gate) * at(input, r * 2 * F + F + f);
      }
    }
  }
};

/** silu′(g) = σ + g·σ·(1 − σ). */
export const swigluBackward: Written<'swigluBackward'> = (members, dx, dOut, x, rows) => {
  const F = dOut.stride / rows.capacity;
  for (let p = 0; p < members; p++) {
    const [dInput, dy, input] = [member(dx, p), member(dOut, p), member(x, p)];
    for (const { index: r } of rowsInUse(rows, p)) {
      for (let f = 0; f < F; f++) {
        const [g, u] = [r * 2 * F + f, r * 2 * F + F + f];
        const [gate, given] = [at(input, g), at(dy, r * F + f)];
        const s = sigmoid(gate);
        dInput[g] = given * at(input, u) * (s + gate * s * (1 - s));
        dInput[u] = given * gate * s;
      }
    }
  }
};

export const addColumns: Written<'addColumns'> = (members, out, x, rows, first, factor) => {
  const [N, n] = [out.stride / rows.capacity, x.stride / rows.capacity];
  for (let p = 0; p < members; p++) {
    const [y, input] = [member(out, p), member(x, p)];
    for (const { index: r } of rowsInUse(rows, p)) {
      for (let c = 0; c < n; c++) add(y, r * N + first + c, factor * at(input, r * n + c));
    }
  }
};

export const takeColumns: Written<'takeColumns'> = (members, out, x, rows, first, factor) => {
  const [N, n] = [x.stride / rows.capacity, out.stride / rows.capacity];
  for (let p = 0; p < members; p++) {
    const [y, input] = [member(out, p), member(x, p)];
    for (const { index: r } of rowsInUse(rows, p)) {
      for (let c = 0; c < n; c++) y[r * n + c] = factor * at(input, r * N + first + c);
    }
  }
};
