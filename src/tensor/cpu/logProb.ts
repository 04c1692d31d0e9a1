/** Recording of the masked log-probs: what each kernel in assembly/ is given. */
import type { Rows, Tensor } from '../backend';
import { scatterOperations } from '../objective/scatterRows';
import type { LogProbOperations, MaskedLogProbOperations } from '../operations/logProb';
import type { Address } from './kernels';
import { objectiveHost } from './objectiveHost';
import type { Recorder } from './recorder';

const BYTES = 4;
/** Bytes of an entry of the row table, whose first word is the row's token. */
const ROW_BYTES = 16;

const roundedUp = (count: number): number => (count + 3) & ~3;

export function logProbOperations(recorder: Recorder): LogProbOperations & MaskedLogProbOperations {
  const { kernels, memory } = recorder;
  /** Address of the first row's tokens, how many there are a row, bytes from row to row. */
  const tokens = (rows: Rows, targets: Tensor<'u32'> | null | undefined, p: number): [Address, number, number] => {
    if (!targets) return [recorder.at(rows.table, p), 1, ROW_BYTES];
    const K = targets.stride / rows.capacity;
    return [recorder.at(targets, p), K, K * BYTES];
  };
  return {
    ...scatterOperations(objectiveHost(recorder)),

    maskedLogProb(logProb, entropy, logSumExp, logits, rows, legalSets, hyper, vocabulary, targets) {
      memory.needScratch(roundedUp(vocabulary));
      recorder.each((p) => {
        kernels.maskedLogProb(
          recorder.at(logProb, p),
          recorder.at(entropy, p),
          recorder.at(logSumExp, p),
          recorder.at(logits, p),
          recorder.at(rows.table, p),
          recorder.count(rows, p),
          recorder.at(legalSets, p),
          recorder.at(hyper, p),
          vocabulary,
          logits.stride / rows.capacity,
          ...tokens(rows, targets, p),
          memory.scratch,
        );
      });
    },

    maskedLogProbBackward(logits, dLogProb, dEntropy, entropy, logSumExp, rows, legalSets, hyper, vocabulary, targets) {
      recorder.each((p) => {
        kernels.maskedLogProbBackward(
          recorder.at(logits, p),
          recorder.at(dLogProb, p),
          recorder.at(dEntropy, p),
          recorder.at(entropy, p),
          recorder.at(logSumExp, p),
          recorder.at(rows.table, p),
          recorder.count(rows, p),
          recorder.at(legalSets, p),
          recorder.at(hyper, p),
          vocabulary,
          logits.stride / rows.capacity,
          ...tokens(rows, targets, p),
        );
      });
    },

    sumOfSquares(out, logSumExp, logits, rows, legalSets, hyper, vocabulary) {
      memory.needScratch(roundedUp(vocabulary));
      recorder.each((p) => {
        kernels.sumOfSquares(
          recorder.at(out, p),
          recorder.at(logSumExp, p),
          recorder.at(logits, p),
          recorder.at(rows.table, p),
          recorder.count(rows, p),
          recorder.at(legalSets, p),
          recorder.at(hyper, p),
          vocabulary,
          logits.stride / rows.capacity,
          memory.scratch,
        );
      });
    },

    fusedLogProb(logProb, entropy, logSumExp, hidden, rows, head, legalSets, hyper) {
      const [C, V] = head.shape;
      memory.needScratch(kernels.fusedScratch(C, rows.capacity));
      recorder.each((p) => {
        kernels.fusedLogProb(
          recorder.at(logProb, p),
          recorder.at(entropy, p),
          recorder.at(logSumExp, p),
          recorder.at(hidden, p),
          recorder.at(rows.table, p),
          recorder.count(rows, p),
          recorder.parameter(head, p),
          C,
          V,
          recorder.at(legalSets, p),
          recorder.at(hyper, p),
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
      recorder.eachChunk(rows, (p, chunk, first, count) => {
        kernels.fusedLogProbBackward(
          recorder.row(dHidden, p, first, C),
          recorder.partial(partials, head, p, chunk),
          recorder.row(dLogProb, p, first, 1),
          recorder.row(dEntropy, p, first, 1),
          recorder.row(entropy, p, first, 1),
          recorder.row(logSumExp, p, first, 2),
          recorder.row(hidden, p, first, C),
          recorder.row(rows.table, p, first, 4),
          count,
          recorder.parameter(head, p),
          C,
          V,
          recorder.at(legalSets, p),
          recorder.at(hyper, p),
          memory.scratch,
        );
      });
    },
  };
}
