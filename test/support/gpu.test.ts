// The shared device of the kernel tests computes, and the support code says what computes.
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { sharedGpu } from './gpu';

const doubling = /* wgsl */ `
  @group(0) @binding(0) var<storage, read_write> values: array<f32>;
  @compute @workgroup_size(64)
  fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&values)) { values[id.x] = 2.0 * values[id.x]; }
  }`;

test('a compute shader runs in Node', async () => {
  const { device, description } = await sharedGpu();
  console.log(`kernel tests run on: ${description}`);
  const size = 4 * 100;
  const values = device.createBuffer({
    size,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
  });
  const readback = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(
    values,
    0,
    Float32Array.from({ length: 100 }, (_, i) => i),
  );
  const module = device.createShaderModule({ code: doubling });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
  const bindGroup = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: values } }],
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, bindGroup);
  pass.dispatchWorkgroups(2);
  pass.end();
  encoder.copyBufferToBuffer(values, 0, readback, 0, size);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ);
  const result = [...new Float32Array(readback.getMappedRange())];
  readback.destroy();
  values.destroy();
  expect(result).toEqual(Array.from({ length: 100 }, (_, i) => 2 * i));
});

test('every test of this process gets the same device', async () => {
  expect((await sharedGpu()).device).toBe((await sharedGpu()).device);
});

test.skipIf(process.env.UNMASK_TEST_GPU === '1')('waiting for the software GPU leaves the cores to it', async () => {
  const { device } = await sharedGpu();
  const code = /* wgsl */ `
    @group(0) @binding(0) var<storage, read_write> sums: array<f32, 64>;
    @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) at: u32) {
      for (var i = 0u; i < 500000u; i++) { sums[at] += f32(i); }
    }`;
  const module = device.createShaderModule({ code });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
  const resource = { buffer: device.createBuffer({ size: 256, usage: GPUBufferUsage.STORAGE }) };
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource }] }),
  );
  pass.dispatchWorkgroups(1);
  pass.end();
  const before = performance.eventLoopUtilization();
  device.queue.submit([encoder.finish()]);
  await device.queue.onSubmittedWorkDone();
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});
