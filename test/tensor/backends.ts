/**
 * The backends that the tensor tests run on: parity.test.ts and fixtures.test.ts go through this list. To add one, add a
 * line with a name and a function that makes it, for example
 *   { name: 'cpu', create: async () => createCpuBackend() },
 *   { name: 'webgpu, plain', create: async () => createWebGpuBackend({ gpu: await nodeGpu(), variant: 'plain' }) },
 */
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';

export const BACKENDS: readonly { readonly name: string; readonly create: () => Promise<Backend> }[] = [
  { name: 'reference, poisoned', create: async () => new ReferenceBackend({ poison: true }) },
  { name: 'cpu', create: async () => createCpuBackend() },
];
