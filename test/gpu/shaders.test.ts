// Functions of shaders agree with their counterparts in TypeScript, and shader files keep the project's rules.
import { describe, expect, test } from 'vitest';
import { philox4x32, toUnitFloat } from '../../src/foundation/philox';
import { USAGE } from '../../src/gpu/constants';
import { defineKernel } from '../../src/gpu/kernel';
import { gpuState } from '../../src/gpu/state';
import { OPTIMISER } from '../../src/hyperparameters/optimiser';
import { CHOICE_CONSTANTS } from '../../src/tensor/webgpu/constants';
import { SHADERS } from '../../src/tensor/webgpu/shaders';
import { sharedDevice } from '../support/gpu';

const KERNELS = [...SHADERS].filter(([, text]) => text.includes('@compute')).map(([name]) => name);

/** Every size is 1: a kernel with all of its parts. */
const SIZES = new Proxy({}, { get: () => 1 });

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

  // Variants that share a head are told the same, and one of them may have no use for it.
  test.each(KERNELS.filter((name) => !SHADERS.get(name)?.includes('_bindings.wgsl"')))(
    '%s reads every parameter and binding that it declares',
    (name) => {
      const { code, bindings, parameters } = defineKernel(name, SHADERS, SIZES);
      const unread = [...parameters.keys()].filter((parameter) => !code.includes(`params.${parameter}`));
      const unbound = bindings.filter(
        (binding) => (code.match(new RegExp(`\\b${binding.name}\\b`, 'g')) ?? []).length < 2,
      );
      expect([...unread, ...unbound]).toEqual([]);
    },
  );

  // Fast math may assume that no float is infinite: a number in place of “none yet” must stay finite when it is divided.
  test.each([...SHADERS.entries()])('%s has no number that overflows by the smallest temperature', (_, text) => {
    const code = text.replace(/\/\/.*$/gm, '');
    const numbers = [...code.matchAll(/(?<![\w.])\d+\.?\d*(?:e[+-]?\d+)?/g)].map(([number]) => Number(number));
    expect(numbers.filter((number) => !Number.isFinite(Math.fround(number / OPTIMISER.temperature.min)))).toEqual([]);
  });
});

/** The hyperparameter of a choice's constant: `surrogate` of SURROGATE_PPO. */
const OF_CONSTANT: ReadonlyMap<string, string> = new Map(
  [...CHOICE_CONSTANTS].flatMap(([name, constants]) => constants.map((constant) => [constant, name] as const)),
);

/** What a switch has a case for, by their words; nested ones not. */
function selectorsIn(body: string): string[] {
  let depth = 0;
  const own = [...body].filter((letter) => {
    depth += letter === '{' ? 1 : letter === '}' ? -1 : 0;
    return depth === 0 || (depth === 1 && letter === '{');
  });
  const cases = own.join('').matchAll(/\b(?:case\b([^{:]*)|default\b)/g);
  return [...cases].flatMap(([, words = 'default']) => words.split(',').map((word) => word.trim()));
}

/** The body of each switch in a text without comments. */
function switchesIn(text: string): string[] {
  return [...text.matchAll(/\bswitch\b[^{]*\{/g)].map(({ 0: head, index }) => {
    const from = index + head.length;
    let [depth, end] = [1, from];
    for (; depth > 0; end++) depth += text[end] === '{' ? 1 : text[end] === '}' ? -1 : 0;
    return text.slice(from, end - 1);
  });
}

/** Every switch over the choices of a hyperparameter. */
const SWITCHES = [...SHADERS].flatMap(([file, text]) =>
  switchesIn(text.replace(/\/\/.*$/gm, '')).flatMap((body) => {
    const selectors = selectorsIn(body);
    const names = new Set(selectors.flatMap((word) => OF_CONSTANT.get(word) ?? []));
    return [...names].map((hyperparameter) => ({ file, hyperparameter, selectors }));
  }),
);

describe('A switch over a hyperparameter’s choices', () => {
  test('is seen where there is one', () => {
    expect(SWITCHES.map(({ hyperparameter }) => hyperparameter)).toEqual(
      expect.arrayContaining(['surrogate', 'aggregation', 'advantageBaseline', 'worldModelBatchDenominator']),
    );
    expect(selectorsIn('case A: { switch (b) { case C: {} default: {} } } case D, E, default: {}')).toEqual([
      ...['A', 'D', 'E', 'default'],
    ]);
  });

  test.each(SWITCHES)(
    'has a case for each of them: $hyperparameter in $file',
    ({ file, hyperparameter, selectors }) => {
      const missing = (CHOICE_CONSTANTS.get(hyperparameter) ?? []).filter((constant) => !selectors.includes(constant));
      const advice = `shaders/${file} has no case for a choice of ${hyperparameter} and would take the default for it. Add the case; if the default is right, name it there: case X, default.`;
      expect(missing, advice).toEqual([]);
      expect(new Set(selectors).size).toBe(selectors.length);
    },
  );
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
