/** Log-probs without logits as dispatches; formulas are in the shaders of the same names. */
import type { Operations, ParameterView } from '../backend';
import { GRADIENT_CHUNK } from '../layout';
import { ceilDivide, type Recorder, THREADS, typeOf } from './recorder';

/** Rows that a workgroup takes together, and quads of the vocabulary that it takes at a time. */
const ROWS = 8;
const TILE = 64;

function headParams(head: ParameterView) {
  const [C, V] = head.shape as [number, number];
  return { width: C / 4, quads: V / 4, vocabulary: V };
}

/** `limit`: largest number of floating-point operations of a dispatch, all members together. */
export function fusedLogProbOperations(recorder: Recorder, limit: number) {
  const { members } = recorder;
  /** Dispatches `length` items in ranges below the limit, `flops` an item, each range but the last whole steps. */
  const eachRange = (
    length: number,
    step: number,
    flops: number,
    dispatch: (first: number, n: number) => void,
  ): void => {
    const most = Math.max(1, Math.floor(limit / (flops * members * step))) * step;
    for (let first = 0; first < length; first += most) dispatch(first, Math.min(most, length - first));
  };
  return {
    fusedLogProb(logProb, entropy, logSumExp, hidden, rows, head, legalSets, hyper) {
      const [C, V] = head.shape as [number, number];
      eachRange(rows.capacity, ROWS, 2 * C * V, (firstRow, n) => {
        recorder.dispatch('log_prob/fused', {
          tensors: { logProb, entropy, logSumExp, hidden, weight: head, legalSets, hyper },
          rows,
          params: { ...headParams(head), firstRow, impossible: Number.NEGATIVE_INFINITY },
          groups: ceilDivide(n, ROWS),
          sizes: typeOf(head),
        });
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
      const [C, V] = head.shape as [number, number];
      const chunks = ceilDivide(rows.sequences, GRADIENT_CHUNK);
      const shared = { hidden, weight: head, legalSets, hyper };
      recorder.threads('log_prob/fused_backward_rows', rows.capacity, {
        tensors: { dHidden, dLogProb, dEntropy, entropy, logSumExp, hyper },
        rows,
        params: { width: C / 4 },
      });
      // Without partials there is no range: the head is frozen.
      eachRange(partials === null ? 0 : V / 4, TILE, 16 * C * rows.capacity, (firstQuad, rangeQuads) => {
        recorder.dispatch('log_prob/fused_backward_head', {
          tensors: { ...shared, ...(partials && { partials }), dHidden },
          rows,
          params: { ...headParams(head), chunkStride: head.tensor.stride / 4, firstQuad, rangeQuads },
          groups: ceilDivide(chunks * rangeQuads, THREADS),
          sizes: typeOf(head),
        });
      });
      eachRange(rows.capacity, ROWS, 4 * C * V, (firstRow, n) => {
        recorder.dispatch('log_prob/fused_backward_hidden', {
          tensors: { ...shared, dHidden },
          rows,
          params: { ...headParams(head), firstRow },
          groups: ceilDivide(n, ROWS),
          sizes: typeOf(head),
        });
      });
    },
  } satisfies Partial<Operations>;
}
