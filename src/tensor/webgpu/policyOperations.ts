/** The policy's operations, forward and backward, as dispatches; formulas are in the shaders of the same names. */
import type { Activation, Operations, ParameterView } from '../backend';
import { GRADIENT_CHUNK } from '../layout';
import { ceilDivide, type Recorder, THREADS } from './recorder';

const ACTIVATIONS: Readonly<Record<Activation, number>> = { none: 0, relu: 1, gelu: 2 };
const ROTARY_BASE = 10_000;
/** Tokens whose gradients one thread of backward/embed sums on software adapters, which have few threads. */
const PLAIN_SPAN = 32;
/** Threads of a workgroup of plain kernels with few: so that a small matrix still has a workgroup for every core. */
const PLAIN_THREADS = 8;
/** Smallest side of a matrix from which a thread's tile is wider: it is faster, and takes longer to compile. */
const WIDE = 128;

/** Numbers that a thread of attention may hold: half of a GPU's registers are 128; software is longer in compiling. */
const HELD = { plain: 704, tiled: 96 } as const;
/** Vectors of a head's width that a thread holds: `each` of its queries (or keys) has so many, and so many are read for all. */
const VECTORS = {
  'forward/attention': { each: 2, read: 2 },
  'backward/attention_query': { each: 3, read: 2 },
  'backward/attention_key_value': { each: 4, read: 3 },
} as const;

const flag = (value: unknown): number => (value ? 1 : 0);
const quads = (elements: number): number => elements / 4;

/** [rows, columns] of a matrix parameter. */
function shapeOf({ shape }: ParameterView): [number, number] {
  return [shape[0] ?? 0, shape[1] ?? 0];
}

export function policyOperations(recorder: Recorder) {
  /** Neighbouring rows that a thread of attention takes, by the width of a head: 1 … 4, as many as it can hold. */
  const queriesOf = (kernel: keyof typeof VECTORS, headWidth: number): number => {
    const { each, read } = VECTORS[kernel];
    return Math.max(1, Math.min(4, Math.floor((HELD[recorder.variant] / headWidth - read) / each)));
  };
  return {
    embed(out, rows, tokens, positions) {
      const width = quads(shapeOf(tokens)[1]);
      recorder.threads('forward/embed', rows.capacity * width, {
        tensors: { out, tokens, positions: positions ?? tokens },
        rows,
        params: { width, hasPositions: flag(positions) },
      });
    },

    embedBackward(partials, dx, rows, tokens, positions) {
      const [vocabulary, C] = shapeOf(tokens);
      const context = positions ? shapeOf(positions)[0] : 0;
      const chunks = ceilDivide(rows.sequences, GRADIENT_CHUNK);
      const span = recorder.variant === 'plain' ? PLAIN_SPAN : 1;
      recorder.threads('backward/embed', chunks * (ceilDivide(vocabulary, span) + context) * quads(C), {
        tensors: { partials, dx, tokens, positions: positions ?? tokens },
        rows,
        params: { chunkStride: quads(tokens.tensor.stride), width: quads(C), vocabulary, span, context },
      });
    },

    layerNorm(out, stats, x, rows, gamma, beta) {
      recorder.threads('forward/layer_norm', rows.capacity, {
        tensors: { out, stats, x, gamma, beta },
        rows,
        params: { width: quads(gamma.shape[0] ?? 0) },
      });
    },

    layerNormBackward(dx, partials, dOut, x, stats, rows, gamma, beta, { accumulate }) {
      const channels = gamma.shape[0] ?? 0;
      const chunks = ceilDivide(rows.sequences, GRADIENT_CHUNK);
      // A small policy has few of these threads, and software computes a workgroup on one core.
      const threads = recorder.variant === 'plain' ? PLAIN_THREADS : THREADS;
      recorder.dispatch('backward/layer_norm_weight', {
        tensors: { partials, dOut, x, stats, gamma, beta },
        rows,
        params: { chunkStride: quads(gamma.tensor.stride), width: quads(channels) },
        groups: ceilDivide(chunks * quads(channels), threads),
        sizes: { THREADS: threads },
      });
      recorder.threads('backward/layer_norm', rows.capacity, {
        tensors: { dx, dOut, x, stats, gamma },
        rows,
        params: { width: quads(channels), accumulate: flag(accumulate) },
      });
    },

    rotary(qkv, rows, heads, direction) {
      const C = qkv.stride / (3 * rows.capacity);
      const D = C / heads;
      const frequencies = Array.from({ length: D / 2 }, (_, i) => ROTARY_BASE ** ((-2 * i) / D));
      recorder.threads('forward/rotary', rows.capacity * 2 * quads(C), {
        tensors: { qkv },
        rows,
        params: { frequencies, width: quads(C), headWidth: quads(D), direction },
      });
    },

    storeKeyValue(cache, qkv, rows) {
      const width = quads(qkv.stride / (3 * rows.capacity));
      recorder.threads('decoding/store_key_value', rows.capacity * 2 * width, {
        tensors: { cache, qkv },
        rows,
        params: { width },
      });
    },

    attention(out, logSumExp, qkv, cache, rows, heads) {
      const C = out.stride / rows.capacity;
      const [keyStep, keyOffset] = cache ? [2 * C, 0] : [3 * C, C];
      const queries = cache ? 1 : queriesOf('forward/attention', C / heads);
      recorder.threads('forward/attention', ceilDivide(rows.capacity, queries) * heads, {
        tensors: { out, logSumExp, qkv, keys: cache ?? qkv },
        rows,
        params: {
          heads,
          keyStep: quads(keyStep),
          keyOffset: quads(keyOffset),
          valueOffset: quads(keyOffset + C),
          scale: 1 / Math.sqrt(C / heads),
        },
        sizes: { HEAD_QUADS: quads(C / heads), QUERIES: queries },
      });
    },

    attentionProbabilities(out, qkv, logSumExp, picks, rows, heads) {
      const keys = out.stride / (picks.capacity * heads);
      const D = qkv.stride / (3 * rows.capacity) / heads;
      recorder.threads('forward/attention_probabilities', picks.capacity * heads * keys, {
        tensors: { out, logSumExp, qkv, table: rows.table, picks: picks.table, count: picks.count },
        params: { heads, keys, scale: 1 / Math.sqrt(D) },
        sizes: { HEAD_QUADS: quads(D) },
      });
    },

    attentionBackward(dqkv, dOut, out, logSumExp, qkv, rows, heads) {
      const D = out.stride / rows.capacity / heads;
      for (const kernel of ['backward/attention_query', 'backward/attention_key_value'] as const) {
        const queries = queriesOf(kernel, D);
        recorder.threads(kernel, ceilDivide(rows.capacity, queries) * heads, {
          tensors: { dqkv, dOut, out, logSumExp, qkv },
          rows,
          params: { heads, scale: 1 / Math.sqrt(D) },
          sizes: { HEAD_QUADS: quads(D), QUERIES: queries },
        });
      }
    },

    gatherRows(out, x, picks) {
      const width = quads(out.stride / picks.capacity);
      recorder.threads('decoding/gather_rows', picks.capacity * width, {
        tensors: { out, x },
        rows: picks,
        params: { width },
      });
    },
  } satisfies Partial<Operations>;
}

/** The three matrix products, in the recorder's variant. */
export function matrixOperations(recorder: Recorder) {
  const plain = recorder.variant === 'plain';
  const kernel = (name: string): string => (plain ? name : `${name}_tiled`);
  /** Quads of columns in a thread's tile. */
  const columnsOf = ({ shape }: ParameterView): number => (Math.min(...shape) < WIDE ? 4 : 8);
  /** Workgroups for `count` products of height × width: a tile of 16 × 16 or 32 a thread, or of 64 × 64 a workgroup. */
  const groups = (weight: ParameterView, count: number, height: number, width: number): number =>
    plain
      ? ceilDivide(count * ceilDivide(height, 16) * ceilDivide(width, 4 * columnsOf(weight)), PLAIN_THREADS)
      : count * ceilDivide(height, 64) * ceilDivide(width, 64);
  const activationOf = (options?: { inputActivation?: Activation }): number =>
    ACTIVATIONS[options?.inputActivation ?? 'none'];
  /** Plain kernels are compiled for each choice, because software computes both sides of a branch; tiled ones branch. */
  const sizes = (weight: ParameterView, own: Record<string, number>): Record<string, number> =>
    plain ? { ...own, COLUMNS: columnsOf(weight) } : {};
  return {
    linear(out, x, rows, weight, bias, options) {
      const [K, N] = shapeOf(weight);
      const activation = activationOf(options);
      const residual = options?.residual;
      recorder.dispatch(kernel('forward/linear'), {
        tensors: { out, x, weight, bias: bias ?? weight, residual: residual ?? x },
        rows,
        params: {
          inner: quads(K),
          width: quads(N),
          hasBias: flag(bias),
          activation,
          hasResidual: flag(residual),
        },
        groups: groups(weight, 1, rows.capacity, N),
        sizes: sizes(weight, { ACTIVATION: activation, RESIDUAL: flag(residual) }),
      });
    },

    linearBackwardInput(dx, dOut, x, rows, weight, options) {
      const [K, N] = shapeOf(weight);
      const activation = activationOf(options);
      recorder.dispatch(kernel('backward/linear_input'), {
        tensors: { dx, dOut, x: activation === 0 ? dOut : x, weight },
        rows,
        params: { inner: quads(K), width: quads(N), activation, accumulate: flag(options?.accumulate) },
        groups: groups(weight, 1, rows.capacity, K),
        sizes: sizes(weight, { ACTIVATED: flag(activation), ACCUMULATE: flag(options?.accumulate) }),
      });
    },

    linearBackwardWeight(partials, x, dOut, rows, weight, bias, options) {
      const [K, N] = shapeOf(weight);
      const chunks = ceilDivide(rows.sequences, GRADIENT_CHUNK);
      const activation = activationOf(options);
      recorder.dispatch(kernel('backward/linear_weight'), {
        tensors: { partials, x, dOut, weight, bias: bias ?? weight },
        rows,
        params: {
          chunkStride: quads(weight.tensor.stride),
          inner: quads(K),
          width: quads(N),
          hasBias: flag(bias),
          activation,
        },
        groups: groups(weight, chunks, K, N),
        sizes: sizes(weight, { ACTIVATION: activation }),
      });
    },
  } satisfies Partial<Operations>;
}
