// Functions of shaders agree with their counterparts in TypeScript, and shader files keep the project's rules.
import { describe, expect, test } from 'vitest';
import { philox4x32, toUnitFloat } from '../../src/foundation/philox';
import { USAGE } from '../../src/gpu/constants';
import { defineKernel } from '../../src/gpu/kernel';
import { gpuState } from '../../src/gpu/state';
import { SHADERS } from '../../src/tensor/webgpu/shaders';
import { sharedDevice } from '../support/gpu';

describe('The shader files', () => {
  test('are all used: a kernel, or part of one', () => {
    const included = new Set(
      [...SHADERS.values()].flatMap((text) => [...text.matchAll(/#include "([^"]+)"/g)].map(([, name]) => name)),
    );
    const unused = [...SHADERS].filter(([name, text]) => !text.includes('@compute') && !included.has(name));
    expect(unused.map(([name]) => name)).toEqual([]);
  });

  test.each([...SHADERS.entries()])('%s opens with what it computes', (_, text) => {
    expect(text).toMatch(/^\/\/ /);
    if (text.includes('@compute'))
      expect(text.split('\n').slice(0, 8).join('\n')).toMatch(/[Oo]ne |a thread|workgroup/);
  });

  test.each([...SHADERS.entries()])('%s fits into 120 columns', (_, text) => {
    expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });
});

test('philox.wgsl draws what philox.ts draws', async () => {
  const COUNT = 64;
  const files = new Map(SHADERS);
  files.set(
    'draw.wgsl',
    `// #include "lib/philox.wgsl"
    struct Params { count: u32 }
    @group(0) @binding(0) var<uniform> params: Params;
    @group(0) @binding(1) var<storage, read_write> words: array<vec4u>;
    @group(0) @binding(2) var<storage, read_write> units: array<f32>;
    @compute @workgroup_size(64)
    fn main(@builtin(local_invocation_index) i: u32) {
      words[i] = philox4x32(vec4u(i, i * 0x9e3779b9u, 0xffffffffu - i, i * i), vec2u(i << 24u, 0xdeadbeefu ^ i));
      units[i] = toUnitFloat(words[i].x);
    }`,
  );
  const device = await sharedDevice();
  const { pipelines, readback } = gpuState(device);
  const compiled = pipelines.entry(defineKernel('draw.wgsl', files));
  await pipelines.compile(compiled);
  const usage = USAGE.storage | USAGE.copySource;
  const words = device.createBuffer({ size: 16 * COUNT, usage });
  const units = device.createBuffer({ size: 4 * COUNT, usage });
  const params = device.createBuffer({ size: 16, usage: USAGE.uniform });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  if (!compiled.pipeline) throw new Error('Not compiled.');
  pass.setPipeline(compiled.pipeline);
  const entries = [params, words, units].map((buffer, binding) => ({ binding, resource: { buffer } }));
  pass.setBindGroup(0, device.createBindGroup({ layout: compiled.layout, entries }));
  pass.dispatchWorkgroups(1);
  pass.end();
  device.queue.submit([encoder.finish()]);
  const [gotWords, gotUnits] = await readback.read([
    { buffer: words, bytes: 16 * COUNT },
    { buffer: units, bytes: 4 * COUNT },
  ]);
  const expected = Array.from({ length: COUNT }, (_, i) =>
    philox4x32(
      [i, Math.imul(i, 0x9e3779b9) >>> 0, (0xffffffff - i) >>> 0, i * i],
      [(i << 24) >>> 0, (0xdeadbeef ^ i) >>> 0],
    ),
  );
  expect([...new Uint32Array(gotWords ?? new ArrayBuffer(0))]).toEqual(expected.flatMap((block) => [...block]));
  expect([...new Float32Array(gotUnits ?? new ArrayBuffer(0))]).toEqual(
    expected.map(([word]) => toUnitFloat(word ?? 0)),
  );
  for (const buffer of [words, units, params]) buffer.destroy();
});
