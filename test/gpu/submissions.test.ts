/** Submissions of the WebGPU backend, as the device hears of them, and as they are counted without a device. */
import { expect, test } from 'vitest';
import type { Backend, Program } from '../../src/tensor/backend';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { countRequests } from '../../src/train/bench/counts';
import { altered } from '../support/faultyGpu';
import { sharedDevice } from '../support/gpu';

/** A backend of a GPU whose submissions are noted, each with its number of command buffers; `works`: they are carried out too. */
async function noted(works: boolean): Promise<{ backend: Backend; submissions: number[]; take: () => number }> {
  const device = await sharedDevice();
  const submissions: number[] = [];
  const queue = altered(device.queue, {
    submit(commands: GPUCommandBuffer[]) {
      submissions.push(commands.length);
      device.queue.submit(works ? commands : []);
    },
  });
  const gpu = createWebGpuBackend({ device: altered(device, { queue }), software: false });
  const { backend, take } = countRequests(gpu);
  return { backend, submissions, take: () => take().submissions };
}

async function filling(backend: Backend) {
  const tensor = backend.tensor('x', 'f32', 1, 4);
  const program = backend.record('fill', 1, (ops) => ops.fill(tensor, 7));
  await backend.prepare();
  return { tensor, program };
}

test('a read is submitted with the run before it, unless something was written or awaited between', async () => {
  const { backend, submissions, take } = await noted(true);
  const { tensor, program } = await filling(backend);
  take();
  backend.run(program);
  expect(submissions).toEqual([]);
  expect(Array.from((await backend.read(tensor))[0])).toEqual([7, 7, 7, 7]);
  expect([submissions.splice(0), take()]).toEqual([[2], 1]);
  backend.run(program);
  backend.write(tensor, Float32Array.of(1, 2, 3, 4));
  expect(Array.from((await backend.read(tensor))[0])).toEqual([1, 2, 3, 4]);
  expect([submissions.splice(0), take()]).toEqual([[1, 1], 2]);
  backend.run(program);
  await null;
  expect(submissions).toEqual([1]);
  await backend.read(tensor);
  expect([submissions.splice(0), take()]).toEqual([[1, 1], 2]);
  backend.run(program);
  backend.dispose();
  await null;
  expect(submissions).toEqual([1]);
});

test('what takes a slow GPU longer than 100 ms is submitted in parts, and counted so', async () => {
  const { backend, submissions, take } = await noted(false);
  const [rows, side] = [8192, 512];
  const x = backend.tensor('x', 'f32', 1, rows * side);
  const out = backend.tensor('out', 'f32', 1, rows * side);
  const parameters = backend.tensor('parameters', 'f32', 1, side * side + side);
  const table = backend.tensor('rows', 'u32', 1, 4 * rows);
  const count = backend.tensor('rowCount', 'u32', 1, 1);
  const weight = { tensor: parameters, offset: 0, shape: [side, side] };
  const bias = { tensor: parameters, offset: side * side, shape: [side] };
  const program: Program = backend.record('products', 1, (ops) => {
    for (let i = 0; i < 6; i++) ops.linear(out, x, { table, count, capacity: rows }, weight, bias, {});
  });
  expect(program.flops).toEqual(new Array(6).fill(2 * rows * side * side));
  const most = Math.floor(backend.limits.maxSubmissionFlops / (2 * rows * side * side));
  await backend.prepare();
  take();
  backend.run(program);
  await null;
  expect(submissions).toEqual(new Array(Math.ceil(6 / most)).fill(1));
  expect(submissions.length).toBeGreaterThan(1);
  expect(take()).toBe(submissions.length);
  backend.dispose();
});
