/** Recording of the policy's forward operations: calls of the kernels in assembly/. */
import type { Operations } from '../backend';
import { headWidths } from '../heads';
import { ROTARY_THETA } from '../layout';
import { ACTIVATION_CODE, WEIGHT_CODE } from './kernels';
import type { CpuRecorder } from './recorder';
import type { RotaryAngles } from './rotaryAngles';

export function forwardOperations(recorder: CpuRecorder, rotaryAngles: RotaryAngles) {
  const { kernels, memory } = recorder;
  return {
    embed(out, rows, tokens, positions) {
      const C = tokens.shape[1];
      const type = WEIGHT_CODE[tokens.tensor.type];
      recorder.each(({ at, count }) => {
        kernels.embed(at(out), at(rows.table), count(rows), C, at(tokens), type, at(positions));
      });
    },

    layerNorm(out, stats, x, rows, gamma, beta) {
      const C = gamma.shape[0];
      recorder.each(({ at, count }) => {
        kernels.layerNorm(at(out), at(stats), at(x), count(rows), C, at(gamma), at(beta));
      });
    },

    linear(out, x, rows, weight, bias, options) {
      const [K, N] = weight.shape;
      const type = WEIGHT_CODE[weight.tensor.type];
      const activation = ACTIVATION_CODE[options?.inputActivation ?? 'none'];
      const residual = options?.residual;
      const accumulate = residual !== undefined;
      memory.needScratch(kernels.linearScratch(K, N));
      recorder.each(({ at, count }) => {
        if (residual !== undefined) kernels.copy(at(out), at(residual), 4 * count(rows) * N);
        const [w, b] = [at(weight), at(bias)];
        kernels.linear(at(out), at(x), count(rows), K, N, w, type, b, activation, accumulate, memory.scratch);
      });
    },

    embedTied(out, rows, head) {
      const [C, V] = head.shape;
      recorder.each(({ at, count }) => {
        kernels.embedTied(at(out), at(rows.table), count(rows), C, V, at(head), WEIGHT_CODE[head.tensor.type]);
      });
    },

    rmsNorm(out, stats, x, rows, gamma, epsilon) {
      const C = gamma.shape[0];
      recorder.each(({ at, count }) => {
        kernels.rmsNorm(at(out), at(stats), at(x), count(rows), C, at(gamma), epsilon);
      });
    },

    swiglu(out, x, rows) {
      const F = out.stride / rows.capacity;
      recorder.each(({ at, count }) => kernels.swiglu(at(out), at(x), count(rows), F));
    },

    addColumns(out, x, rows, first, factor) {
      const [N, n] = [out.stride / rows.capacity, x.stride / rows.capacity];
      recorder.each(({ at, count }) => kernels.addColumns(at(out), at(x), count(rows), N, n, first, factor));
    },

    takeColumns(out, x, rows, first, factor) {
      const [N, n] = [x.stride / rows.capacity, out.stride / rows.capacity];
      recorder.each(({ at, count }) => kernels.takeColumns(at(out), at(x), count(rows), N, n, first, factor));
    },

    rotary(qkv, rows, heads, direction, theta = ROTARY_THETA) {
      const { queries, keys, row } = headWidths(heads);
      recorder.each(({ at, count }) => {
        const table = at(rows.table);
        const angles = rotaryAngles.table(heads.width, theta, kernels.maxPosition(table, count(rows)) + 1);
        kernels.rotary(at(qkv), table, count(rows), queries + keys, row, heads.width, angles, direction);
      });
    },

    storeKeyValue(cache, qkv, rows, heads) {
      const { keys, row } = headWidths(heads);
      recorder.each(({ at, count }) => {
        kernels.storeKeyValue(at(cache), at(qkv), at(rows.table), count(rows), 2 * keys, row);
      });
    },

    attention(out, logSumExp, qkv, cache, rows, heads) {
      const { queries, keys, row } = headWidths(heads);
      const positions = cache === null ? rows.capacity : cache.stride / (2 * keys);
      memory.needScratch(4 * (positions + 6));
      recorder.each(({ at, count }) => {
        kernels.attention(
          at(out),
          at(logSumExp),
          at(qkv),
          cache === null ? at(qkv) + queries * 4 : at(cache),
          (cache === null ? row : 2 * keys) * 4,
          at(rows.table),
          count(rows),
          heads.width,
          heads.queries,
          heads.keys,
          memory.scratch,
        );
      });
    },

    attentionProbabilities(out, qkv, logSumExp, picks, rows, heads) {
      const T = out.stride / (picks.capacity * heads.queries);
      memory.needScratch(T + 4);
      recorder.each(({ at, count }) => {
        kernels.attentionProbabilities(
          at(out),
          at(qkv),
          at(logSumExp),
          at(picks.table),
          count(picks),
          at(rows.table),
          heads.width,
          heads.queries,
          heads.keys,
          T,
          memory.scratch,
        );
      });
    },

    gatherRows(out, x, picks) {
      const C = out.stride / picks.capacity;
      recorder.each(({ at, count }) => {
        kernels.gatherRows(at(out), at(x), at(picks.table), count(picks), C);
      });
    },

    fill(tensor, value) {
      const { address, members, stride } = recorder.storage(tensor);
      recorder.record(() => kernels.fill(address, members * stride, value));
    },

    copy(target, source) {
      const to = recorder.storage(target);
      const from = recorder.storage(source);
      recorder.record(() => kernels.copy(to.address, from.address, to.bytes));
    },

    copyMembers(target, source, active) {
      recorder.each(({ at, word }) => {
        if (word(active) === 0) return;
        kernels.copy(at(target), at(source), 4 * target.stride);
      });
    },
  } satisfies Partial<Operations>;
}
