/**
 * The reference of the log-probs without stored logits, in the plainest way: the logits of one row at a time, then the
 * functions of logProb.ts.
 */
import type { ParameterView, Tensor } from '../backend';
import type { ObjectiveHost } from '../objective/host';
import { scatterOperations } from '../objective/scatterRows';
import type { LogProbOperations } from '../operations/logProb';
import { entropyOf, isNeeded, logitGradient, sumOfSquares, targetDistribution } from './logProb';
import {
  add,
  at,
  member,
  parameter,
  parameterPartial,
  rowsByChunk,
  rowsInUse,
  type TokenRow,
  type Written,
} from './storage';

type F32 = Tensor<'f32'>;

export function logProbOperations(host: ObjectiveHost): LogProbOperations {
  return {
    ...scatterOperations(host),
    sumOfSquares: (...args) => host.record(() => sumOfSquares(host.members, ...args)),
    fusedLogProb: (...args) => host.record(() => fusedLogProb(host.members, ...args)),
    fusedLogProbBackward: (...args) => host.record(() => fusedLogProbBackward(host.members, ...args)),
  };
}

/** hidden[r − 1]·head, [V]. */
function logitsOf(target: TokenRow, hidden: F32, head: ParameterView, p: number): Float64Array<ArrayBuffer> {
  const [C, V] = head.shape;
  const [h, w] = [member(hidden, p), parameter(head, p)];
  const logits = new Float64Array(V);
  for (let c = 0; c < C; c++) {
    for (let v = 0; v < V; v++) add(logits, v, at(h, (target.index - 1) * C + c) * at(w, c * V + v));
  }
  return logits;
}

const fusedLogProb: Written<'fusedLogProb'> = (
  members,
  logProb,
  entropy,
  logSumExp,
  hidden,
  rows,
  head,
  legalSets,
  hyper,
) => {
  const V = head.shape[1];
  for (let p = 0; p < members; p++) {
    for (const row of rowsInUse(rows, p)) {
      const results = [0, 0, 0, 0] as [number, number, number, number];
      if (isNeeded(row, member(hyper, p))) {
        const logits = logitsOf(row, hidden, head, p);
        const target = targetDistribution(logits, row, member(legalSets, p), member(hyper, p), V);
        results.splice(0, 4, target.logProb(row.token), entropyOf(target), target.largest, target.logSum);
      }
      member(logProb, p)[row.index] = results[0];
      member(entropy, p)[row.index] = results[1];
      member(logSumExp, p).set(results.slice(2), row.index * 2);
    }
  }
};

const fusedLogProbBackward: Written<'fusedLogProbBackward'> = (
  members,
  dHidden,
  partials,
  dLogProb,
  dEntropy,
  entropy,
  logSumExp,
  hidden,
  rows,
  head,
  legalSets,
  hyper,
) => {
  const [C, V] = head.shape;
  for (let p = 0; p < members; p++) {
    const [byHidden, h, w, sums] = [member(dHidden, p), member(hidden, p), parameter(head, p), member(logSumExp, p)];
    for (const { index } of rowsInUse(rows, p)) byHidden.fill(0, index * C, (index + 1) * C);
    rowsByChunk(rows, p).forEach((chunk, which) => {
      const byHead = partials === null ? null : parameterPartial(partials, head, p, which).fill(0);
      for (const row of chunk) {
        const r = row.index;
        if (!isNeeded(row, member(hyper, p))) continue;
        const [byLogProb, byEntropy] = [at(member(dLogProb, p), r), at(member(dEntropy, p), r)];
        if (byLogProb === 0 && byEntropy === 0) continue;
        const logits = logitsOf(row, hidden, head, p);
        const target = targetDistribution(logits, row, member(legalSets, p), member(hyper, p), V);
        const saved = { largest: at(sums, r * 2), logSum: at(sums, r * 2 + 1), entropy: at(member(entropy, p), r) };
        const gradient = logitGradient(logits, target, saved, [row.token], [byLogProb], byEntropy);
        for (let c = 0; c < C; c++) {
          const from = (r - 1) * C + c;
          for (let v = 0; v < V; v++) {
            add(byHidden, from, at(gradient, v) * at(w, c * V + v));
            if (byHead !== null) add(byHead, c * V + v, at(h, from) * at(gradient, v));
          }
        }
      }
    });
  }
};
