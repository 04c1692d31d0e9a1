/** The optimiser and the plumbing as dispatches; formulas are in the shaders of the same names. */
import type { Operations, Tensor } from '../backend';
import { ceilDivide, type Recorder, THREADS } from './recorder';
import { webGpuTensor } from './storage';

const flag = (value: unknown): number => (value ? 1 : 0);

/** Elements a workgroup handles. */
const NORM_BLOCK = 1024;
const REDUCE_BLOCK = 256;
const ADAMW_BLOCK = 512;

export function optimiserOperations(recorder: Recorder) {
  /** Pass over the elements of all members, four a thread, padding included. */
  const overAll = (name: string, tensors: { readonly out: Tensor; readonly source?: Tensor }, value?: number): void => {
    const quads = webGpuTensor(tensors.out).buffer.size / 16;
    const params = { quads, ...(value !== undefined && { value }) };
    recorder.once(name, quads, { tensors, params, flat: { each: 4 * THREADS, length: 4 * quads } });
  };
  return {
    reduceChunks(gradients, partials, chunks, { accumulate }) {
      recorder.dispatch('backward/reduce_chunks', {
        tensors: { gradients, partials },
        params: { length: gradients.stride, chunks, accumulate: flag(accumulate) },
        flat: { each: REDUCE_BLOCK, length: gradients.stride },
        groups: ceilDivide(gradients.stride, REDUCE_BLOCK),
      });
    },

    gradientNorm(norm, scratch, a, b) {
      const blocks = ceilDivide(a.stride, NORM_BLOCK);
      recorder.dispatch('optimiser/gradient_norm', {
        tensors: { out: scratch, a, b: b ?? a },
        params: { length: a.stride, block: NORM_BLOCK, subtract: flag(b), last: 0 },
        flat: { each: NORM_BLOCK, length: a.stride },
        groups: blocks,
      });
      recorder.wait({
        out: norm,
        alone: () =>
          recorder.dispatch('optimiser/gradient_norm', {
            tensors: { out: norm, a: scratch, b: scratch },
            params: { length: blocks, block: blocks, subtract: 0, last: 1 },
            groups: 1,
          }),
        stepping: (step, active) =>
          recorder.dispatch('optimiser/norm_step_tiled', {
            tensors: { norm, step, blocks: scratch, activeFlag: active },
            params: { length: blocks },
            groups: 1,
          }),
      });
    },

    adamW(parameters, firstMoment, secondMoment, step, gradients, norm, hyper, active) {
      const waiting = recorder.take(norm);
      if (waiting?.stepping !== undefined) waiting.stepping(step, active);
      else recorder.dispatch('optimiser/adamw_step', { tensors: { step, norm, activeFlag: active }, groups: 1 });
      recorder.dispatch('optimiser/adamw', {
        tensors: { parameters, firstMoment, secondMoment, step, gradients, norm, hyper, activeFlag: active },
        params: { length: parameters.stride },
        flat: { each: ADAMW_BLOCK, length: parameters.stride },
        groups: ceilDivide(parameters.stride, ADAMW_BLOCK),
      });
    },

    fill(tensor, value) {
      overAll('plumbing/fill', { out: tensor }, value);
    },

    copy(target, source) {
      overAll('plumbing/copy', { out: target, source });
    },

    copyMembers(target, source, active) {
      const length = target.stride;
      const tensors = { out: target, source, activeFlag: active };
      recorder.threads('plumbing/copy_members', length, {
        tensors,
        params: { length },
        flat: { each: THREADS, length },
      });
    },
  } satisfies Partial<Operations>;
}
