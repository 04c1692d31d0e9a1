/**
 * This lab's side of the comparison: the training step of the benchmark with cross-entropy on every token. Unlike the
 * other side it also computes the entropies and clips by the global norm.
 */
import type { CpuKind } from '../../src/foundation/cpuVariants';
import { acquireGpu } from '../../src/gpu/acquire';
import type { Backend } from '../../src/tensor/backend';
import { TERM, TERM_COLUMNS } from '../../src/tensor/columns';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { type StepSizes, trainingStep } from '../../src/train/bench/trainingStep';
import type { PeerStep } from './jaxStep';
import { drawTokens, LEARNING_RATE, type Shape } from './shapes';

export const sizesOf = (shape: Shape): StepSizes => ({
  policy: shape.policy,
  members: 1,
  trajectories: shape.batch,
  objective: 'cross-entropy',
  learningRate: LEARNING_RATE,
  tokens: drawTokens(shape),
});

export async function ourStep(kind: 'webgpu' | CpuKind, shape: Shape): Promise<PeerStep & { backend: Backend }> {
  const backend =
    kind === 'webgpu' ? createWebGpuBackend(await acquireGpu(navigator.gpu)) : await createCpuBackend({ kind });
  const made = trainingStep(backend, sizesOf(shape));
  const program = backend.record('step', 1, made.record);
  await backend.prepare();
  return {
    backend,
    async step() {
      backend.run(program);
      const [sums] = await backend.read(made.sums);
      // Already divided by the number of tokens.
      return sums.subarray(0, TERM_COLUMNS)[TERM.crossEntropyLoss] as number;
    },
  };
}
