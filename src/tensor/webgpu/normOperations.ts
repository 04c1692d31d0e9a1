/** Norms, alone and in the product after them, and their gradients, as dispatches; formulas are in the shaders named here. */

import type { Operations, ParameterView, Rows, Sequences, Tensor } from '../backend';
import { BOUND } from '../bounds';
import { GRADIENT_CHUNK } from '../layout';
import {
  ceilDivide,
  flag,
  type Product,
  quads,
  type Recorder,
  type RotaryTurn,
  shapeOf,
  sideOf,
  THREADS,
  typeOf,
} from './recorder';

type F32 = Tensor<'f32'>;

/** Quads of channels whose sums a workgroup of backward/layer_norm_tiled takes. */
const NORM_QUADS = 8;
/** Channels from which 32 threads share a row on GPUs, and rows of a workgroup then. */
const WIDE_ROW = 128;
const SHARED_ROWS = 2;
/** Threads of a workgroup of plain kernels with few: so that a small matrix still has a workgroup for every core. */
const PLAIN_THREADS = 8;

/** Arguments of a norm; without `beta`, RMS norm. */
interface Norm {
  readonly normed: F32;
  readonly stats: F32;
  readonly x: F32;
  readonly rows: Rows;
  readonly gamma: ParameterView;
  readonly beta: ParameterView | null;
  readonly epsilon: number;
}

export function normOperations(recorder: Recorder) {
  /** Threads share a row where it is wide, and a GPU has them. */
  const shares = (gamma: ParameterView): boolean => recorder.variant === 'tiled' && (gamma.shape[0] ?? 0) >= WIDE_ROW;
  /** A norm without a product; `writes` false: its stats alone. */
  const normAlone = ({ normed, stats, x, rows, gamma, beta, epsilon }: Norm, writes: boolean): void => {
    const tensors = { out: normed, stats, x, gamma, beta: beta ?? gamma };
    const params = { width: quads(gamma.shape[0] ?? 0), centred: flag(beta), epsilon };
    if (shares(gamma)) {
      const groups = ceilDivide(rows.capacity, SHARED_ROWS);
      recorder.dispatch('forward/layer_norm_tiled', {
        tensors,
        rows,
        params: { ...params, writes: flag(writes) },
        groups,
      });
    } else {
      recorder.threads('forward/layer_norm', rows.capacity, { tensors, rows, params });
    }
  };
  /** Layer norm; without `beta`, RMS norm. */
  const norm = (
    out: F32,
    stats: F32,
    x: F32,
    rows: Rows,
    gamma: ParameterView,
    beta: ParameterView | null,
    epsilon: number,
  ): void =>
    recorder.wait({
      out,
      rows,
      alone: () => normAlone({ normed: out, stats, x, rows, gamma, beta, epsilon }, true),
      product: (product) => normProduct({ normed: out, stats, x, rows, gamma, beta, epsilon }, product),
    });
  /** A norm and the product that follows, in one dispatch, if their parameters are in one tensor; then it waits for its cache. */
  const normProduct = (norm: Norm, { out, weight, bias }: Product): boolean => {
    const { rows, gamma, beta, epsilon, ...tensors } = norm;
    const of = [gamma, ...(beta === null ? [] : [beta]), ...(bias === null ? [] : [bias])];
    if (of.some(({ tensor }) => tensor !== weight.tensor) || out === tensors.normed || out === tensors.x) return false;
    const [K, N] = shapeOf(weight);
    const SIDE = sideOf(N);
    const dispatch = (turn: RotaryTurn | null, storing: { cache: Tensor; stored: number } | null): void =>
      recorder.dispatch('forward/norm_linear_tiled', {
        tensors: {
          ...{ out, ...tensors, weight, gamma, beta: beta ?? gamma, bias: bias ?? weight },
          ...(storing && { cache: storing.cache }),
        },
        rows,
        params: {
          inner: quads(K),
          width: quads(N),
          hasBias: flag(bias),
          centred: flag(beta),
          given: flag(shares(gamma)),
          epsilon,
          ...(storing && { stored: storing.stored }),
          ...turn,
        },
        groups: ceilDivide(rows.capacity, 4 * SIDE) * ceilDivide(N, 4 * SIDE),
        sizes: { SIDE, ROTARY: flag(turn), STORE: flag(storing), PLACED: flag(turn ?? storing), ...typeOf(weight) },
      });
    // Each workgroup of the product would take the stats of its rows, a thread a row.
    if (shares(gamma)) normAlone(norm, false);
    const wait = (turn: RotaryTurn | null): void =>
      recorder.wait({
        out,
        rows,
        alone: () => dispatch(turn, null),
        storing: (cache, stored) => dispatch(turn, { cache, stored }),
        ...(turn === null && { turning: wait }),
      });
    wait(null);
    return true;
  };
  const normBackward = (
    dx: F32,
    partials: F32 | null,
    dOut: F32,
    x: F32,
    stats: F32,
    rows: Sequences,
    gamma: ParameterView,
    beta: ParameterView | null,
    accumulate: boolean,
  ): void => {
    const channels = gamma.shape[0] ?? 0;
    const chunks = ceilDivide(rows.sequences, GRADIENT_CHUNK);
    const common = { width: quads(channels), centred: flag(beta) };
    const byWeights = { chunkStride: quads(gamma.tensor.stride) };
    if (recorder.variant === 'tiled') {
      const rowGroups = ceilDivide(rows.capacity, shares(gamma) ? SHARED_ROWS : THREADS);
      const weights = partials === null ? null : { partials, beta: beta ?? gamma };
      recorder.dispatch('backward/layer_norm_tiled', {
        tensors: { dx, dOut, x, stats, gamma, ...weights },
        rows,
        params: {
          ...common,
          accumulate: flag(accumulate),
          rowGroups,
          shares: flag(shares(gamma)),
          ...(weights && byWeights),
        },
        groups: rowGroups + (weights === null ? 0 : chunks * ceilDivide(quads(channels), NORM_QUADS)),
        sizes: { WEIGHTS: flag(weights) },
      });
      return;
    }
    if (partials !== null) {
      // A small policy has few of these threads, and software computes a workgroup on one core.
      recorder.dispatch('backward/layer_norm_weight', {
        tensors: { partials, dOut, x, stats, gamma, beta: beta ?? gamma },
        rows,
        params: { ...common, ...byWeights },
        groups: ceilDivide(chunks * quads(channels), PLAIN_THREADS),
        sizes: { THREADS: PLAIN_THREADS },
      });
    }
    recorder.threads('backward/layer_norm', rows.capacity, {
      tensors: { dx, dOut, x, stats, gamma },
      rows,
      params: { ...common, accumulate: flag(accumulate) },
    });
  };
  return {
    layerNorm(out, stats, x, rows, gamma, beta) {
      norm(out, stats, x, rows, gamma, beta, BOUND.layerNorm);
    },

    rmsNorm(out, stats, x, rows, gamma, epsilon) {
      norm(out, stats, x, rows, gamma, null, epsilon);
    },

    layerNormBackward(dx, partials, dOut, x, stats, rows, gamma, beta, { accumulate }) {
      normBackward(dx, partials, dOut, x, stats, rows, gamma, beta, accumulate);
    },

    rmsNormBackward(dx, partials, dOut, x, stats, rows, gamma, { accumulate }) {
      normBackward(dx, partials, dOut, x, stats, rows, gamma, null, accumulate);
    },
  } satisfies Partial<Operations>;
}
