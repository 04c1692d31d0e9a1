/** Recording of the policy's backward operations and of what is done with gradients: sum over chunks, norm, AdamW. */
import type { Operations } from '../backend';
import { ACTIVATION_CODE } from './kernels';
import type { Recorder } from './recorder';

export function backwardOperations(recorder: Recorder) {
  const { kernels, memory } = recorder;
  return {
    embedBackward(partials, dx, rows, tokens, positions) {
      const [V, C] = tokens.shape;
      const T = positions === null ? 0 : positions.shape[0];
      recorder.eachChunk(rows, (p, chunk, first, count) => {
        kernels.embedBackward(
          recorder.partial(partials, tokens, p, chunk),
          V,
          recorder.partial(partials, positions, p, chunk),
          T,
          recorder.row(dx, p, first, C),
          recorder.row(rows.table, p, first, 4),
          count,
          C,
        );
      });
    },

    layerNormBackward(dx, partials, dOut, x, stats, rows, gamma, beta, { accumulate }) {
      const C = gamma.shape[0];
      recorder.eachChunk(rows, (p, chunk, first, count) => {
        kernels.layerNormBackward(
          recorder.row(dx, p, first, C),
          recorder.partial(partials, gamma, p, chunk),
          recorder.partial(partials, beta, p, chunk),
          recorder.row(dOut, p, first, C),
          recorder.row(x, p, first, C),
          recorder.row(stats, p, first, 2),
          count,
          C,
          recorder.parameter(gamma, p),
          accumulate,
        );
      });
    },

    linearBackwardInput(dx, dOut, x, rows, weight, options) {
      const [K, N] = weight.shape;
      const activation = ACTIVATION_CODE[options?.inputActivation ?? 'none'];
      const accumulate = options?.accumulate ?? false;
      memory.needScratch(kernels.linearScratch(K, N));
      recorder.each((p) => {
        kernels.linearBackwardInput(
          recorder.at(dx, p),
          recorder.at(dOut, p),
          recorder.at(x, p),
          recorder.count(rows, p),
          K,
          N,
          recorder.parameter(weight, p),
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
      recorder.eachChunk(rows, (p, chunk, first, count) => {
        kernels.linearBackwardWeight(
          recorder.partial(partials, weight, p, chunk),
          recorder.partial(partials, bias, p, chunk),
          recorder.row(x, p, first, K),
          recorder.row(dOut, p, first, N),
          count,
          K,
          N,
          activation,
          memory.scratch,
        );
      });
    },

    attentionBackward(dqkv, dOut, out, logSumExp, qkv, rows, heads) {
      const C = out.stride / rows.capacity;
      const scratchFloats = (rows.capacity + 7) & ~3;
      memory.needScratch(2 * scratchFloats);
      recorder.each((p) => {
        kernels.attentionBackward(
          recorder.at(dqkv, p),
          recorder.at(dOut, p),
          recorder.at(out, p),
          recorder.at(logSumExp, p),
          recorder.at(qkv, p),
          recorder.at(rows.table, p),
          recorder.count(rows, p),
          C,
          heads,
          memory.scratch,
          scratchFloats * 4,
        );
      });
    },

    reduceChunks(gradients, partials, chunks, { accumulate }) {
      const N = gradients.stride;
      recorder.each((p) => {
        const sum = recorder.at(gradients, p);
        if (!accumulate) kernels.fill(sum, N, 0);
        for (let chunk = 0; chunk < chunks; chunk++) kernels.add(sum, recorder.row(partials, p, chunk, N), N);
      });
    },

    gradientNorm(norm, _scratch, a, b) {
      recorder.each((p) => {
        const length = kernels.gradientNorm(recorder.at(a, p), b === null ? 0 : recorder.at(b, p), a.stride);
        recorder.setScalar(norm, p, length);
      });
    },

    adamW(parameters, firstMoment, secondMoment, step, gradients, norm, hyper, active) {
      recorder.each((p) => {
        const ownNorm = recorder.scalar(norm, p);
        if (recorder.word(active, p) === 0 || !Number.isFinite(ownNorm)) return;
        kernels.adamW(
          recorder.at(parameters, p),
          recorder.at(firstMoment, p),
          recorder.at(secondMoment, p),
          recorder.at(step, p),
          recorder.at(gradients, p),
          ownNorm,
          recorder.at(hyper, p),
          parameters.stride,
        );
      });
    },
  } satisfies Partial<Operations>;
}
