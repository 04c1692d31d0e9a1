/**
 * What is timed: an operation at several sizes, with the least it must move and compute there. Rows are whole
 * trajectories, all of whose tokens but the first are targets; what the tensors hold does not matter for the time, except
 * that no derivative is 0, because kernels skip those.
 */
import { ROLE } from '../../foundation/roles';
import type { Backend, Operations, ParameterView, Sequences, Tensor } from '../../tensor/backend';
import { GRADIENT_CHUNK, HYPER, HYPER_COLUMNS, packMeta, ROW_FIELDS } from '../../tensor/layout';
import type { SweepName } from './report';

export interface Size {
  readonly at: number;
  /** "V = 4,096, 2,048 rows". */
  readonly words: string;
  readonly flops: number;
  readonly bytes: number;
  /** Elements of the tensors that count, to know beforehand whether they fit. */
  readonly tensors: readonly number[];
  /** One dispatch does it all: what would take a slow device too long is left out. */
  readonly whole: boolean;
  /** Allocates, and says what to record. */
  build(backend: Backend): (operations: Operations) => void;
}

export interface Sweep {
  readonly axis: string;
  readonly bound: 'compute' | 'memory';
  sizes(software: boolean): readonly Size[];
}

const VOCABULARIES = [48, 256, 1024, 4096, 16_384, 65_536, 151_936];
const WIDTHS = [64, 128, 256, 512, 1024, 2048];
const CONTEXTS = [64, 128, 256, 512, 1024];
const PARAMETERS = [12, 14, 16, 18, 20, 22, 24].map((power) => 2 ** power);
const COPIES = [12, 14, 16, 18, 20, 22, 24, 26].map((power) => 2 ** power);
/** Of the policy whose head is fused with the log-prob, and of the attention: a small policy's. */
const WIDTH = 64;
const HEADS = 4;

const written = (value: number): string => value.toLocaleString('en');

/** Numbers that are not all the same, quickly. */
function filled(backend: Backend, label: string, stride: number, scale = 0.5): Tensor<'f32'> {
  const tensor = backend.tensor(label, 'f32', 1, stride);
  const block = Float32Array.from({ length: Math.min(stride, 2 ** 16) }, (_, i) => Math.sin(i * 0.37 + 0.1) * scale);
  for (let at = 0; at < stride; at += block.length) {
    backend.write(tensor, at + block.length > stride ? block.subarray(0, stride - at) : block, at);
  }
  return tensor;
}

function rowsFor(backend: Backend, trajectories: number, length: number, vocabulary: number): Sequences {
  const capacity = trajectories * length;
  const data = new Uint32Array(capacity * ROW_FIELDS);
  for (let r = 0; r < capacity; r++) {
    const s = Math.floor(r / length);
    data.set([(r * 7) % vocabulary, r % length, s * length, packMeta(ROLE.observation, 0, s)], r * ROW_FIELDS);
  }
  const u32 = (label: string, values: Uint32Array): Tensor<'u32'> => {
    const tensor = backend.tensor(label, 'u32', 1, values.length);
    backend.write(tensor, values);
    return tensor;
  };
  return {
    table: u32('table', data),
    count: u32('count', Uint32Array.of(capacity)),
    start: u32(
      'start',
      Uint32Array.from({ length: trajectories + 1 }, (_, s) => s * length),
    ),
    capacity,
    sequences: trajectories,
  };
}

/** Everything legal, temperature 1, and weights that make every target needed. */
function settings(backend: Backend, vocabulary: number): { hyper: Tensor<'f32'>; legalSets: Tensor<'u32'> } {
  const hyper = backend.tensor('hyper', 'f32', 1, HYPER_COLUMNS);
  const row = new Float32Array(HYPER_COLUMNS);
  row[HYPER.temperature] = 1;
  row[HYPER.learningRate] = 1e-4;
  row[HYPER.beta1] = 0.9;
  row[HYPER.beta2] = 0.999;
  row[HYPER.epsilon] = 1e-8;
  row[HYPER.maxGradNorm] = 1;
  row[HYPER.crossEntropy + ROLE.observation] = 1;
  backend.write(hyper, row);
  const words = Math.ceil(vocabulary / 32);
  const legalSets = backend.tensor('legalSets', 'u32', 1, words);
  const legal = new Uint32Array(words).fill(0xffffffff);
  if (vocabulary % 32 !== 0) legal[words - 1] = 2 ** (vocabulary % 32) - 1;
  backend.write(legalSets, legal);
  return { hyper, legalSets };
}

const view = (tensor: Tensor<'f32'>, shape: readonly number[]): ParameterView => ({ tensor, offset: 0, shape });

/** Rows of logits of about as much memory at every vocabulary, in trajectories of 16. */
const TRAJECTORY = 16;
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

/** Operations on logits, each of which is read (and written) `passes` times. */
function onLogits(passes: number, call: LogProbCall): Sweep {
  return {
    axis: 'vocabulary V',
    bound: 'memory',
    sizes: (software) =>
      VOCABULARIES.map((V): Size => {
        // 128 MiB are what the smallest GPUs allow a tensor.
        const trajectories = trajectoriesFor(V, software ? 2 ** 22 : 2 ** 25);
        const R = trajectories * TRAJECTORY;
        return {
          at: V,
          words: `V = ${written(V)}, ${written(R)} rows`,
          flops: 0,
          bytes: 4 * passes * R * V,
          tensors: [R * V],
          whole: false,
          build(backend) {
            const f32 = (label: string, stride: number) => filled(backend, label, stride);
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

/** `products`: multiply-adds for each hidden channel, row and token. */
function fused(products: number, call: 'fusedLogProb' | 'fusedLogProbBackward'): Sweep {
  return {
    axis: 'vocabulary V',
    bound: 'compute',
    sizes: (software) =>
      VOCABULARIES.map((V): Size => {
        // Software takes seconds for what a GPU does at once.
        const length = software ? TRAJECTORY / 2 : TRAJECTORY;
        const trajectories = trajectoriesFor(V, software ? 2 ** 19 : 2 ** 25);
        const R = trajectories * length;
        const N = WIDTH * V;
        const chunks = Math.ceil(trajectories / GRADIENT_CHUNK);
        const backward = call === 'fusedLogProbBackward';
        return {
          at: V,
          words: `V = ${written(V)}, ${written(R)} rows, C = ${WIDTH}`,
          flops: 2 * products * R * WIDTH * V,
          bytes: 4 * (N + R * WIDTH * (backward ? 2 : 1) + (backward ? chunks * N : 0)),
          tensors: backward ? [N, chunks * N] : [N],
          whole: false,
          build(backend) {
            const f32 = (label: string, stride: number) => filled(backend, label, stride);
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

function matrix(call: MatrixCall): Sweep {
  return {
    axis: 'width C, a square weight',
    bound: 'compute',
    sizes: (software) =>
      WIDTHS.map((C): Size => {
        const most = software ? 256 : 1024;
        const R = Math.max(64, Math.min(most, 2 ** 31 / C ** 2));
        const trajectories = R / TRAJECTORY;
        const chunks = Math.ceil(trajectories / GRADIENT_CHUNK);
        const N = C * C + C;
        return {
          at: C,
          words: `${written(R)} × ${written(C)} · ${written(C)} × ${written(C)}`,
          flops: 2 * R * C * C,
          bytes: 4 * (2 * R * C + C * C),
          tensors: [R * C, R * C, N, chunks * N],
          whole: true,
          build(backend) {
            const parameters = filled(backend, 'parameters', N);
            const of = {
              rows: rowsFor(backend, trajectories, TRAJECTORY, 16),
              x: filled(backend, 'x', R * C),
              out: filled(backend, 'out', R * C),
              partials: filled(backend, 'partials', chunks * N),
              weight: view(parameters, [C, C]),
              bias: { tensor: parameters, offset: C * C, shape: [C] },
            };
            return (operations) => call(operations, of);
          },
        };
      }),
  };
}

/** `products`: multiply-adds of a head's channels for each pair of a query and a key. */
function attention(products: number, backward: boolean): Sweep {
  return {
    axis: 'context T',
    bound: 'compute',
    sizes: (software) =>
      CONTEXTS.map((T): Size => {
        const trajectories = Math.max(1, (software ? 1024 : 8192) / T);
        const R = trajectories * T;
        return {
          at: T,
          words: `${written(trajectories)} × ${written(T)} tokens, C = ${WIDTH}, ${HEADS} heads`,
          flops: products * R * WIDTH * (T + 1),
          bytes: 4 * R * WIDTH * (backward ? 8 : 4),
          tensors: [R * 3 * WIDTH],
          whole: true,
          build(backend) {
            const f32 = (label: string, stride: number) => filled(backend, label, stride);
            const rows = rowsFor(backend, trajectories, T, 16);
            const [qkv, out] = [f32('qkv', R * 3 * WIDTH), f32('out', R * WIDTH)];
            const logSumExp = filled(backend, 'logSumExp', R * HEADS);
            if (!backward) return (operations) => operations.attention(out, logSumExp, qkv, null, rows, HEADS);
            const [dqkv, dOut] = [f32('dqkv', R * 3 * WIDTH), f32('dOut', R * WIDTH)];
            return (operations) => operations.attentionBackward(dqkv, dOut, out, logSumExp, qkv, rows, HEADS);
          },
        };
      }),
  };
}

const adamW: Sweep = {
  axis: 'parameters N',
  bound: 'memory',
  sizes: () =>
    PARAMETERS.map(
      (N): Size => ({
        at: N,
        words: `N = ${written(N)}`,
        flops: 15 * N,
        bytes: 28 * N,
        tensors: [N, N, N, N],
        whole: false,
        build(backend) {
          const f32 = (label: string, stride: number) => filled(backend, label, stride);
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

const copy: Sweep = {
  axis: 'elements',
  bound: 'memory',
  sizes: () =>
    COPIES.map(
      (n): Size => ({
        at: n,
        words: `${written((4 * n) / 1024)} KiB`,
        flops: 0,
        bytes: 8 * n,
        tensors: [n, n],
        whole: false,
        build(backend) {
          const [target, source] = [backend.tensor('target', 'f32', 1, n), filled(backend, 'source', n)];
          return (operations) => operations.copy(target, source);
        },
      }),
    ),
};

export const SWEEP: Readonly<Record<SweepName, Sweep>> = {
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
  fusedLogProb: fused(1, 'fusedLogProb'),
  // Both halves of the gradient compute the logits again.
  fusedLogProbBackward: fused(4, 'fusedLogProbBackward'),
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
