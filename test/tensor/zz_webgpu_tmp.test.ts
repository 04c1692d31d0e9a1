import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend } from '../../src/tensor/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { sharedDevice } from '../support/gpu';
import { CASES, differences, runCase } from './cases';

const BACKENDS: readonly { readonly name: string; readonly create: () => Promise<Backend> }[] = [
  {
    name: 'webgpu, plain',
    create: async () => createWebGpuBackend({ device: await sharedDevice(), software: true, variant: 'plain' }),
  },
  {
    name: 'webgpu, tiled',
    create: async () => createWebGpuBackend({ device: await sharedDevice(), software: true, variant: 'tiled' }),
  },
];
const oracle = new ReferenceBackend();
describe.each(BACKENDS)('$name', ({ create }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await create();
  });
  afterAll(() => {
    backend.dispose();
  });
  test.each(CASES)('$name agrees with the reference', async (parityCase) => {
    const expected = await runCase(oracle, parityCase);
    const found = differences(parityCase, await runCase(backend, parityCase), expected);
    expect(found.slice(0, 10), `${found.length} differences`).toEqual([]);
  });
});
