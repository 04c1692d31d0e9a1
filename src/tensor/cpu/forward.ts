/** Recording of the policy's forward operations: what each kernel in assembly/ is given. */
import type { Operations } from '../backend';
import { ACTIVATION_CODE } from './kernels';
import type { Recorder } from './recorder';
import type { RotaryAngles } from './rotaryAngles';

export function forwardOperations(recorder: Recorder, rotaryAngles: RotaryAngles) {
  const { kernels, memory } = recorder;
  return {
    embed(out, rows, tokens, positions) {
      const C = tokens.shape[1];
      recorder.each((p) => {
        const table = recorder.at(rows.table, p);
        const count = recorder.count(rows, p);
        const tokenTable = recorder.parameter(tokens, p);
        kernels.embed(recorder.at(out, p), table, count, C, tokenTable, recorder.parameter(positions, p));
      });
    },

    layerNorm(out, stats, x, rows, gamma, beta) {
      const C = gamma.shape[0];
      recorder.each((p) => {
        kernels.layerNorm(
          recorder.at(out, p),
          recorder.at(stats, p),
          recorder.at(x, p),
          recorder.count(rows, p),
          C,
          recorder.parameter(gamma, p),
          recorder.parameter(beta, p),
        );
      });
    },

    linear(out, x, rows, weight, bias, options) {
      const [K, N] = weight.shape;
      const activation = ACTIVATION_CODE[options?.inputActivation ?? 'none'];
      const accumulate = options?.accumulate ?? false;
      memory.needScratch(kernels.linearScratch(K, N));
      recorder.each((p) => {
        kernels.linear(
          recorder.at(out, p),
          recorder.at(x, p),
          recorder.count(rows, p),
          K,
          N,
          recorder.parameter(weight, p),
          recorder.parameter(bias, p),
          activation,
          accumulate,
          memory.scratch,
        );
      });
    },

    rotary(qkv, rows, heads, direction) {
      const C = qkv.stride / (3 * rows.capacity);
      const D = C / heads;
      recorder.each((p) => {
        const table = recorder.at(rows.table, p);
        const count = recorder.count(rows, p);
        const angles = rotaryAngles.table(D, kernels.maxPosition(table, count) + 1);
        kernels.rotary(recorder.at(qkv, p), table, count, C, D, angles, direction);
      });
    },

    storeKeyValue(cache, qkv, rows) {
      const C = qkv.stride / (3 * rows.capacity);
      recorder.each((p) => {
        const table = recorder.at(rows.table, p);
        kernels.storeKeyValue(recorder.at(cache, p), recorder.at(qkv, p), table, recorder.count(rows, p), C);
      });
    },

    attention(out, logSumExp, qkv, cache, rows, heads) {
      const C = out.stride / rows.capacity;
      const positions = cache === null ? rows.capacity : cache.stride / (2 * C);
      memory.needScratch(positions + 4);
      recorder.each((p) => {
        kernels.attention(
          recorder.at(out, p),
          recorder.at(logSumExp, p),
          recorder.at(qkv, p),
          cache === null ? recorder.at(qkv, p) + C * 4 : recorder.at(cache, p),
          (cache === null ? 3 : 2) * C * 4,
          recorder.at(rows.table, p),
          recorder.count(rows, p),
          C,
          heads,
          memory.scratch,
        );
      });
    },

    attentionProbabilities(out, qkv, logSumExp, picks, rows, heads) {
      const C = qkv.stride / (3 * rows.capacity);
      const T = out.stride / (picks.capacity * heads);
      memory.needScratch(T + 4);
      recorder.each((p) => {
        kernels.attentionProbabilities(
          recorder.at(out, p),
          recorder.at(qkv, p),
          recorder.at(logSumExp, p),
          recorder.at(picks.table, p),
          recorder.count(picks, p),
          recorder.at(rows.table, p),
          C,
          heads,
          T,
          memory.scratch,
        );
      });
    },

    gatherRows(out, x, picks) {
      const C = out.stride / picks.capacity;
      recorder.each((p) => {
        const table = recorder.at(picks.table, p);
        kernels.gatherRows(recorder.at(out, p), recorder.at(x, p), table, recorder.count(picks, p), C);
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
      recorder.each((p) => {
        if (recorder.word(active, p) === 0) return;
        kernels.copy(recorder.at(target, p), recorder.at(source, p), 4 * target.stride);
      });
    },
  } satisfies Partial<Operations>;
}
