/**
 * All series: each an operation at several sizes, with its least bytes and flops there. Rows are whole trajectories, in
 * which every token but the first is a target. The tensors' numbers do not matter for the time, except that no derivative
 * is 0, because kernels skip those.
 */
import { filledTensor } from '../bench/ceilings';
import type { SeriesName } from './report';
import { inDigits, type SeriesSize, settings, type TimedSeries } from './series';
import { attention, matrix } from './seriesOfLayers';
import { fusedSeries, onLogits } from './seriesOfVocabulary';

const PARAMETERS = [12, 14, 16, 18, 20, 22, 24].map((power) => 2 ** power);
const COPIES = [12, 14, 16, 18, 20, 22, 24, 26].map((power) => 2 ** power);

const adamW: TimedSeries = {
  axis: 'parameters N',
  bound: 'memory',
  sizes: () =>
    PARAMETERS.map(
      (N): SeriesSize => ({
        at: N,
        words: `N = ${inDigits(N)}`,
        flops: 15 * N,
        bytes: 28 * N,
        tensors: [N, N, N, N],
        whole: false,
        build(backend) {
          const f32 = (label: string, stride: number) => filledTensor(backend, label, stride);
          const [parameters, gradients] = [f32('parameters', N), f32('gradients', N)];
          const moments = [backend.tensor('m', 'f32', 1, N), backend.tensor('v', 'f32', 1, N)] as const;
          const [step, norm] = [backend.tensor('step', 'f32', 1, 1), f32('norm', 1)];
          const active = backend.tensor('active', 'u32', 1, 1);
          backend.write(active, Uint32Array.of(1));
          const { hyper } = settings(backend, 32);
          return (operations) => operations.adamW(parameters, ...moments, step, gradients, norm, hyper, active);
        },
      }),
    ),
};

const copy: TimedSeries = {
  axis: 'elements',
  bound: 'memory',
  sizes: () =>
    COPIES.map(
      (n): SeriesSize => ({
        at: n,
        words: `${inDigits((4 * n) / 1024)} KiB`,
        flops: 0,
        bytes: 8 * n,
        tensors: [n, n],
        whole: false,
        build(backend) {
          const [target, source] = [backend.tensor('target', 'f32', 1, n), filledTensor(backend, 'source', n)];
          return (operations) => operations.copy(target, source);
        },
      }),
    ),
};

export const SERIES: Readonly<Record<SeriesName, TimedSeries>> = {
  maskedLogProb: onLogits(
    1,
    (operations, { logProb, entropy, logSumExp, logits, rows, legalSets, hyper, vocabulary }) =>
      operations.maskedLogProb(logProb, entropy, logSumExp, logits, rows, legalSets, hyper, vocabulary),
  ),
  maskedLogProbBackward: onLogits(
    2,
    (operations, { logits, dLogProb, dEntropy, entropy, logSumExp, rows, legalSets, hyper, vocabulary }) =>
      operations.maskedLogProbBackward(
        logits,
        dLogProb,
        dEntropy,
        entropy,
        logSumExp,
        rows,
        legalSets,
        hyper,
        vocabulary,
      ),
  ),
  sumOfSquares: onLogits(1, (operations, { logProb, logSumExp, logits, rows, legalSets, hyper, vocabulary }) =>
    operations.sumOfSquares(logProb, logSumExp, logits, rows, legalSets, hyper, vocabulary),
  ),
  fusedLogProb: fusedSeries(1, 'fusedLogProb'),
  // Both halves of the gradient compute the logits again.
  fusedLogProbBackward: fusedSeries(4, 'fusedLogProbBackward'),
  linear: matrix((operations, { out, x, rows, weight, bias }) => operations.linear(out, x, rows, weight, bias)),
  linearBackwardInput: matrix((operations, { out, x, rows, weight }) =>
    operations.linearBackwardInput(out, x, x, rows, weight),
  ),
  linearBackwardWeight: matrix((operations, { partials, x, out, rows, weight, bias }) =>
    operations.linearBackwardWeight(partials, x, out, rows, weight, bias),
  ),
  attention: attention(2, false),
  attentionBackward: attention(5, true),
  adamW,
  copy,
};
