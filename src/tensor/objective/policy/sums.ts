/** Sums of columns over the rows in use, sequence by sequence in order. */
import type { PolicyObjectiveOperations } from '../../operations/policyObjective';
import type { ObjectiveHost } from '../host';

export function sumColumns(host: ObjectiveHost): PolicyObjectiveOperations['sumColumns'] {
  return (sums, sequenceSums, terms, rows, { accumulate }) => {
    const K = sums.stride;
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const [total, bySequence, table] = [host.f32(sums, p), host.f32(sequenceSums, p), host.f32(terms, p)];
        const start = host.u32(rows.start, p);
        for (let k = 0; k < K; k++) {
          if (!accumulate) total[k] = 0;
          for (let s = 0; s < rows.sequences; s++) {
            let own = 0;
            for (let r = start[s]; r < start[s + 1]; r++) own += table[r * K + k];
            bySequence[s * K + k] = own;
            // Stored, and so rounded, after every sequence: the sum does not depend on how a batch is cut.
            total[k] += own;
          }
        }
      }
    });
  };
}
