/** The critic's head: one number a token, the value of the state before it. */
import type { Operations, ParameterView, Tensor } from '../backend';
import { GRADIENT_CHUNK, ROW_FIELDS } from '../layout';
import type { ObjectiveHost } from './host';

export function valueHeadOperations(host: ObjectiveHost) {
  /** Values of a parameter, which is checked to be float32. */
  const valuesOf = ({ tensor, offset, shape }: ParameterView, p: number) =>
    host.f32(tensor as Tensor<'f32'>, p).subarray(offset, offset + shape[0]);
  return {
    valueHead(value, hidden, rows, weight, bias) {
      const C = weight.shape[0];
      host.record(() => {
        for (let p = 0; p < host.members; p++) {
          const [out, x, table] = [host.f32(value, p), host.f32(hidden, p), host.u32(rows.table, p)];
          const w = valuesOf(weight, p);
          const b = valuesOf(bias, p)[0];
          const inUse = Math.min(host.u32(rows.count, p)[0], rows.capacity);
          for (let r = 0; r < inUse; r++) {
            let sum = 0;
            if (table[r * ROW_FIELDS + 1] > 0) {
              sum = b;
              for (let c = 0; c < C; c++) sum += x[(r - 1) * C + c] * w[c];
            }
            out[r] = sum;
          }
        }
      });
    },

    valueHeadBackward(dHidden, partials, dValue, hidden, rows, weight, bias) {
      const C = weight.shape[0];
      const N = weight.tensor.stride;
      host.record(() => {
        for (let p = 0; p < host.members; p++) {
          const [byHidden, x, dV] = [host.f32(dHidden, p), host.f32(hidden, p), host.f32(dValue, p)];
          const [table, start, parts] = [host.u32(rows.table, p), host.u32(rows.start, p), host.f32(partials, p)];
          const w = valuesOf(weight, p);
          for (let chunk = 0; chunk * GRADIENT_CHUNK < rows.sequences; chunk++) {
            const first = start[chunk * GRADIENT_CHUNK];
            const end = start[Math.min((chunk + 1) * GRADIENT_CHUNK, rows.sequences)];
            const byWeight = new Float64Array(C);
            let byBias = 0;
            for (let r = first; r < end; r++) {
              const d = dV[r];
              if (d === 0 || table[r * ROW_FIELDS + 1] === 0) continue;
              byBias += d;
              for (let c = 0; c < C; c++) {
                const at = (r - 1) * C + c;
                byWeight[c] += d * x[at];
                byHidden[at] += d * w[c];
              }
            }
            parts.set(byWeight, chunk * N + weight.offset);
            parts[chunk * N + bias.offset] = byBias;
          }
        }
      });
    },
  } satisfies Partial<Operations>;
}
