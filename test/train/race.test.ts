/** Races of GPU and CPU with simulated devices in simulated time: slow ones, fast ones, lost ones, and some that lie. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WORLD_KEY } from '../../src/environments/own/own';
import { LabError } from '../../src/foundation/errors';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import type { FileWeights, Training } from '../../src/train/population/training';
import type { RaceNumbers } from '../../src/train/protocol';
import type { ChosenBackend } from '../../src/train/run/choose/backends';
import { type Rivals, race, type Verdict } from '../../src/train/run/choose/race';
import { twoMembers } from '../support/sessionPage';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const experiment = twoMembers(3);
const never = new Promise<never>(() => {});
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const error = (code: LabError['code']) => new LabError(code, `It says ${code}.`, 'Nothing.');

interface Device {
  /** Milliseconds until it is compiled, and of an update; Infinity: for ever. */
  readonly compiles?: number;
  readonly update: number;
  /** Entropy of each member's first update. */
  readonly entropy?: readonly [number, number];
  /** Failure while it is opened, or its loss after so many milliseconds. */
  readonly fails?: LabError['code'];
  readonly lostAfter?: number;
}

/** A race of two devices; how often each was opened and freed. */
async function raced(
  gpu: Device,
  cpu: Device,
  known: readonly RaceNumbers[] = [],
  takes: 'gpu' | 'cpu' | null = null,
  of = experiment,
  weights: FileWeights = new Map(),
) {
  const opened = { gpu: 0, cpu: 0 };
  const freed = { gpu: 0, cpu: 0 };
  const told: string[] = [];
  const trainingOn = (side: 'gpu' | 'cpu', device: Device): Training => {
    const { compiles = 0, update, entropy = [1.5, 1.4], lostAfter } = device;
    const took = (milliseconds: number) => (Number.isFinite(milliseconds) ? pause(milliseconds) : never);
    const metrics = new Float64Array(2 * METRICS.length).fill(Number.NaN);
    for (const [member, value] of entropy.entries()) metrics[member * METRICS.length + METRIC.entropy] = value;
    return {
      lost: lostAfter === undefined ? never : pause(lostAfter).then(() => error('device-lost')),
      async prepare(onProgress) {
        onProgress?.(0, 2);
        await took(compiles);
        onProgress?.(2, 2);
      },
      async runUpdate() {
        await took(update / 2);
        return { metrics: took(update / 2).then(() => metrics) };
      },
      dispose: () => {
        freed[side]++;
      },
    } as Partial<Training> as Training;
  };
  const rivals: Rivals = {
    adapter: 'Twin M9',
    cpu: 'cpu',
    async open(side) {
      opened[side]++;
      const device = side === 'gpu' ? gpu : cpu;
      if (device.fails) throw error(device.fails);
      return { train: () => trainingOn(side, device) } as Partial<ChosenBackend> as ChosenBackend;
    },
  };
  const options = {
    weights,
    known,
    takes,
    detail: (text: string) => told.push(text),
    unwanted: () => false,
  };
  let verdict: Verdict | undefined;
  void race(of, rivals, options).then((it) => {
    verdict = it;
  });
  await vi.advanceTimersByTimeAsync(120_000);
  if (verdict === undefined) throw new Error('The race does not end.');
  return { ...verdict, opened, freed, told, timers: vi.getTimerCount() };
}

const both = { gpu: 1, cpu: 1 };

test.each([
  ['a fast one', { compiles: 2000, update: 50 }, 'gpu', '50 ms an update, the CPU 160 ms'],
  ['one within a third', { compiles: 2000, update: 212 }, 'gpu', '212 ms an update, the CPU 160 ms'],
  ['one just beyond it', { compiles: 2000, update: 216 }, 'cpu', '160 ms an update, Twin M9 216 ms'],
  ['a slow one, or software that says it is none', { update: 4000 }, 'cpu', '160 ms an update, Twin M9 4,000 ms'],
] as const)('%s', async (_, gpu, takes, reason) => {
  const verdict = await raced(gpu, { update: 160 });
  const numbers = { adapter: 'Twin M9', cpu: 'cpu', gpuSeconds: gpu.update / 1000, cpuSeconds: 0.16 };
  expect(verdict).toMatchObject({ takes, reason, numbers, opened: both, freed: both, timers: 0 });
});

test.each([
  [
    'is lost while it compiles',
    { compiles: 2000, update: 50, lostAfter: 900 },
    /failed before the run. It says device-lost$/,
  ],
  [
    'is lost in its first update',
    { compiles: 900, update: 500, lostAfter: 1000 },
    /failed before the run. It says device-lost$/,
  ],
  ['cannot hold the experiment', { update: 50, fails: 'limits' }, /^the GPU cannot hold it. It says limits$/],
  ['refuses a kernel', { update: 50, fails: 'shader-compilation' }, /failed before the run/],
  [
    'compiles for ever',
    { compiles: Number.POSITIVE_INFINITY, update: 50 },
    /^160 ms .* Twin M9 was not ready after 20 seconds/,
  ],
  ['never ends an update', { update: Number.POSITIVE_INFINITY }, /not ready after 20 seconds/],
  [
    'says NaN',
    { update: 50, entropy: [Number.NaN, 1.4] },
    /Twin M9 computes something else: entropy NaN .* 1.50 on the CPU/,
  ],
  ['says something else of one member', { update: 50, entropy: [1.5, 0.2] }, /entropy 0.200 .* 1.40 on the CPU/],
] as const)('a GPU that %s leaves the run to the CPU, with a reason', async (_, gpu, reason) => {
  const verdict = await raced(gpu as Device, { update: 160 });
  expect(verdict).toMatchObject({ takes: 'cpu', numbers: null, opened: both, timers: 0 });
  expect(verdict.reason).toMatch(reason);
  expect(verdict.freed).toEqual({ gpu: 'fails' in gpu ? 0 : 1, cpu: 1 });
});

test('some tokens that were drawn otherwise are no other computation', async () => {
  expect(await raced({ update: 50, entropy: [1.45, 1.47] }, { update: 160 })).toMatchObject({ takes: 'gpu' });
});

describe('the GPU trains without numbers', () => {
  test.each([
    ['the CPU needs too long', { update: 60_000 }],
    ['the CPU cannot be opened', { update: 1, fails: 'internal' }],
  ] as const)('where %s', async (_, cpu) => {
    const verdict = await raced({ compiles: 500, update: 50 }, cpu as Device);
    expect(verdict).toMatchObject({ takes: 'gpu', reason: null, numbers: null, timers: 0 });
  });

  test('where its memory ran out, because a smaller plan may fit', async () => {
    const verdict = await raced({ update: 50, fails: 'out-of-memory' }, { update: 160 });
    expect(verdict).toMatchObject({ takes: 'gpu', numbers: null, isSpoiled: true });
  });
});

test('what was measured earlier on this GPU and this CPU decides at once', async () => {
  const numbers: RaceNumbers = { adapter: 'Twin M9', cpu: 'cpu', gpuSeconds: 0.4, cpuSeconds: 0.1 };
  const others: RaceNumbers[] = [
    { ...numbers, adapter: 'Twin M8', gpuSeconds: 0.01 },
    { ...numbers, cpu: 'cpu-fused', gpuSeconds: 0.01 },
  ];
  const verdict = await raced({ update: 1 }, { update: 160 }, [...others, numbers]);
  expect(verdict).toMatchObject({ takes: 'cpu', numbers, opened: { gpu: 0, cpu: 0 } });
  expect(verdict.reason).toBe('100 ms an update, Twin M9 400 ms, as measured earlier');
});

test.each(['gpu', 'cpu'] as const)('a result at hand names the side that it was computed on: %s', async (takes) => {
  const verdict = await raced({ update: 1 }, { update: 160 }, [], takes);
  expect(verdict).toMatchObject({ takes, numbers: null, opened: { gpu: 0, cpu: 0 } });
});

test('nothing is played in worlds of the person’s own, nor where no arm trains', async () => {
  const { id, settings } = experiment.environment;
  const own = { ...experiment, environment: { id, settings: { ...settings, [WORLD_KEY]: 'a text' } } };
  const fixed = { ...experiment, arms: experiment.arms.map((arm) => ({ ...arm, fixedPolicy: 'a'.repeat(64) })) };
  for (const of of [own, fixed]) {
    const verdict = await raced({ update: 1 }, { update: 160 }, [], null, of);
    expect(verdict).toMatchObject({ takes: 'gpu', reason: null, opened: { gpu: 0, cpu: 0 } });
  }
});

test('large weights out of files are not copied for the CPU', async () => {
  const startPolicy = 'b'.repeat(64);
  const of = { ...experiment, arms: experiment.arms.map((arm) => ({ ...arm, startPolicy })) };
  for (const [megabytes, opened] of [
    [60, both],
    [65, { gpu: 0, cpu: 0 }],
  ] as const) {
    const weights = new Map([[startPolicy, new Float32Array(megabytes * 2 ** 18)]]);
    const verdict = await raced({ update: 50 }, { update: 160 }, [], null, of, weights);
    expect(verdict).toMatchObject({ takes: 'gpu', opened });
  }
});

test('the compiling is told, with the CPU’s time beside it', async () => {
  const { told } = await raced({ compiles: 2000, update: 50 }, { update: 160 });
  expect(told[0]).toBe('compiled 0 of 2 kernels for Twin M9');
  expect(told.at(-1)).toBe('timing an update for Twin M9; the CPU makes an update in 160 ms');
});
