// The shaders agree with the TypeScript they share numbers and functions with, and keep to the rules of the house.
import { describe, expect, test } from 'vitest';
import { philox4x32, toUnitFloat } from '../../src/foundation/philox';
import { ROLE } from '../../src/foundation/roles';
import { USAGE } from '../../src/gpu/constants';
import { defineKernel } from '../../src/gpu/kernel';
import { gpuState } from '../../src/gpu/state';
import * as advantageColumns from '../../src/tensor/columns/advantage';
import {
  GROUP,
  GROUP_COLUMNS,
  NO_ROLE,
  OUTCOME,
  OUTCOME_COLUMNS,
  REWARD_PARTS,
  TERM,
  TERM_COLUMNS,
} from '../../src/tensor/columns/batch';
import { CRITIC_COLUMNS } from '../../src/tensor/columns/critic';
import * as policyColumns from '../../src/tensor/columns/policy';
import * as worldModelColumns from '../../src/tensor/columns/worldModel';
import { GRADIENT_CHUNK, HYPER, HYPER_COLUMNS, LOG_RATIO_LIMIT } from '../../src/tensor/layout';
import { SHADERS } from '../../src/tensor/webgpu/shaders';
import { sharedDevice } from '../support/gpu';

/** policyGradient → POLICY_GRADIENT. */
const shouted = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
const prefixed = (prefix: string, table: Record<string, number>) =>
  Object.entries(table).map(([name, value]): [string, number] => [`${prefix}_${shouted(name)}`, value]);

/** Every `const NAME = 5u;` of a shader. */
const constantsOf = (file: string): Record<string, number> => {
  const constants = [...(SHADERS.get(file) ?? '').matchAll(/^const (\w+) = (\d+)u;/gm)];
  return Object.fromEntries(constants.map(([, name, value]) => [name, Number(value)]));
};

/** A family's columns, and its lists of choices: KL_ESTIMATORS = ['k3', …] → KL_ESTIMATORS_K3 = 0. */
function familyConstants(family: Readonly<Record<string, unknown>>): Record<string, number> {
  const constants = Object.entries(family).flatMap(([name, value]): [string, number][] => {
    if (Array.isArray(value)) {
      return value.map((choice, i) => [`${name}_${String(choice).replaceAll('-', '_').toUpperCase()}`, i]);
    }
    return name.endsWith('_COLUMNS') ? prefixed('HYPER', value as Record<string, number>) : [];
  });
  return Object.fromEntries(constants);
}

test('layout.wgsl holds the numbers of layout.ts and roles.ts, and no others', () => {
  const ownColumns = Object.entries(HYPER).filter(([name, column]) => column < 20 || name in CRITIC_COLUMNS);
  expect(constantsOf('layout.wgsl')).toEqual({
    ...Object.fromEntries(prefixed('ROLE', ROLE)),
    ...Object.fromEntries(prefixed('HYPER', Object.fromEntries(ownColumns))),
    HYPER_COLUMNS,
    LOG_RATIO_LIMIT,
    GRADIENT_CHUNK,
  });
});

test('layout_batch.wgsl holds the numbers of columns/batch.ts, and no others', () => {
  expect(constantsOf('layout_batch.wgsl')).toEqual({
    ...Object.fromEntries(prefixed('OUTCOME', OUTCOME)),
    ...Object.fromEntries(prefixed('GROUP', GROUP)),
    ...Object.fromEntries(prefixed('TERM', TERM)),
    NO_ROLE,
    OUTCOME_COLUMNS,
    REWARD_PARTS,
    GROUP_COLUMNS,
    TERM_COLUMNS,
  });
});

test.each([
  ['layout_advantage.wgsl', advantageColumns],
  ['layout_policy.wgsl', policyColumns],
  ['layout_world_model.wgsl', worldModelColumns],
])('%s holds the columns and choices of its family, and no others', (file, family) => {
  expect(constantsOf(file)).toEqual(familyConstants(family));
});

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
