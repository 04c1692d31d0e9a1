// The browser of the tests runs WebGPU compute in a page and in a module Worker, where the trainer lives.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startChromium } from './chromium';

/** Self-contained source, evaluated in the page and again in the Worker. */
const sumOnGpu = `async () => {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice();
  const usage = GPUBufferUsage;
  const total = device.createBuffer({ size: 4, usage: usage.STORAGE | usage.COPY_SRC });
  const readback = device.createBuffer({ size: 4, usage: usage.MAP_READ | usage.COPY_DST });
  const module = device.createShaderModule({ code: \`
    @group(0) @binding(0) var<storage, read_write> total: u32;
    @compute @workgroup_size(1) fn main() { for (var i = 1u; i <= 100u; i++) { total += i; } }\` });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: total } }],
  }));
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(total, 0, readback, 0, 4);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ);
  return new Uint32Array(readback.getMappedRange())[0];
}`;

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await startChromium();
  page = await browser.newPage();
  await page.goto(inject('siteUrl'));
});

afterAll(() => browser?.close());

test('a compute shader runs in a page', async () => {
  expect(await page.evaluate(`(${sumOnGpu})()`)).toBe(5050);
});

test('a compute shader runs in a module Worker', async () => {
  const worker = `postMessage(await (${sumOnGpu})());`;
  const answer = page.evaluate((source) => {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    return new Promise((resolve, reject) => {
      const worker = new Worker(url, { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    });
  }, worker);
  expect(await answer).toBe(5050);
});
