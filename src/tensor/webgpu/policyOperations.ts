/** The policy's operations, forward and backward, as dispatches; formulas are in the shaders of the same names. */
import type { Activation, Operations, ParameterView } from '../backend';
import { type Heads, headWidths } from '../heads';
import { GRADIENT_CHUNK, ROTARY_THETA } from '../layout';
import { ceilDivide, flag, quads, type Recorder, type RotaryTurn, shapeOf, sideOf, THREADS, typeOf } from './recorder';

const ACTIVATIONS: Readonly<Record<Activation, number>> = { none: 0, relu: 1, gelu: 2 };
/** Tokens whose gradients one thread of backward/embed sums on software adapters, which have few threads. */
const PLAIN_SPAN = 32;
/** Quads of channels that a workgroup of backward/embed_tiled sums. */
const EMBED_QUADS = 8;
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

export function policyOperations(recorder: Recorder) {
  /** Neighbouring rows that a thread of attention takes, by the width of a head: 1 … 4, as many as it can hold. */
  const queriesOf = (kernel: keyof typeof VECTORS, headWidth: number): number => {
    const { each, read } = VECTORS[kernel];
    return Math.max(1, Math.min(4, Math.floor((HELD[recorder.variant] / headWidth - read) / each)));
  };
  const headParams = (heads: Heads): Record<'heads' | 'group' | 'width' | 'scale', number> => ({
    heads: heads.queries,
    group: heads.queries / heads.keys,
    width: quads(headWidths(heads).row),
    scale: 1 / Math.sqrt(heads.width),
  });
  return {
    embed(out, rows, tokens, positions) {
      const width = quads(shapeOf(tokens)[1]);
      recorder.threads('forward/embed', rows.capacity * width, {
        tensors: { out, tokens, positions: positions ?? tokens },
        rows,
        params: { width, hasPositions: flag(positions) },
        sizes: typeOf(tokens),
      });
    },

    embedBackward(partials, dx, rows, tokens, positions) {
      const [vocabulary, C] = shapeOf(tokens);
      const context = positions ? shapeOf(positions)[0] : 0;
      const chunks = ceilDivide(rows.sequences, GRADIENT_CHUNK);
      const tensors = { partials, dx, tokens, positions: positions ?? tokens };
      const params = { chunkStride: quads(tokens.tensor.stride), width: quads(C), vocabulary, context };
      if (recorder.variant === 'tiled') {
        const groups = chunks * (vocabulary + context) * ceilDivide(quads(C), EMBED_QUADS);
        recorder.dispatch('backward/embed_tiled', { tensors, rows, params, groups });
        return;
      }
      recorder.threads('backward/embed', chunks * (ceilDivide(vocabulary, PLAIN_SPAN) + context) * quads(C), {
        tensors,
        rows,
        params: { ...params, span: PLAIN_SPAN },
      });
    },

    rotary(qkv, rows, heads, direction, theta = ROTARY_THETA) {
      const { queries, keys, row } = headWidths(heads);
      const frequencies = Array.from({ length: heads.width / 2 }, (_, i) => theta ** ((-2 * i) / heads.width));
      const turn: RotaryTurn = {
        frequencies,
        turns: frequencies.map((frequency) => Math.round((frequency / (2 * Math.PI)) * 2 ** 32)),
        turned: quads(queries + keys),
        headWidth: quads(heads.width),
        direction,
      };
      const waiting = recorder.take(qkv, rows);
      if (waiting?.turning !== undefined) {
        waiting.turning(turn);
        return;
      }
      waiting?.alone();
      recorder.threads('forward/rotary', rows.capacity * turn.turned, {
        tensors: { qkv },
        rows,
        params: { ...turn, width: quads(row) },
      });
    },

    storeKeyValue(cache, qkv, rows, heads) {
      const { keys, row } = headWidths(heads);
      const waiting = recorder.take(qkv, rows);
      if (waiting?.storing !== undefined) return waiting.storing(cache, quads(2 * keys));
      waiting?.alone();
      recorder.threads('decoding/store_key_value', rows.capacity * quads(2 * keys), {
        tensors: { cache, qkv },
        rows,
        params: { stored: quads(2 * keys), width: quads(row) },
      });
    },

    attention(out, logSumExp, qkv, cache, rows, heads) {
      const { queries: before, keys, row } = headWidths(heads);
      const [keyStep, keyOffset] = cache ? [2 * keys, 0] : [row, before];
      const queries = cache ? 1 : queriesOf('forward/attention', heads.width);
      recorder.threads('forward/attention', ceilDivide(rows.capacity, queries) * heads.queries, {
        tensors: { out, logSumExp, qkv, keys: cache ?? qkv },
        rows,
        params: {
          ...headParams(heads),
          keyStep: quads(keyStep),
          keyOffset: quads(keyOffset),
          valueOffset: quads(keyOffset + keys),
        },
        sizes: { HEAD_QUADS: quads(heads.width), QUERIES: queries },
      });
    },

    attentionProbabilities(out, qkv, logSumExp, picks, rows, heads) {
      const keys = out.stride / (picks.capacity * heads.queries);
      recorder.threads('forward/attention_probabilities', picks.capacity * heads.queries * keys, {
        tensors: { out, logSumExp, qkv, table: rows.table, picks: picks.table, count: picks.count },
        params: { ...headParams(heads), keys },
        sizes: { HEAD_QUADS: quads(heads.width) },
      });
    },

    attentionBackward(dqkv, dOut, out, logSumExp, qkv, rows, heads) {
      const QUERIES = queriesOf('backward/attention_query', heads.width);
      const KEYS = queriesOf('backward/attention_key_value', heads.width);
      const byQueries = ceilDivide(ceilDivide(rows.capacity, QUERIES) * heads.queries, THREADS);
      const byKeys = ceilDivide(ceilDivide(rows.capacity, KEYS) * heads.keys, THREADS);
      const dispatch = (
        name: string,
        groups: number,
        sizes: Record<string, number>,
        turn: RotaryTurn | null = null,
      ): void =>
        recorder.dispatch(name, {
          tensors: { dqkv, dOut, out, logSumExp, qkv },
          rows,
          params: { ...headParams(heads), queryGroups: byQueries, ...turn },
          groups,
          sizes: { HEAD_QUADS: quads(heads.width), ...sizes, ROTARY: flag(turn) },
        });
      if (recorder.variant === 'tiled') {
        const turning = (turn: RotaryTurn | null): void =>
          dispatch('backward/attention_tiled', byQueries + byKeys, { QUERIES, KEYS }, turn);
        recorder.wait({ out: dqkv, rows, alone: () => turning(null), turning });
      } else {
        dispatch('backward/attention_query', byQueries, { QUERIES });
        dispatch('backward/attention_key_value', byKeys, { KEYS });
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
  /**
   * Workgroups for `count` products of height × width, and sizes: a tile of 16 × 16 or 32 a thread, or of 64 × 64 or 32 × 32 a
   * workgroup, by the sides that are a matrix's own. Plain kernels are compiled for each choice, because software computes
   * both sides of a branch; tiled ones branch.
   */
  const shape = (
    weight: ParameterView,
    [count, height, width]: readonly [number, number, number],
    sides: readonly number[],
    own: Record<string, number>,
  ): { groups: number; sizes: Record<string, number> } => {
    const type = typeOf(weight);
    if (plain) {
      const COLUMNS = columnsOf(weight);
      const tiles = count * ceilDivide(height, 16) * ceilDivide(width, 4 * COLUMNS);
      return { groups: ceilDivide(tiles, PLAIN_THREADS), sizes: { ...own, ...type, COLUMNS } };
    }
    const SIDE = sideOf(...sides);
    return { groups: count * ceilDivide(height, 4 * SIDE) * ceilDivide(width, 4 * SIDE), sizes: { ...type, SIDE } };
  };
  const activationOf = (options?: { inputActivation?: Activation }): number =>
    ACTIVATIONS[options?.inputActivation ?? 'none'];
  return {
    linear(out, x, rows, weight, bias, options) {
      const [K, N] = shapeOf(weight);
      const activation = activationOf(options);
      const residual = options?.residual;
      if (activation === 0 && residual === undefined) {
        const waiting = recorder.take(x, rows);
        if (waiting?.product?.({ out, weight, bias })) return;
        waiting?.alone();
      }
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
        ...shape(weight, [1, rows.capacity, N], [N], { ACTIVATION: activation, RESIDUAL: flag(residual) }),
      });
    },

    linearBackwardInput(dx, dOut, x, rows, weight, options) {
      const [K, N] = shapeOf(weight);
      const activation = activationOf(options);
      recorder.dispatch(kernel('backward/linear_input'), {
        tensors: { dx, dOut, x: activation === 0 ? dOut : x, weight },
        rows,
        params: { inner: quads(K), width: quads(N), activation, accumulate: flag(options?.accumulate) },
        ...shape(weight, [1, rows.capacity, K], [K], {
          ACTIVATED: flag(activation),
          ACCUMULATE: flag(options?.accumulate),
        }),
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
        ...shape(weight, [chunks, K, N], [K, N], { ACTIVATION: activation }),
      });
    },
  } satisfies Partial<Operations>;
}
