/** Recording of the policy's backward operations and of the optimiser: sum over chunks, norm, AdamW. */
import type { Operations } from '../backend';
import { ACTIVATION_CODE, WEIGHT_CODE } from './kernels';
import type { CpuRecorder } from './recorder';

export function backwardOperations(recorder: CpuRecorder) {
  const { kernels, memory } = recorder;
  return {
    embedBackward(partials, dx, rows, tokens, positions) {
      const [V, C] = tokens.shape;
      const T = positions === null ? 0 : positions.shape[0];
      recorder.eachChunk(rows, ({ count, first, partial }) => {
        kernels.embedBackward(
          partial(partials, tokens),
          V,
          partial(partials, positions),
          T,
          first(dx, C),
          first(rows.table, 4),
          count,
          C,
        );
      });
    },

    layerNormBackward(dx, partials, dOut, x, stats, rows, gamma, beta, { accumulate }) {
      const C = gamma.shape[0];
      recorder.eachChunk(rows, ({ at, count, first, partial }) => {
        kernels.layerNormBackward(
          first(dx, C),
          partial(partials, gamma),
          partial(partials, beta),
          first(dOut, C),
          first(x, C),
          first(stats, 2),
          count,
          C,
          at(gamma),
          accumulate,
        );
      });
    },

    linearBackwardInput(dx, dOut, x, rows, weight, options) {
      const [K, N] = weight.shape;
      const activation = ACTIVATION_CODE[options?.inputActivation ?? 'none'];
      const accumulate = options?.accumulate ?? false;
      memory.needScratch(kernels.linearScratch(K, N));
      recorder.each(({ at, count }) => {
        kernels.linearBackwardInput(
          at(dx),
          at(dOut),
          at(x),
          count(rows),
          K,
          N,
          at(weight),
          WEIGHT_CODE[weight.tensor.type],
          activation,
          accumulate,
          memory.scratch,
        );
      });
    },

    linearBackwardWeight(partials, x, dOut, rows, weight, bias, options) {
      const [K, N] = weight.shape;
      const activation = ACTIVATION_CODE[options?.inputActivation ?? 'none'];
      memory.needScratch(kernels.linearWeightScratch(K, N));
      recorder.eachChunk(rows, ({ count, first, partial }) => {
        kernels.linearBackwardWeight(
          partial(partials, weight),
          partial(partials, bias),
          first(x, K),
          first(dOut, N),
          count,
          K,
          N,
          activation,
          memory.scratch,
        );
      });
    },

    attentionBackward(dqkv, dOut, out, logSumExp, qkv, rows, heads) {
      memory.needScratch(8 * (rows.capacity + 4));
      recorder.each(({ at, count }) => {
        kernels.attentionBackward(
          at(dqkv),
          at(dOut),
          at(out),
          at(logSumExp),
          at(qkv),
          at(rows.table),
          count(rows),
          heads.width,
          heads.queries,
          heads.keys,
          memory.scratch,
        );
      });
    },

    embedTiedBackward(partials, dx, rows, head) {
      const [C, V] = head.shape;
      recorder.eachChunk(rows, ({ count, first, partial }) => {
        kernels.embedTiedBackward(partial(partials, head), first(dx, C), first(rows.table, 4), count, C, V);
      });
    },

    rmsNormBackward(dx, partials, dOut, x, stats, rows, gamma, { accumulate }) {
      const C = gamma.shape[0];
      recorder.eachChunk(rows, ({ at, count, first, partial }) => {
        const [to, given, input, moments] = [first(dx, C), first(dOut, C), first(x, C), first(stats, 2)];
        const dGamma = partials === null ? 0 : partial(partials, gamma);
        kernels.rmsNormBackward(to, dGamma, given, input, moments, count, C, at(gamma), accumulate);
      });
    },

    swigluBackward(dx, dOut, x, rows) {
      const F = dOut.stride / rows.capacity;
      recorder.each(({ at, count }) => kernels.swigluBackward(at(dx), at(dOut), at(x), count(rows), F));
    },

    reduceChunks(gradients, partials, chunks, { accumulate }) {
      const N = gradients.stride;
      recorder.each(({ at, row }) => {
        const sum = at(gradients);
        if (!accumulate) kernels.fill(sum, N, 0);
        for (let chunk = 0; chunk < chunks; chunk++) kernels.add(sum, row(partials, chunk, N), N);
      });
    },

    gradientNorm(norm, _scratch, a, b) {
      recorder.each(({ at, setScalar }) => {
        const length = kernels.gradientNorm(at(a), b === null ? 0 : at(b), a.stride);
        setScalar(norm, length);
      });
    },

    adamW(parameters, firstMoment, secondMoment, step, gradients, norm, hyper, active) {
      recorder.each(({ at, scalar, word }) => {
        const ownNorm = scalar(norm);
        const first = word(active) - 1;
        if (first < 0 || !Number.isFinite(ownNorm)) return;
        const from = (tensor: typeof parameters): number => at(tensor) + first * Float32Array.BYTES_PER_ELEMENT;
        kernels.adamW(
          from(parameters),
          from(firstMoment),
          from(secondMoment),
          at(step),
          from(gradients),
          ownNorm,
          at(hyper),
          parameters.stride - first,
        );
      });
    },
  } satisfies Partial<Operations>;
}
