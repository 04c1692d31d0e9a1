/** Series of a layer's matrix products over widths, and of its attention over contexts. */
import type { Operations, ParameterView, Sequences, Tensor } from '../../tensor/backend';
import { evenHeads } from '../../tensor/heads';
import { GRADIENT_CHUNK } from '../../tensor/layout';
import { filledTensor } from '../bench/ceilings';
import { inDigits, rowsFor, type SeriesSize, type TimedSeries, TRAJECTORY, view, WIDTH } from './series';

const WIDTHS = [64, 128, 256, 512, 1024, 2048];
const CONTEXTS = [64, 128, 256, 512, 1024];
const HEADS = 4;

type MatrixCall = (
  operations: Operations,
  of: {
    rows: Sequences;
    x: Tensor<'f32'>;
    out: Tensor<'f32'>;
    partials: Tensor<'f32'>;
    weight: ParameterView;
    bias: ParameterView;
  },
) => void;

export function matrix(call: MatrixCall): TimedSeries {
  return {
    axis: 'width C, a square weight',
    bound: 'compute',
    sizes: (software) =>
      WIDTHS.map((C): SeriesSize => {
        const most = software ? 256 : 1024;
        const R = Math.max(64, Math.min(most, 2 ** 31 / C ** 2));
        const trajectories = R / TRAJECTORY;
        const chunks = Math.ceil(trajectories / GRADIENT_CHUNK);
        const N = C * C + C;
        return {
          at: C,
          words: `${inDigits(R)} × ${inDigits(C)} · ${inDigits(C)} × ${inDigits(C)}`,
          flops: 2 * R * C * C,
          bytes: 4 * (2 * R * C + C * C),
          tensors: [R * C, R * C, N, chunks * N],
          whole: true,
          build(backend) {
            const parameters = filledTensor(backend, 'parameters', N);
            const of = {
              rows: rowsFor(backend, trajectories, TRAJECTORY, 16),
              x: filledTensor(backend, 'x', R * C),
              out: filledTensor(backend, 'out', R * C),
              partials: filledTensor(backend, 'partials', chunks * N),
              weight: view(parameters, [C, C]),
              bias: { tensor: parameters, offset: C * C, shape: [C] },
            };
            return (operations) => call(operations, of);
          },
        };
      }),
  };
}

/** Series of attention. products: multiply-adds for each channel and pair of a query and a key. */
export function attention(products: number, backward: boolean): TimedSeries {
  return {
    axis: 'context T',
    bound: 'compute',
    sizes: (software) =>
      CONTEXTS.map((T): SeriesSize => {
        const trajectories = Math.max(1, (software ? 1024 : 8192) / T);
        const R = trajectories * T;
        return {
          at: T,
          words: `${inDigits(trajectories)} × ${inDigits(T)} tokens, C = ${WIDTH}, ${HEADS} heads`,
          flops: products * R * WIDTH * (T + 1),
          bytes: 4 * R * WIDTH * (backward ? 8 : 4),
          tensors: [R * 3 * WIDTH],
          whole: true,
          build(backend) {
            const f32 = (label: string, stride: number) => filledTensor(backend, label, stride);
            const rows = rowsFor(backend, trajectories, T, 16);
            const [qkv, out] = [f32('qkv', R * 3 * WIDTH), f32('out', R * WIDTH)];
            const heads = evenHeads(WIDTH, HEADS);
            const logSumExp = filledTensor(backend, 'logSumExp', R * HEADS);
            if (!backward) return (operations) => operations.attention(out, logSumExp, qkv, null, rows, heads);
            const [dqkv, dOut] = [f32('dqkv', R * 3 * WIDTH), f32('dOut', R * WIDTH)];
            return (operations) => operations.attentionBackward(dqkv, dOut, out, logSumExp, qkv, rows, heads);
          },
        };
      }),
  };
}
