/** Series over vocabularies, of operations on logits and on the head that makes them. */
import type { Operations, Sequences, Tensor } from '../../tensor/backend';
import { GRADIENT_CHUNK } from '../../tensor/layout';
import { filledTensor } from '../bench/ceilings';
import { inDigits, rowsFor, type SeriesSize, settings, type TimedSeries, TRAJECTORY, view, WIDTH } from './series';

const VOCABULARIES = [48, 256, 1024, 4096, 16_384, 65_536, 151_936];

/** Trajectories whose logits take about the same memory at every vocabulary. */
const trajectoriesFor = (vocabulary: number, elements: number): number =>
  Math.max(1, Math.min(256, Math.floor(elements / (vocabulary * TRAJECTORY))));

type LogProbCall = (
  operations: Operations,
  of: ReturnType<typeof settings> & {
    rows: Sequences;
    logits: Tensor<'f32'>;
    logProb: Tensor<'f32'>;
    entropy: Tensor<'f32'>;
    logSumExp: Tensor<'f32'>;
    dLogProb: Tensor<'f32'>;
    dEntropy: Tensor<'f32'>;
    vocabulary: number;
  },
) => void;

/** Series of an operation that moves each logit `passes` times, reads and writes together. */
export function onLogits(passes: number, call: LogProbCall): TimedSeries {
  return {
    axis: 'vocabulary V',
    bound: 'memory',
    sizes: (software) =>
      VOCABULARIES.map((V): SeriesSize => {
        // The smallest GPUs allow a tensor 128 MiB.
        const trajectories = trajectoriesFor(V, software ? 2 ** 22 : 2 ** 25);
        const R = trajectories * TRAJECTORY;
        return {
          at: V,
          words: `V = ${inDigits(V)}, ${inDigits(R)} rows`,
          flops: 0,
          bytes: 4 * passes * R * V,
          tensors: [R * V],
          whole: false,
          build(backend) {
            const f32 = (label: string, stride: number) => filledTensor(backend, label, stride);
            const of = {
              ...settings(backend, V),
              rows: rowsFor(backend, trajectories, TRAJECTORY, V),
              logits: f32('logits', R * V),
              logProb: f32('logProb', R),
              entropy: f32('entropy', R),
              logSumExp: f32('logSumExp', 2 * R),
              dLogProb: f32('dLogProb', R),
              dEntropy: f32('dEntropy', R),
              vocabulary: V,
            };
            return (operations) => call(operations, of);
          },
        };
      }),
  };
}

/** Series of a fused operation. products: multiply-adds for each hidden channel, row and token. */
export function fusedSeries(products: number, call: 'fusedLogProb' | 'fusedLogProbBackward'): TimedSeries {
  return {
    axis: 'vocabulary V',
    bound: 'compute',
    sizes: (software) =>
      VOCABULARIES.map((V): SeriesSize => {
        // Fewer rows for software, which takes seconds where a GPU takes milliseconds.
        const length = software ? TRAJECTORY / 2 : TRAJECTORY;
        const trajectories = trajectoriesFor(V, software ? 2 ** 19 : 2 ** 25);
        const R = trajectories * length;
        const N = WIDTH * V;
        const chunks = Math.ceil(trajectories / GRADIENT_CHUNK);
        const backward = call === 'fusedLogProbBackward';
        return {
          at: V,
          words: `V = ${inDigits(V)}, ${inDigits(R)} rows, C = ${WIDTH}`,
          flops: 2 * products * R * WIDTH * V,
          bytes: 4 * (N + R * WIDTH * (backward ? 2 : 1) + (backward ? chunks * N : 0)),
          tensors: backward ? [N, chunks * N] : [N],
          whole: false,
          build(backend) {
            const f32 = (label: string, stride: number) => filledTensor(backend, label, stride);
            const { hyper, legalSets } = settings(backend, V);
            const rows = rowsFor(backend, trajectories, length, V);
            const head = view(f32('head', N), [WIDTH, V]);
            const hidden = f32('hidden', R * WIDTH);
            const [logProb, entropy, logSumExp] = [f32('logProb', R), f32('entropy', R), f32('logSumExp', 2 * R)];
            if (!backward) {
              return (operations) =>
                operations.fusedLogProb(logProb, entropy, logSumExp, hidden, rows, head, legalSets, hyper);
            }
            const [dHidden, partials] = [f32('dHidden', R * WIDTH), f32('partials', chunks * N)];
            const [dLogProb, dEntropy] = [f32('dLogProb', R), f32('dEntropy', R)];
            return (operations) =>
              operations.fusedLogProbBackward(
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
              );
          },
        };
      }),
  };
}
