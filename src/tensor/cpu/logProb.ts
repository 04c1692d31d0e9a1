/** Recording of the log-probs: calls of the kernels in assembly/. */
import type { Rows, Tensor } from '../backend';
import { scatterOperations } from '../objective/scatterRows';
import type { LogProbOperations, MaskedLogProbOperations } from '../operations/logProb';
import { WEIGHT_CODE } from './kernels';
import { objectiveHost } from './objectiveHost';
import type { CpuRecorder } from './recorder';

const BYTES = 4;
/** Bytes of an entry of the row table, whose first word is the row's token. */
const ROW_BYTES = 16;

const roundedUp = (count: number): number => (count + 3) & ~3;

/** Tensor that holds the rows' tokens, number of tokens a row, bytes from row to row. */
function tokensOf(
  rows: Rows,
  targets: Tensor<'u32'> | null | undefined,
): [holder: Tensor, perRow: number, step: number] {
  if (!targets) return [rows.table, 1, ROW_BYTES];
  const K = targets.stride / rows.capacity;
  return [targets, K, K * BYTES];
}

export function logProbOperations(recorder: CpuRecorder): LogProbOperations & MaskedLogProbOperations {
  const { kernels, memory } = recorder;
  return {
    ...scatterOperations(objectiveHost(recorder)),

    maskedLogProb(logProb, entropy, logSumExp, logits, rows, legalSets, hyper, vocabulary, targets) {
      const [tokens, ...sizes] = tokensOf(rows, targets);
      memory.needScratch(roundedUp(vocabulary));
      recorder.each(({ at, count }) => {
        kernels.maskedLogProb(
          at(logProb),
          at(entropy),
          at(logSumExp),
          at(logits),
          at(rows.table),
          count(rows),
          at(legalSets),
          at(hyper),
          vocabulary,
          logits.stride / rows.capacity,
          at(tokens),
          ...sizes,
          memory.scratch,
        );
      });
    },

    maskedLogProbBackward(logits, dLogProb, dEntropy, entropy, logSumExp, rows, legalSets, hyper, vocabulary, targets) {
      const [tokens, ...sizes] = tokensOf(rows, targets);
      recorder.each(({ at, count }) => {
        kernels.maskedLogProbBackward(
          at(logits),
          at(dLogProb),
          at(dEntropy),
          at(entropy),
          at(logSumExp),
          at(rows.table),
          count(rows),
          at(legalSets),
          at(hyper),
          vocabulary,
          logits.stride / rows.capacity,
          at(tokens),
          ...sizes,
        );
      });
    },

    sumOfSquares(out, logSumExp, logits, rows, legalSets, hyper, vocabulary) {
      memory.needScratch(roundedUp(vocabulary));
      recorder.each(({ at, count }) => {
        kernels.sumOfSquares(
          at(out),
          at(logSumExp),
          at(logits),
          at(rows.table),
          count(rows),
          at(legalSets),
          at(hyper),
          vocabulary,
          logits.stride / rows.capacity,
          memory.scratch,
        );
      });
    },

    fusedLogProb(logProb, entropy, logSumExp, hidden, rows, head, legalSets, hyper) {
      const [C, V] = head.shape;
      memory.needScratch(kernels.fusedScratch(C, rows.capacity));
      recorder.each(({ at, count }) => {
        kernels.fusedLogProb(
          at(logProb),
          at(entropy),
          at(logSumExp),
          at(hidden),
          at(rows.table),
          count(rows),
          at(head),
          WEIGHT_CODE[head.tensor.type],
          C,
          V,
          at(legalSets),
          at(hyper),
          memory.scratch,
        );
      });
    },

    fusedLogProbBackward(
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
    ) {
      const [C, V] = head.shape;
      memory.needScratch(kernels.fusedScratch(C, rows.capacity));
      recorder.eachChunk(rows, ({ at, count, first, partial }) => {
        kernels.fusedLogProbBackward(
          first(dHidden, C),
          partials === null ? 0 : partial(partials, head),
          first(dLogProb, 1),
          first(dEntropy, 1),
          first(entropy, 1),
          first(logSumExp, 2),
          first(hidden, C),
          first(rows.table, 4),
          count,
          at(head),
          WEIGHT_CODE[head.tensor.type],
          C,
          V,
          at(legalSets),
          at(hyper),
          memory.scratch,
        );
      });
    },
  };
}
