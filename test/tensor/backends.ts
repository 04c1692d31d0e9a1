/**
 * Backends that the tensor tests, and those of test/check, run on. To add one, add a line with a name and a function that
 * makes it.
 */
import { afterAll, beforeAll } from 'vitest';
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { fuses } from '../../src/tensor/cpu/fuses';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { createWebGpuBackend, type KernelVariant } from '../../src/tensor/webgpu/backend';
import { sharedDevice } from '../support/gpu';

export const BACKENDS: readonly { readonly name: string; readonly create: () => Promise<Backend> }[] = [
  { name: 'reference, poisoned', create: async () => new ReferenceBackend({ poison: true }) },
  { name: 'cpu', create: async () => createCpuBackend() },
  // Not on processors that cannot: test/tensor/cpuFused.test.ts says whether this one can.
  ...(fuses() ? [{ name: 'cpu, fused', create: () => createCpuBackend({ kind: 'cpu-fused' }) }] : []),
  { name: 'webgpu, plain', create: () => webGpu('plain') },
  { name: 'webgpu, tiled', create: () => webGpu('tiled') },
];

/** Without the tiled matrix kernels, for operations that have none. */
export const UNTILED = BACKENDS.filter(({ name }) => name !== 'webgpu, tiled');

/** A backend that is there from the first test of its `describe` to the last. */
export function backendFor({ create }: (typeof BACKENDS)[number]): () => Backend {
  let backend: Backend;
  beforeAll(async () => {
    backend = await create();
  });
  afterAll(() => backend.dispose());
  return () => backend;
}

async function webGpu(variant: KernelVariant): Promise<Backend> {
  return createWebGpuBackend({ device: await sharedDevice(), software: true, variant });
}
