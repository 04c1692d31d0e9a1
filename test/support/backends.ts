/**
 * Backends that engine tests run on. Each create() gives a fresh backend; the WebGPU ones share one device and so its
 * compiled pipelines. The reference is slow and runs only where an oracle is needed. The tiled matrix kernels are left
 * out: with them a software adapter takes 3 s for an update of the smallest preset, and 50 s for the tests of a member
 * alone and of microbatches, which pass. The tensor tests run these kernels operation by operation.
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
