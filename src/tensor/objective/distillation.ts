/** Divergence from a teacher's whole distribution and its gradient, in TypeScript for the reference and the CPU. */

import { isDrawn } from '../../foundation/roles';
import type { DivergenceName } from '../../hyperparameters/distillation';
import type { FloatData } from '../backend';
import { BOUND } from '../bounds';
import { HYPER, metaLegalSet, metaRole, metaSequence, ROW_FIELDS } from '../layout';
import type { DistillationOperations } from '../operations/distillation';
import type { ObjectiveHost } from './host';

export function distillationOperations(host: ObjectiveHost): DistillationOperations {
  return {
    distil(logits, distance, teacher, weight, rows, legalSets, hyper, { vocabulary, divergence, context }) {
      const S = logits.stride / rows.capacity;
      const words = Math.ceil(vocabulary / 32);
      host.record(() => {
        const [student, taught] = [new Float64Array(vocabulary), new Float64Array(vocabulary)];
        for (let p = 0; p < host.members; p++) {
          const [x, q, out] = [host.f32(logits, p), host.f32(teacher, p), host.f32(distance, p)];
          const [weights, sets, table] = [host.f32(weight, p), host.u32(legalSets, p), host.u32(rows.table, p)];
          const temperature = host.f32(hyper, p)[HYPER.temperature];
          const inUse = Math.min(host.u32(rows.count, p)[0], rows.capacity);
          if (inUse > 0) out[0] = 0;
          for (let r = 1; r <= inUse; r++) {
            const at = (r - 1) * S;
            const [position, meta] = [table[r * ROW_FIELDS + 1], table[r * ROW_FIELDS + 3]];
            const isTarget = r < inUse && position > 0;
            const w = isTarget ? weights[metaSequence(meta) * context + position] : 0;
            if (r < inUse) out[r] = 0;
            if (w === 0) {
              x.fill(0, at, at + S);
              continue;
            }
            const drawn = isDrawn(metaRole(meta));
            const first = (drawn ? metaLegalSet(meta) : 0) * words;
            const isLegal = (v: number): boolean => !drawn || ((sets[first + (v >>> 5)] >>> (v & 31)) & 1) === 1;
            const inverse = drawn ? 1 / temperature : 1;
            logSoftmax(student, x, at, inverse, isLegal);
            logSoftmax(taught, q, at, inverse, isLegal);
            out[r] = DIFFERENTIATED[divergence](student, taught);
            const sum = student.reduce((total, d) => total + d, 0);
            logSoftmax(taught, x, at, inverse, isLegal);
            for (let v = 0; v < vocabulary; v++) x[at + v] = w * inverse * (student[v] - Math.exp(taught[v]) * sum);
            x.fill(0, at + vocabulary, at + S);
          }
        }
      });
    },
  };
}

/** Logs of softmax(x · inverse) over the legal tokens, at least BOUND.logProb; −∞ for the others. */
function logSoftmax(
  out: Float64Array,
  x: FloatData,
  at: number,
  inverse: number,
  isLegal: (v: number) => boolean,
): void {
  let most = Number.NEGATIVE_INFINITY;
  for (let v = 0; v < out.length; v++) {
    out[v] = isLegal(v) ? x[at + v] * inverse : Number.NEGATIVE_INFINITY;
    most = Math.max(most, out[v]);
  }
  let sum = 0;
  for (const z of out) sum += Math.exp(z - most);
  const total = most + Math.log(sum);
  for (let v = 0; v < out.length; v++) if (isLegal(v)) out[v] = Math.max(out[v] - total, BOUND.logProb);
}

/**
 * Divergences: D of the logs of π and q. In place of log π comes ∂D/∂log π by word, as if no probability depended on another's;
 * what the same amount for all words adds falls out of the gradient, and is left out.
 */
const DIFFERENTIATED: Readonly<Record<DivergenceName, (student: Float64Array, taught: Float64Array) => number>> = {
  reverse: (student, taught) =>
    overLegal(student, (log, v) => {
      const apart = Math.exp(log) * (log - taught[v]);
      return [apart, apart];
    }),
  forward: (student, taught) =>
    overLegal(student, (log, v) => {
      const q = Math.exp(taught[v]);
      return [q * (taught[v] - log), -q];
    }),
  'jensen-shannon': (student, taught) =>
    overLegal(student, (log, v) => {
      const [p, q] = [Math.exp(log), Math.exp(taught[v])];
      const mean = Math.max(Math.log((p + q) / 2), BOUND.logProb);
      const own = 0.5 * p * (log - mean);
      return [own + 0.5 * q * (taught[v] - mean), own];
    }),
};

function overLegal(student: Float64Array, ofWord: (log: number, v: number) => readonly [number, number]): number {
  let sum = 0;
  for (let v = 0; v < student.length; v++) {
    const isLegal = student[v] !== Number.NEGATIVE_INFINITY;
    const [value, derivative] = isLegal ? ofWord(student[v], v) : [0, 0];
    sum += value;
    student[v] = derivative;
  }
  return sum;
}
