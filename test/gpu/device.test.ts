// Acquiring a device and its errors, pipelines, and reading back. Loss is tested on a device of its own.
import { describe, expect, test } from 'vitest';
import { LabError } from '../../src/foundation/errors';
import { acquireGpu, describeAdapter, isSoftware } from '../../src/gpu/acquire';
import { USAGE } from '../../src/gpu/constants';
import { defineKernel } from '../../src/gpu/kernel';
import { ReadbackRing, type ReadbackSource } from '../../src/gpu/readback';
import { gpuState } from '../../src/gpu/state';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { sharedDevice, sharedGpu } from '../support/gpu';

const adapterInfo = (fields: Partial<GPUAdapterInfo>): GPUAdapterInfo =>
  ({
    vendor: '',
    architecture: '',
    device: '',
    description: '',
    isFallbackAdapter: false,
    ...fields,
  }) as GPUAdapterInfo;

const kernel = (name: string, body: string) =>
  defineKernel(
    name,
    new Map([
      [
        name,
        `struct Params { n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1)
fn main() { ${body} }`,
      ],
    ]),
  );

describe('Acquiring a GPU', () => {
  test('says when there is no WebGPU, and when there is no adapter', async () => {
    await expect(acquireGpu(undefined)).rejects.toMatchObject({ name: 'LabError', code: 'no-webgpu' });
    const empty = { requestAdapter: () => Promise.resolve(null) } as unknown as GPU;
    await expect(acquireGpu(empty)).rejects.toMatchObject({ name: 'LabError', code: 'no-adapter' });
  });

  test('tells software adapters from GPUs, and names them', () => {
    expect(isSoftware(adapterInfo({ vendor: 'google', architecture: 'swiftshader' }))).toBe(true);
    expect(isSoftware(adapterInfo({ description: 'llvmpipe (LLVM 15.0.6, 256 bits)' }))).toBe(true);
    expect(isSoftware(adapterInfo({ isFallbackAdapter: true }))).toBe(true);
    expect(isSoftware(adapterInfo({ vendor: 'apple', architecture: 'metal-3' }))).toBe(false);
    expect(describeAdapter(adapterInfo({ vendor: 'apple', architecture: 'metal-3' }))).toBe('apple metal-3');
    expect(describeAdapter(adapterInfo({ vendor: 'google', architecture: 'swiftshader' }))).toBe(
      'SwiftShader (software)',
    );
  });

  test("asks for the adapter's own limits, and a lost device becomes a LabError", async () => {
    const { gpu, adapter } = await sharedGpu();
    const acquired = await acquireGpu(gpu);
    expect(acquired.device.limits.maxBufferSize).toBe(adapter.limits.maxBufferSize);
    const backend = createWebGpuBackend(acquired);
    const tensor = backend.tensor('x', 'f32', 1, 4);
    acquired.device.destroy();
    const error = await backend.lost;
    expect(error).toBeInstanceOf(LabError);
    expect(error.code).toBe('device-lost');
    await expect(backend.read(tensor)).rejects.toMatchObject({ code: 'device-lost' });
    expect(() => backend.write(tensor, new Float32Array(4))).toThrow(error);
  });

  test('a device that is released is not lost', async () => {
    const { gpu } = await sharedGpu();
    const acquired = await acquireGpu(gpu);
    createWebGpuBackend(acquired).dispose();
    await acquired.device.lost;
    const waited = await Promise.race([acquired.state.errors.lost, new Promise((resolve) => setTimeout(resolve, 20))]);
    expect(waited).toBeUndefined();
  });
});

describe('The pipeline cache', () => {
  test('compiles the same text once, and shares a compilation in flight', async () => {
    const { pipelines } = gpuState(await sharedDevice());
    const entry = pipelines.entry(kernel('one.wgsl', 'out[0] = f32(params.n);'));
    expect(pipelines.entry(kernel('one.wgsl', 'out[0] = f32(params.n);'))).toBe(entry);
    const compiling = pipelines.compile(entry);
    expect(pipelines.compile(entry)).toBe(compiling);
    await compiling;
    expect(entry.pipeline).not.toBeNull();
  });

  test("reports the compiler's words with the line they are about", async () => {
    const { pipelines } = gpuState(await sharedDevice());
    const entry = pipelines.entry(kernel('wrong.wgsl', 'out[0] = params.n;'));
    const error = await pipelines.compile(entry).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: 'LabError', code: 'shader-compilation' });
    expect(String(error)).toContain('wrong.wgsl:5:');
    expect(String(error)).toContain('fn main() { out[0] = params.n; }');
  });
});

/** Buffer of `length` floats that count up from `length`. */
function counting(device: GPUDevice, length: number): ReadbackSource {
  const buffer = device.createBuffer({ size: 4 * length, usage: USAGE.copySource | USAGE.copyTarget });
  device.queue.writeBuffer(
    buffer,
    0,
    Float32Array.from({ length }, (_, i) => length + i),
  );
  return { buffer, bytes: 4 * length };
}

describe('Reading back', () => {
  test('brings several buffers in one go and uses its staging memory again', async () => {
    const device = await sharedDevice();
    const readback = new ReadbackRing(device, gpuState(device).errors);
    const buffers = [3, 5].map((length) => counting(device, length));
    await readback.read(buffers);
    expect(readback.waiting).toBe(1);
    const results = await Promise.all([readback.read(buffers), readback.read(buffers)]);
    expect(readback.waiting).toBe(2);
    for (const result of results) {
      expect(result.map((bytes) => [...new Float32Array(bytes)])).toEqual([
        [3, 4, 5],
        [5, 6, 7, 8, 9],
      ]);
    }
    for (const { buffer } of buffers) buffer.destroy();
  });

  test('takes several staging buffers where one may not be so long', async () => {
    const device = await sharedDevice();
    const readback = new ReadbackRing(device, gpuState(device).errors, 300);
    const lengths = [30, 40, 70, 75, 2];
    const buffers = lengths.map((length) => counting(device, length));
    const results = await readback.read(buffers);
    expect(readback.waiting).toBe(4);
    expect(results.map((bytes) => [...new Float32Array(bytes)])).toEqual(
      lengths.map((length) => Array.from({ length }, (_, i) => length + i)),
    );
    for (const { buffer } of buffers) buffer.destroy();
  });
});
