/** Sums of columns over the rows in use, sequence by sequence in order. */
import type { PolicyObjectiveOperations } from '../../operations/policyObjective';
import type { ObjectiveHost } from '../host';

export function sumColumns(host: ObjectiveHost): PolicyObjectiveOperations['sumColumns'] {
  return (sums, sequenceSums, terms, rows, { accumulate }) => {
    const K = sums.stride;
    /** Sums of one sequence. */
    const sequence = new Float64Array(K);
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const [total, bySequence, table] = [host.f32(sums, p), host.f32(sequenceSums, p), host.f32(terms, p)];
        const start = host.u32(rows.start, p);
        if (!accumulate) total.fill(0);
        for (let s = 0; s < rows.sequences; s++) {
          sequence.fill(0);
          for (let r = start[s]; r < start[s + 1]; r++) for (let k = 0; k < K; k++) sequence[k] += table[r * K + k];
          bySequence.set(sequence, s * K);
          // Stored, and so rounded, after every sequence: the sum does not depend on how a batch is cut.
          for (let k = 0; k < K; k++) total[k] += sequence[k];
        }
      }
    });
  };
}
