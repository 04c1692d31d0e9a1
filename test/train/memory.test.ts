/**
 * Missing memory, at the start and during a run, on every backend: the run goes on with a smaller plan, says so, and ends
 * with the same bits, because the plan changes no number.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { codeHere } from '../../src/experiment/provenance';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';
import type { BackendChoice } from '../../src/train/protocol';
import { chooseBackend, cpuFor } from '../../src/train/run/choose/backends';
import { machineOf, type OpenedRun, openTraining } from '../../src/train/run/choose/opening';
import { SNAPSHOT_EVERY } from '../../src/train/run/keep/recovery';
import { faultyGpuHere } from '../support/faultyGpuHere';
import { startHere } from '../support/poolHere';
import { endedPage, SessionPage, twoMembers } from '../support/sessionPage';
import { metricsOf } from '../support/trained';

const UPDATES = 12;
/** Share of the usual plan's memory: too little for that plan, enough for one of half the size. */
const SHORT = 0.9;
const two = twoMembers(UPDATES);
/** 32 trajectories: two chunks, so a batch can be cut into two microbatches and no more. */
const experiment: Experiment = { ...two, arms: two.arms.slice(0, 1), seeds: 2, batch: { groups: 4, groupSize: 8 } };

const gpu = faultyGpuHere();
afterEach(() => vi.restoreAllMocks());

const run = (choice: BackendChoice): Promise<SessionPage> => endedPage(choice, experiment);

describe('a GPU that cannot hold the population', () => {
  const opened = async (choice: 'auto' | 'webgpu'): Promise<SessionPage> => {
    gpu().isHardware = true;
    gpu().pieces = [2 ** 16];
    return run(choice);
  };

  test('is left for the CPU, with a sentence', async () => {
    const page = await opened('auto');
    expect(page.of('error')).toEqual([]);
    const [told] = page.of('backend');
    expect(told?.reason).toMatch(
      /^the GPU cannot hold it\. This population needs \d+ MiB, .* in one piece and [\d,]+ MiB at a time$/,
    );
    expect(page.machines).toEqual([{ update: 0, backend: told?.kind, code: codeHere(cpuFor('auto')) }]);
    const { curves } = await run(cpuFor('auto'));
    expect(curves.length).toBeGreaterThan(0);
    expect(page.curves).toEqual(curves);
  });

  test('is said to be too small where a person chose it', async () => {
    const page = await opened('webgpu');
    expect(page.of('error')).toMatchObject([{ code: 'limits' }]);
  });
});

/** Results of the run on WebGPU with enough memory. */
interface Whole {
  curves: number[];
  bytes: number;
  submissionsPerUpdate: number;
}

let known: Whole | undefined;
async function wholeRun(): Promise<Whole> {
  if (known !== undefined) return known;
  const page = await run('webgpu');
  expect(page.of('notice')).toEqual([]);
  expect(page.machines).toEqual([{ update: 0, backend: 'webgpu', code: codeHere('webgpu') }]);
  expect(page.curves.length).toBeGreaterThan(0);
  known = { curves: page.curves, bytes: gpu().memory.mostGiven, submissionsPerUpdate: gpu().submissions / UPDATES };
  return known;
}

describe('on WebGPU', () => {
  let whole: Whole;
  beforeEach(async () => {
    whole = await wholeRun();
  });

  test('a start without memory enough is planned smaller, to the same numbers', async () => {
    gpu().budgets = [SHORT * whole.bytes, SHORT * whole.bytes];
    const page = await run('webgpu');
    expect(gpu().refused).toBeGreaterThan(0);
    expect(page.of('error')).toEqual([]);
    const text = expect.stringContaining('cut into 2 parts');
    expect(page.of('notice')).toEqual([{ type: 'notice', kind: 'smaller-plan', update: 0, text }]);
    expect(page.machines).toEqual([{ update: 0, backend: 'webgpu', parts: 2, code: codeHere('webgpu') }]);
    expect(page.curves).toEqual(whole.curves);
  });

  test('a device lost under way, and no memory for another like it, ends with the same numbers', async () => {
    gpu().loseAfter = [Math.round((SNAPSHOT_EVERY + 1.5) * whole.submissionsPerUpdate)];
    gpu().budgets = [Number.POSITIVE_INFINITY, SHORT * whole.bytes, SHORT * whole.bytes];
    const page = await run('webgpu');
    expect(page.of('error')).toEqual([]);
    expect(page.of('notice').map(({ kind, update }) => [kind, update])).toEqual([
      ['smaller-plan', SNAPSHOT_EVERY],
      ['recovered', SNAPSHOT_EVERY],
    ]);
    expect(page.machines).toEqual([
      { update: 0, backend: 'webgpu', code: codeHere('webgpu') },
      { update: SNAPSHOT_EVERY, backend: 'webgpu', parts: 2, code: codeHere('webgpu') },
    ]);
    expect(page.curves).toEqual(whole.curves);
  });

  test('memory that runs out under way is no end either', async () => {
    gpu().exhaustAfter = [Math.round((SNAPSHOT_EVERY + 0.5) * whole.submissionsPerUpdate)];
    const page = await run('webgpu');
    expect(page.of('error')).toEqual([]);
    expect(page.of('notice').at(-1)).toMatchObject({
      kind: 'recovered',
      text: expect.stringMatching(/^Memory ran out/),
    });
    expect(page.machines.at(-1)).toMatchObject({ update: SNAPSHOT_EVERY, parts: 2 });
    expect(page.curves).toEqual(whole.curves);
  });

  test('memory for no plan at all is an error that says what to do', async () => {
    gpu().budgets = Array.from({ length: 8 }, () => 1000);
    const page = await run('webgpu');
    expect(page.of('error')).toMatchObject([{ code: 'out-of-memory', advice: expect.stringContaining('fewer seeds') }]);
    expect(page.phase).toBe('failed');
    // Devices for the usual plan, for half of it, and for a try that finds no smaller plan.
    expect(gpu().devices.length).toBe(3);
  });
});

/** Limits the growth of WebAssembly memory, as in a browser short of memory. */
function limitMemory(bytes: number): { refused: number } {
  const seen = { refused: 0 };
  const { grow } = WebAssembly.Memory.prototype;
  vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(function (this: WebAssembly.Memory, pages) {
    if (this.buffer.byteLength + pages * 65_536 <= bytes) return grow.call(this, pages);
    seen.refused += 1;
    throw new RangeError('WebAssembly.Memory.grow(): Unable to grow instance memory');
  });
  return seen;
}

describe('on the CPU', () => {
  /** Bytes of memory that one backend takes with the usual plan. */
  async function usualBytes(members?: Trainer['members']): Promise<number> {
    const backend = await createCpuBackend();
    const trainer = new Trainer(backend, experiment, members ? { members } : {});
    expect(trainer.microbatches).toBe(1);
    const { allocatedBytes } = backend;
    trainer.dispose();
    return allocatedBytes;
  }

  test('a start without memory enough is planned smaller, to the same numbers', async () => {
    const whole = await run('cpu');
    const bytes = await usualBytes();
    const memory = limitMemory(SHORT * bytes);
    const page = await run('cpu');
    expect(memory.refused).toBeGreaterThan(0);
    expect(page.of('error')).toEqual([]);
    expect(page.of('notice')).toMatchObject([{ kind: 'smaller-plan', update: 0 }]);
    expect(page.machines).toEqual([{ update: 0, backend: 'cpu', parts: 2, code: codeHere('cpu') }]);
    expect(page.curves).toEqual(whole.curves);
    expect(whole.machines).toEqual([{ update: 0, backend: 'cpu', code: codeHere('cpu') }]);
  });

  test('a run that goes over to it from a lost device fits what it has', async () => {
    const { submissionsPerUpdate } = await wholeRun();
    gpu().loseAfter = [Math.round((SNAPSHOT_EVERY + 1.5) * submissionsPerUpdate)];
    limitMemory(SHORT * (await usualBytes()));
    const page = new SessionPage('webgpu', experiment);
    await page.session.prepare(true);
    gpu().available = false;
    await page.until(({ phase }) => phase === 'stranded');
    await page.session.waysOn.continueOn('cpu');
    await page.until(({ phase }) => phase === 'finished' || phase === 'failed');
    expect(page.of('error')).toEqual([]);
    expect(page.machines).toEqual([
      { update: 0, backend: 'webgpu', code: codeHere('webgpu') },
      { update: SNAPSHOT_EVERY, backend: 'cpu', parts: 2, code: codeHere('cpu') },
    ]);
  });

  test('several Workers, each short of memory, are planned smaller, to the same numbers', async () => {
    const open = (): Promise<OpenedRun> =>
      openTraining(experiment, {
        choose: () => chooseBackend('cpu', undefined, { workers: 2, start: startHere }),
        snapshot: null,
        detail: () => {},
      });
    const metrics = async ({ training }: OpenedRun): Promise<Float64Array[]> => {
      const all = await metricsOf(training, 3);
      training.dispose();
      return all;
    };
    const usual = await open();
    expect(machineOf(usual)).toEqual({ update: 0, backend: 'cpu', code: codeHere('cpu') });
    const expected = await metrics(usual);
    const memory = limitMemory(SHORT * (await usualBytes(usual.training.members.slice(0, 1))));
    const smaller = await open();
    expect(memory.refused).toBeGreaterThan(0);
    expect(machineOf(smaller)).toEqual({ update: 0, backend: 'cpu', parts: 2, code: codeHere('cpu') });
    expect(await metrics(smaller)).toEqual(expected);
  });
});
