/**
 * The backends that engine tests run on. Each create() gives a fresh backend; the WebGPU ones share one device and so its
 * compiled pipelines. The reference is the oracle, and slow: it runs what needs an oracle. The tiled matrix kernels are not
 * among them: a software adapter takes 3 s for an update of the smallest preset with them (a member alone and microbatches,
 * the two tests that matter most, 50 s; they pass). The tensor tests run them operation by operation.
 */
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { sharedDevice } from './gpu';

export interface AvailableBackend {
  readonly name: string;
  create(): Promise<Backend>;
}

export const availableBackends: readonly AvailableBackend[] = [
  { name: 'cpu', create: () => createCpuBackend() },
  {
    name: 'webgpu',
    create: async () => createWebGpuBackend({ device: await sharedDevice(), software: true, variant: 'plain' }),
  },
];
