// The WebGPU backend apart from its operations: limits, errors, grids too long for one axis, and dispose.
import { afterAll, describe, expect, test } from 'vitest';
import { MAX_GRID } from '../../src/gpu/constants';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { codeOf } from '../support/codeOf';
import { altered } from '../support/faultyGpu';
import { sharedDevice } from '../support/gpu';

const backend = createWebGpuBackend({ device: await sharedDevice(), software: true });
afterAll(() => {
  backend.dispose();
});

describe('The WebGPU backend', () => {
  test('chooses the barrier-free kernels for software and the tiled ones for a GPU', async () => {
    expect(backend.variant).toBe('plain');
    expect(createWebGpuBackend({ device: await sharedDevice(), software: false }).variant).toBe('tiled');
  });

  test('gives a GPU up to two gigabytes, and no more than two of its largest buffers', async () => {
    const device = await sharedDevice();
    const given = (maxBufferSize: number): number => {
      const of = altered(device, { limits: altered(device.limits, { maxBufferSize }) });
      return createWebGpuBackend({ device: of, software: false }).limits.memoryBudgetBytes / 2 ** 20;
    };
    expect([256, 1024, 4096].map((mebibytes) => given(mebibytes * 2 ** 20))).toEqual([512, 2048, 2048]);
  });

  test('refuses tensors that are too large, or of too many members, before it asks the GPU', () => {
    const { maxTensorBytes } = backend.limits;
    expect(codeOf(() => backend.tensor('large', 'f32', 1, maxTensorBytes / 4 + 1))).toBe('limits');
    expect(codeOf(() => backend.tensor('crowd', 'f32', 10_000, 1))).toBe('limits');
  });

  test('refuses to write past the end of a tensor', () => {
    const tensor = backend.tensor('small', 'f32', 2, 3);
    expect(codeOf(() => backend.write(tensor, new Float32Array(4), 3))).toBe('internal');
  });

  test('takes float64 values and values in shared memory', async () => {
    const tensor = backend.tensor('mixed', 'f32', 1, 4);
    backend.write(tensor, Float64Array.of(0.1, 0.2));
    backend.write(tensor, new Float32Array(new SharedArrayBuffer(8)).fill(7), 2);
    const [values] = await backend.read(tensor);
    expect([...values]).toEqual([Math.fround(0.1), Math.fround(0.2), 7, 7]);
  });

  test('says so when a program runs before it was compiled', () => {
    const fresh = backend.record('gathers', 1, (operations) => {
      const picks = { table: backend.tensor('t', 'u32', 1, 4), count: backend.tensor('c', 'u32', 1, 1), capacity: 1 };
      operations.gatherRows(backend.tensor('out', 'f32', 1, 4), backend.tensor('x', 'f32', 1, 4), picks);
    });
    const compiled = codeOf(() => backend.run(fresh));
    // Another test of this process may have compiled the kernel already.
    expect(['internal', null]).toContain(compiled);
  });

  test('folds a grid that is too long for one axis', async () => {
    const elements = 4 * 64 * (MAX_GRID + 2);
    const tensor = backend.tensor('long', 'f32', 1, elements);
    const program = backend.record('fill', 1, (operations) => operations.fill(tensor, 3));
    const steps: number[] = [];
    await backend.prepare((done, total) => steps.push(done / Math.max(total, 1)));
    backend.run(program);
    const [values] = await backend.read(tensor);
    expect(values.every((value) => value === 3)).toBe(true);
    expect(steps.at(-1)).toBe(steps.length > 1 ? 1 : 0);
  });

  test('frees its tensors and then refuses to work', async () => {
    const other = createWebGpuBackend({ device: await sharedDevice(), software: true });
    other.tensor('x', 'f32', 1, 1000);
    expect(other.allocatedBytes).toBe(4000);
    other.dispose();
    expect(other.allocatedBytes).toBe(0);
    expect(codeOf(() => other.tensor('y', 'f32', 1, 4))).toBe('internal');
  });
});
