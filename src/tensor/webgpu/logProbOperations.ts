/**
 * Masked log-probs and their gradient as dispatches; formulas are in the shaders of the same names. A row is read by a
 * thread or, where it is long, by a workgroup. Vocabulary and kernel variant alone decide, so a row's numbers do not
 * depend on the number of rows.
 */

import { DIVERGENCES } from '../../hyperparameters/distillation';
import type { Rows, Tensor } from '../backend';
import type { DistillationOperations } from '../operations/distillation';
import type { LogProbOperations, MaskedLogProbOperations } from '../operations/logProb';
import { fusedLogProbOperations } from './fusedLogProbOperations';
import { ceilDivide, type DispatchRequest, type Recorder, THREADS } from './recorder';

/** Smallest vocabulary for which a workgroup reads a row. Software pays for barriers, and has few threads to keep busy. */
const LONG_ROW = { plain: 65_536, tiled: 512 } as const;
/** Quads of a row for each thread of the backward pass, and largest number of threads a row. */
const QUADS_A_THREAD = { plain: 256, tiled: 8 } as const;
const MAX_LANES = 256;
/** Limits on the work of a dispatch, all members together; more work becomes several dispatches. */
export interface DispatchLimits {
  /** Logits of a dispatch. */
  readonly elements: number;
  /** Floating-point operations of a dispatch. */
  readonly flops: number;
}

/** Limits of a dispatch: some 10 and 50 ms on a slow integrated GPU. */
const LIMITS: DispatchLimits = { elements: 2 ** 26, flops: 4e9 };

/** Place of a row's tokens: in `targets`, or the first word of its entry in the row table. */
function targetsOf(rows: Rows, targets: Tensor<'u32'> | null | undefined) {
  if (!targets) return { targets: rows.table, tokens: 1, targetStep: rows.table.stride / rows.capacity };
  const tokens = targets.stride / rows.capacity;
  return { targets, tokens, targetStep: tokens };
}

export function logProbOperations(
  recorder: Recorder,
  limits = LIMITS,
): LogProbOperations & MaskedLogProbOperations & DistillationOperations {
  const { variant, members } = recorder;
  /** Dispatches the rows in ranges, each of at most `limits.elements` logits over all members, and at least one row. */
  const eachRange = (rows: Rows, rowLength: number, dispatch: (firstRow: number, count: number) => void): void => {
    const most = Math.max(1, Math.floor(limits.elements / (rowLength * members)));
    for (let first = 0; first < rows.capacity; first += most) dispatch(first, Math.min(most, rows.capacity - first));
  };
  /** Dispatches one reading of each row of logits. */
  const readRows = (
    name: string,
    logits: Tensor<'f32'>,
    rows: Rows,
    vocabulary: number,
    request: Pick<DispatchRequest, 'tensors' | 'params' | 'sizes'>,
  ): void => {
    const rowLength = logits.stride / rows.capacity;
    const isLong = vocabulary >= LONG_ROW[variant];
    eachRange(rows, rowLength, (firstRow, count) => {
      recorder.dispatch(isLong ? `${name}_split` : name, {
        tensors: { logits, ...request.tensors },
        rows,
        params: { vocabulary, rowQuads: rowLength / 4, firstRow, endRow: firstRow + count, ...request.params },
        groups: isLong ? count : ceilDivide(count, THREADS),
        sizes: request.sizes ?? {},
      });
    });
  };
  return {
    maskedLogProb(logProb, entropy, logSumExp, logits, rows, legalSets, hyper, vocabulary, own) {
      const { targets, ...params } = targetsOf(rows, own);
      const read = (dense: { dense: Tensor<'f32'> } | null, context: number): void =>
        readRows('log_prob/masked', logits, rows, vocabulary, {
          tensors: { logProb, entropy, logSumExp, legalSets, hyper, targets, ...dense },
          params: { ...params, impossible: Number.NEGATIVE_INFINITY, ...(dense && { context }) },
          sizes: { SCATTER: dense === null ? 0 : 1 },
        });
      const alone = (): void => read(null, 0);
      const scattering = (dense: Tensor, context: number): void => read({ dense: dense as Tensor<'f32'> }, context);
      recorder.wait({ out: logProb, rows, alone, ...(own == null && { scattering }) });
    },

    maskedLogProbBackward(logits, dLogProb, dEntropy, entropy, logSumExp, rows, legalSets, hyper, vocabulary, own) {
      const { targets, ...params } = targetsOf(rows, own);
      const rowQuads = logits.stride / rows.capacity / 4;
      const shares = Math.max(1, Math.min(rowQuads / QUADS_A_THREAD[variant], MAX_LANES));
      const lanes = 2 ** Math.floor(Math.log2(shares));
      eachRange(rows, 4 * rowQuads, (firstRow, count) => {
        recorder.threads('log_prob/masked_backward', count * lanes, {
          tensors: { logits, dLogProb, dEntropy, entropy, logSumExp, legalSets, hyper, targets },
          rows,
          params: { ...params, vocabulary, rowQuads, firstRow, endRow: firstRow + count, lanes },
        });
      });
    },

    sumOfSquares(out, logSumExp, logits, rows, legalSets, hyper, vocabulary) {
      readRows('log_prob/sum_of_squares', logits, rows, vocabulary, { tensors: { out, logSumExp, legalSets, hyper } });
    },

    distil(logits, distance, teacher, weight, rows, legalSets, hyper, { vocabulary, divergence, context }) {
      const rowLength = logits.stride / rows.capacity;
      const sizes = { vocabulary, rowLength, context, divergence: DIVERGENCES.indexOf(divergence) };
      // Each logit is read four times.
      eachRange(rows, 4 * rowLength, (firstRow, count) => {
        recorder.threads('log_prob/distil', count, {
          tensors: { logits, distance, teacher, weight, legalSets, hyper },
          rows,
          params: { ...sizes, firstRow, endRow: firstRow + count },
        });
      });
    },

    scatterRows(dense, x, rows, context) {
      const waiting = recorder.take(x, rows);
      if (waiting?.scattering !== undefined) return waiting.scattering(dense, context);
      waiting?.alone();
      recorder.threads('log_prob/scatter_rows', rows.capacity, {
        tensors: { dense, x },
        rows,
        params: { context },
      });
    },

    ...fusedLogProbOperations(recorder, limits.flops),
  };
}
