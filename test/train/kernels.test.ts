// Parts of the page of kernels: the list agrees with the kernels that are dispatched, checks find faults, times come from
// whole series, and files are judged as by the command line.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CASES } from '../../src/parity/cases/all';
import { agreement, allocate, type CaseOutput, runCase } from '../../src/parity/cases/case';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { createWebGpuBackend, kernelsOf } from '../../src/tensor/webgpu/backend';
import { SHADERS } from '../../src/tensor/webgpu/shaders';
import { callsOf, replay } from '../../src/train/bench/apart';
import { standingIn } from '../../src/train/bench/counts';
import { SERIES } from '../../src/train/kernels/allSeries';
import { checkKernels, subjectsOf } from '../../src/train/kernels/check';
import { type KernelDevice, openDevice } from '../../src/train/kernels/device';
import { checkFixtures } from '../../src/train/kernels/fixtures';
import { headOf, kernelTexts, PRINTED, shaderFiles } from '../../src/train/kernels/list';
import type { KernelTiming, OperationCheck, Variant } from '../../src/train/kernels/report';
import { KERNELS } from '../../src/train/kernels/served';
import { timeKernel } from '../../src/train/kernels/time';
import { sharedDevice } from '../support/gpu';

const texts = kernelTexts();
const withoutComments = (text: string): string => text.replace(/[ \t]*\/\/(?! #).*$/gm, '');

describe('the list', () => {
  test('holds every shader with an entry point, with the text that is compiled', () => {
    const entries = [...SHADERS].filter(([, text]) => text.includes('@compute')).map(([name]) => name);
    const listed = texts.map(({ name }) => `${name}.wgsl`);
    const unlisted = entries.filter((name) => !listed.includes(name)).map((name) => `shaders/${name}`);
    expect(unlisted, 'Name each under the operation that dispatches it, in src/train/kernels/served.ts').toEqual([]);
    expect(listed.sort()).toEqual([...entries, ...PRINTED.keys()].sort());
    for (const [name, text] of SHADERS)
      expect(withoutComments(shaderFiles().get(name) ?? '')).toBe(withoutComments(text));
    for (const { name, code, about } of texts) {
      expect(code, name).not.toMatch(/#include|#repeat|\$[A-Z]/);
      expect(about.length, name).toBeGreaterThan(20);
      expect(about, name).not.toMatch(/Floor|, same\.|\.\.|: *$/);
    }
  });

  test('takes the floor out of a head, wherever it stands', () => {
    expect(headOf('// a = b. Floor: 4·N bytes,\n// 2·N flops.\nfn main')).toEqual({
      about: 'a = b.',
      floor: '4·N bytes, 2·N flops',
    });
    expect(headOf('// One thread per pick; floor: 64·picks bytes.\n')).toEqual({
      about: 'One thread per pick.',
      floor: '64·picks bytes',
    });
    expect(headOf('// Same arguments, same floor:\n// 4·R·V bytes.\n')).toEqual({
      about: 'Same arguments.',
      floor: '4·R·V bytes',
    });
    expect(headOf('// x. Floor: 12·B·T bytes. The weights:\n// w.wgsl.\n// #include "a"')).toEqual({
      about: 'x. The weights: w.wgsl.',
      floor: '12·B·T bytes',
    });
  });

  test('says which operation dispatches what, in which variant', async () => {
    const device = await sharedDevice();
    const dispatched = new Map<string, Set<string>>();
    for (const variant of ['plain', 'tiled'] as const) {
      for (const one of CASES) {
        const backend = createWebGpuBackend({ device, software: true, variant });
        const tensors = allocate(backend, one.tensors);
        // Call by call, because cases prepare their inputs with other operations.
        for (const call of callsOf((operations) => one.build(operations, tensors))) {
          const key = `${call.name} ${variant}`;
          const known = dispatched.get(key) ?? new Set();
          dispatched.set(key, known);
          for (const kernel of kernelsOf(backend.record('one', one.members, replay([call])))) known.add(kernel);
        }
        // Operations that wait for the next one become one dispatch with it, which is of the case's operation.
        const together = kernelsOf(backend.record('all', one.members, (operations) => one.build(operations, tensors)));
        const apart = new Set([...dispatched].flatMap(([key, kernels]) => (key.endsWith(variant) ? [...kernels] : [])));
        const key = `${one.operation} ${variant}`;
        for (const kernel of together) if (!apart.has(kernel)) dispatched.get(key)?.add(kernel);
        backend.dispose();
      }
    }
    const unlisted = [...dispatched].flatMap(([key, kernels]) =>
      [...kernels]
        .filter(
          (kernel) => !KERNELS.find((one) => one.kernel === kernel)?.operations.some((o) => key.startsWith(`${o} `)),
        )
        .map((kernel) => `${key}: ${kernel}`),
    );
    expect(unlisted, 'These are dispatched, and not named in src/train/kernels/served.ts').toEqual([]);
    const reached = (variant: Variant, kernel: string, operation: string) =>
      dispatched.get(`${operation} ${variant}`)?.has(kernel) ?? false;
    const unreached = texts.flatMap(({ name, operations, variant }) =>
      operations
        .filter(
          (operation) =>
            !(variant === null ? (['plain', 'tiled'] as const) : [variant]).every((v) => reached(v, name, operation)),
        )
        .map((operation) => `${name} by ${operation}`),
    );
    const advice =
      'src/train/kernels/served.ts names kernels that nothing dispatches: dispatch each where its operation is, in src/tensor/webgpu/…Operations.ts, add a case that takes it (src/parity/cases), or take it away';
    expect(unreached, advice).toEqual([]);
  });
});

describe('a check', () => {
  let cpu: KernelDevice;
  beforeAll(async () => {
    cpu = await openDevice('auto', undefined);
  });
  afterAll(() => cpu.release());

  test('without WebGPU runs on the CPU backend, and says so', async () => {
    expect(cpu.line).toMatchObject({ kind: 'cpu', reason: expect.stringContaining('has no WebGPU') });
    const checks: OperationCheck[] = [];
    const told: string[] = [];
    await checkKernels(['forward/linear_tiled', 'forward/linear', 'plumbing/fill'], cpu, {
      progress: (done, of, text) => told.push(`${done}/${of} ${text}`),
      checked: (check) => checks.push(check),
    });
    expect(checks.map(({ operation, variant }) => [operation, variant])).toEqual([
      ['linear', null],
      ['fill', null],
    ]);
    for (const { cases } of checks) {
      expect(cases.length).toBeGreaterThan(0);
      for (const { worst, failures, compared } of cases) {
        expect(failures).toEqual([]);
        expect(worst).toBeLessThanOrEqual(1);
        expect(compared).toBeGreaterThan(0);
      }
    }
    // Rounding must show up: a check that never finds a difference checks nothing.
    expect(Math.max(...(checks[0]?.cases ?? []).map(({ worst }) => worst))).toBeGreaterThan(0);
    expect(told.length).toBe(checks.flatMap(({ cases }) => cases).length);
  });

  test('takes the variant that dispatches the kernel', () => {
    expect(
      subjectsOf(['forward/linear', 'forward/linear_tiled', 'log_prob/masked_split', 'forward/embed'], {
        variant: 'plain',
      }),
    ).toEqual([
      { operation: 'maskedLogProb', variant: 'tiled' },
      { operation: 'embed', variant: 'plain' },
      { operation: 'linear', variant: 'plain' },
      { operation: 'linear', variant: 'tiled' },
    ]);
  });

  test('on WebGPU names the kernels that each case dispatched', async () => {
    const device = await sharedDevice();
    const gpu: KernelDevice = {
      line: { kind: 'webgpu', description: 'test', software: true, reason: '' },
      timer: null,
      variant: 'plain',
      open: async () => createWebGpuBackend({ device, software: true, variant: 'plain' }),
      release: () => {},
    };
    const checks: OperationCheck[] = [];
    await checkKernels(['log_prob/scatter_rows'], gpu, { progress: () => {}, checked: (check) => checks.push(check) });
    expect(checks[0]?.cases[0]?.kernels).toEqual(['log_prob/scatter_rows']);
    expect(checks[0]?.cases.flatMap(({ failures }) => failures)).toEqual([]);
  });

  test('measures differences in tolerances, and NaN as beyond all', async () => {
    const one = CASES.find(({ operation }) => operation === 'linear');
    if (one === undefined) throw new Error('There is no case of linear.');
    const expected = await runCase(new ReferenceBackend(), one);
    const moved = (by: (value: number, tolerance: number) => number): CaseOutput[] => {
      const [first, ...rest] = expected.map((output) => output.slice());
      const at = first?.findIndex((value) => Number.isFinite(value)) ?? -1;
      const { atol = 0, rtol = 0 } = one.outputs[0] ?? {};
      if (first) first[at] = by(first[at] as number, atol + rtol * Math.abs(first[at] as number));
      return [first as CaseOutput, ...rest];
    };
    expect(agreement(one, expected, expected)).toMatchObject({ worst: 0, where: '', differences: [] });
    const half = agreement(
      one,
      moved((value, tolerance) => value + tolerance / 2),
      expected,
    );
    expect(half.worst).toBeCloseTo(0.5, 6);
    expect(half.differences).toEqual([]);
    const wrong = agreement(
      one,
      moved((value, tolerance) => value + 3 * tolerance),
      expected,
    );
    expect(wrong.worst).toBeCloseTo(3, 6);
    expect(wrong.where).toMatch(/^\w+\[0, \d+\]$/);
    expect(wrong.differences).toHaveLength(1);
    expect(
      agreement(
        one,
        moved(() => Number.NaN),
        expected,
      ).worst,
    ).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('timing', () => {
  test.each(Object.entries(SERIES))('%s can be recorded and run at its smallest size', async (_, series) => {
    const backend = await createCpuBackend();
    const [smallest] = series.sizes(true);
    if (smallest === undefined) throw new Error('There is no size.');
    const program = backend.record('series', 1, smallest.build(backend));
    await backend.prepare();
    backend.run(program);
    expect(smallest.bytes).toBeGreaterThan(0);
    backend.dispose();
  });

  test.each([
    'maskedLogProb',
    'maskedLogProbBackward',
    'sumOfSquares',
    'fusedLogProb',
    'fusedLogProbBackward',
  ] as const)('%s goes up to V = 151,936 and fits the smallest GPUs', (name) => {
    const sizes = SERIES[name].sizes(false);
    expect([sizes[0]?.at, sizes.at(-1)?.at]).toEqual([48, 151_936]);
    for (const { tensors } of sizes) expect(4 * Math.max(...tensors)).toBeLessThanOrEqual(2 ** 27);
  });

  test('gives times, ceilings that nothing exceeds, and reasons for what is left out', async () => {
    const cpu = await openDevice('cpu', undefined);
    const small: KernelDevice = {
      ...cpu,
      async open() {
        const backend = await createCpuBackend();
        const limits = { ...backend.limits, maxBindingBytes: 2 ** 22 };
        return standingIn(backend, { limits });
      },
    };
    let last: KernelTiming | undefined;
    await timeKernel('optimiser/adamw', small, {
      progress: () => {},
      timed: (timing) => {
        last = timing;
      },
    });
    if (last === undefined) throw new Error('Nothing was timed.');
    expect(last.clock).toBe('host clock');
    expect(last.sizes.map(({ seconds }) => seconds === null)).toEqual([false, false, false, false, false, true, true]);
    for (const { seconds, bytes, skipped } of last.sizes) {
      if (seconds === null) expect(skipped).toMatch(/needs a tensor of \d+ MiB; this device allows 4 MiB/);
      else expect(bytes / seconds / last.ceilings.memory.perSecond).toBeLessThanOrEqual(1);
    }
  });

  test('of a kernel that is not timed is refused', async () => {
    const device = await openDevice('cpu', undefined);
    const nobody = { progress: () => {}, timed: () => {} };
    await expect(timeKernel('forward/embed', device, nobody)).rejects.toMatchObject({ code: 'unsupported' });
  });
});

describe('a fixture file', () => {
  const run = async (text: string) =>
    checkFixtures('kl.json', new Blob([text]), await openDevice('cpu', undefined), () => {});

  test('is judged case by case', async () => {
    const text = readFileSync(new URL('../fixtures/kl.json', import.meta.url), 'utf8');
    const report = await run(text);
    expect(report.cases.length).toBeGreaterThan(10);
    expect(report.cases.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    const [first] = JSON.parse(text);
    const [output] = Object.keys(first.expected);
    const { data } = first.expected[output as string];
    if (Array.isArray(data)) data[0] += 1;
    else first.expected[output as string] += 1;
    const broken = await run(JSON.stringify([first]));
    expect(broken.cases[0]).toMatchObject({ outcome: 'failed', reasons: [expect.stringContaining('expected')] });
  });

  test.each([
    ['a picture', '\u0089PNG', /not JSON/],
    ['an experiment', '{"version":1}', /no list of cases/],
  ])('that holds %s is refused', async (_, text, words) => {
    await expect(run(text)).rejects.toMatchObject({ code: 'invalid-fixture', what: expect.stringMatching(words) });
  });
});
