/** Scatter of packed rows [P,R] into the dense view of a batch [P,B,T]. */
import { metaSequence, ROW_FIELDS } from '../layout';
import type { LogProbOperations } from '../operations/logProb';
import type { ObjectiveHost } from './host';

export function scatterOperations(host: ObjectiveHost): Pick<LogProbOperations, 'scatterRows'> {
  return {
    scatterRows(dense, x, rows, context) {
      host.record(() => {
        for (let p = 0; p < host.members; p++) {
          const [to, from, table] = [host.f32(dense, p), host.f32(x, p), host.u32(rows.table, p)];
          const inUse = Math.min(host.u32(rows.count, p)[0], rows.capacity);
          for (let r = 0; r < inUse; r++) {
            const position = table[r * ROW_FIELDS + 1];
            const sequence = metaSequence(table[r * ROW_FIELDS + 3]);
            if (position > 0) to[sequence * context + position] = from[r];
          }
        }
      });
    },
  };
}
