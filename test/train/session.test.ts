/**
 * A run as the page drives it, on real (software) WebGPU and on the CPU: phases, steps, live changes, and loss of the
 * device at awkward moments, after which the run must end with the same numbers as an undisturbed one.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LabError } from '../../src/foundation/errors';
import { METRICS } from '../../src/rl/metrics';
import { Trainer } from '../../src/train/population/trainer';
import type { BackendChoice } from '../../src/train/protocol';
import { SNAPSHOT_EVERY } from '../../src/train/run/recovery';
import { FaultyGpu } from '../support/faultyGpu';
import { SessionPage, twoMembers } from '../support/sessionPage';

const UPDATES = 14;
const experiment = twoMembers(UPDATES);

let gpu: FaultyGpu;
beforeEach(async () => {
  gpu = await FaultyGpu.create();
  vi.stubGlobal('navigator', { gpu: gpu.gpu, hardwareConcurrency: 2 });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const changesOf = (page: SessionPage) => page.of('changed').flatMap(({ changes }) => changes);

async function finished(choice: BackendChoice): Promise<SessionPage> {
  const page = new SessionPage(choice, experiment);
  await page.session.prepare(true);
  await page.until(({ phase }) => phase === 'finished' || phase === 'failed');
  expect(page.of('error')).toEqual([]);
  await page.session.dispose();
  return page;
}

describe('a session', () => {
  test('steps one update at a time, takes changes from the next update, and finishes', async () => {
    const page = new SessionPage('reference', { ...experiment, updates: 3 });
    await page.session.prepare(false);
    expect(page.phase).toBe('ready');
    page.session.step();
    await page.until(({ phase }) => phase === 'paused');
    page.session.change([{ arm: '*', setting: 'learningRate', value: 0.01 }]);
    expect(page.of('changed')[0]?.changes).toMatchObject([{ update: 1 }]);
    expect(() => page.session.change([{ arm: '*', setting: 'learningRate', value: -1 }])).toThrow(/Learning rate/);
    expect(() => page.session.extend(Number.NaN)).toThrow();
    page.session.step();
    await page.until(({ events }) => events.filter(({ type }) => type === 'episodes').length === 2);
    await page.until(({ phase }) => phase === 'paused');
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    expect(page.of('episodes').map(({ update }) => update)).toEqual([0, 1, 2]);
    page.session.extend(4);
    expect(page.phase).toBe('paused');
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    expect(page.of('phase').at(-1)?.update).toBe(4);
    await page.session.dispose();
  });

  test('replaces the changes still to act, and has one that comes too late act next', async () => {
    const planned = { update: 3, arm: '*', setting: 'learningRate', value: 0.01 };
    const page = new SessionPage('cpu', { ...experiment, updates: 4, timeline: [planned] });
    await page.session.prepare(false);
    page.session.step();
    await page.until(({ phase }) => phase === 'paused');
    const temperature = { arm: '*', setting: 'temperature', value: 0.5 };
    page.session.plan([
      { ...planned, update: 2 },
      { ...temperature, update: 0 },
    ]);
    expect(page.of('planned').at(-1)).toMatchObject({
      from: 1,
      timeline: [
        { ...temperature, update: 1 },
        { ...planned, update: 2 },
      ],
    });
    expect(() => page.session.plan([{ ...planned, value: -1 }])).toThrow(/Learning rate/);
    page.session.change([{ arm: '*', setting: 'learningRate', value: 0.02 }]);
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    const made = { ...experiment, updates: 4, timeline: page.of('planned').at(-1)?.timeline ?? [] };
    const again = new SessionPage('cpu', { ...made, timeline: [...made.timeline, ...changesOf(page)] });
    await again.session.prepare(true);
    await again.until(({ phase }) => phase === 'finished');
    expect(page.curves).toEqual(again.curves);
    await Promise.all([page.session.dispose(), again.session.dispose()]);
  });

  test('takes a step that is asked for while it prepares', async () => {
    const page = new SessionPage('reference', { ...experiment, updates: 3 });
    const prepared = page.session.prepare(false);
    page.session.step();
    await prepared;
    await page.until(({ phase }) => phase === 'paused');
    expect(page.of('phase').at(-1)?.update).toBe(1);
    await page.session.dispose();
  });

  test('that is paused and resumed at once goes on', async () => {
    const page = new SessionPage('reference', { ...experiment, updates: 4 });
    await page.session.prepare(true);
    await page.until(({ phase }) => phase === 'running');
    page.session.pause();
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    await page.session.dispose();
  });
});

describe('a session that is asked for dreams', () => {
  const ask = (page: SessionPage, id: number): void => {
    const episodes = page.of('episodes').at(-1)?.episodes ?? [];
    page.session.dream({ id, sampling: 'sampled', episodes });
  };
  const answered = (page: SessionPage, id: number): boolean => page.of('dreams').some((event) => event.id === id);

  test('answers while it trains and while it rests, and ends with the same numbers', async () => {
    const undisturbed = await finished('cpu');
    const page = new SessionPage('cpu', experiment);
    await page.session.prepare(false);
    page.session.step();
    await page.until(({ phase }) => phase === 'paused');
    ask(page, 1);
    await page.until(() => answered(page, 1));
    page.session.resume();
    await page.until(({ phase }) => phase === 'running');
    ask(page, 2);
    // If two are asked for during an update, the last one counts.
    ask(page, 3);
    await page.until(() => answered(page, 3));
    expect(answered(page, 2)).toBe(false);
    await page.until(({ phase }) => phase === 'finished');
    ask(page, 4);
    await page.until(() => answered(page, 4));
    await page.session.dispose();
    const dreams = page.of('dreams');
    expect(dreams.map(({ id, update }) => [id, update])).toEqual([
      [1, 1],
      [3, expect.any(Number)],
      [4, UPDATES],
    ]);
    for (const { dreams: views } of dreams)
      expect(views.map(({ arm }) => arm)).toEqual(experiment.arms.map(({ id }) => id));
    expect(page.curves).toEqual(undisturbed.curves);
    expect(page.of('error')).toEqual([]);
  });
});

test('a session without memory to look at its policies says so, and trains on as if nobody had asked', async () => {
  const none = new LabError('out-of-memory', 'There is no memory (a test says so).', 'Close other tabs.');
  const looks = ['inspect', 'probe', 'dream'] as const;
  const undisturbed = await finished('cpu');
  for (const look of looks) vi.spyOn(Trainer.prototype, look).mockRejectedValueOnce(none);
  const page = new SessionPage('cpu', experiment);
  await page.session.prepare(false);
  page.session.inspect({ seed: 0, group: 0, trajectory: 0 });
  page.session.watchProbes({ every: 100, seed: 0 });
  page.session.dream({ id: 5, sampling: 'greedy', episodes: [] });
  page.session.resume();
  await page.until(({ phase }) => phase === 'finished' || phase === 'failed');
  await page.session.dispose();
  vi.restoreAllMocks();
  expect(page.of('notice').map(({ kind, update }) => [kind, update])).toEqual([
    ['no-memory', 1],
    ['no-memory', 1],
  ]);
  expect(page.of('not-dreamed')).toMatchObject([{ id: 5, text: none.what, advice: none.advice }]);
  expect(page.machines).toEqual([{ update: 0, backend: 'cpu' }]);
  expect(page.curves).toEqual(undisturbed.curves);
});

describe('a session whose device is lost during a dream', () => {
  /** Makes dreams lose their device before they are answered: the n-th dream if the n-th flag is true. */
  function loseInDreams(flags: boolean[]): void {
    const dream = Trainer.prototype.dream;
    const losses = new WeakMap<Trainer, { promise: Promise<LabError>; lose: (error: LabError) => void }>();
    const lossOf = (trainer: Trainer) => {
      let lose = (_: LabError): void => {};
      const promise = new Promise<LabError>((resolve) => {
        lose = resolve;
      });
      const loss = losses.get(trainer) ?? { promise, lose };
      losses.set(trainer, loss);
      return loss;
    };
    vi.spyOn(Trainer.prototype, 'lost', 'get').mockImplementation(function (this: Trainer) {
      return lossOf(this).promise;
    });
    vi.spyOn(Trainer.prototype, 'dream').mockImplementation(function (this: Trainer, request) {
      if (flags.shift() !== true) return dream.call(this, request);
      lossOf(this).lose(new LabError('device-lost', 'The device is gone (a test says so).', 'Try again.'));
      return new Promise(() => {});
    });
  }
  afterEach(() => vi.restoreAllMocks());
  const ask = (page: SessionPage, id: number): void =>
    page.session.dream({ id, sampling: 'greedy', episodes: page.of('episodes').at(-1)?.episodes ?? [] });
  const stepped = async (): Promise<SessionPage> => {
    const page = new SessionPage('cpu', experiment);
    await page.session.prepare(false);
    page.session.step();
    await page.until(({ phase }) => phase === 'paused');
    return page;
  };
  let undisturbed: number[];
  beforeEach(async () => {
    undisturbed ??= (await finished('cpu')).curves;
  });

  test('while it trains says so, recovers, dreams then, and ends with the same numbers', async () => {
    loseInDreams([true]);
    const page = await stepped();
    page.session.resume();
    await page.until(({ phase }) => phase === 'running');
    ask(page, 7);
    await page.until(({ phase }) => phase === 'finished' || phase === 'failed');
    expect(page.of('not-dreamed')).toMatchObject([
      { id: 7, text: expect.stringMatching(/lost while the policies dreamed/) },
    ]);
    expect(page.of('notice').map(({ kind }) => kind)).toEqual(['recovered']);
    expect(page.of('dreams').map(({ id }) => id)).toEqual([7]);
    expect(page.curves).toEqual(undisturbed);
    expect(page.of('error')).toEqual([]);
    await page.session.dispose();
  });

  test('while it rests says so, and recovers and dreams on resuming', async () => {
    loseInDreams([true]);
    const page = await stepped();
    ask(page, 1);
    await page.until(({ events }) => events.some((event) => event.type === 'phase' && /was lost/.test(event.detail)));
    expect(page.phase).toBe('paused');
    expect(page.of('not-dreamed')).toMatchObject([{ id: 1, advice: 'They dream as soon as training goes on.' }]);
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    expect(page.of('dreams').map(({ id }) => id)).toEqual([1]);
    expect(page.curves).toEqual(undisturbed);
    await page.session.dispose();
  });
});

describe('a session whose device is lost', () => {
  let undisturbed: number[];
  let submissionsPerUpdate: number;
  beforeEach(async () => {
    if (undisturbed === undefined) {
      undisturbed = (await finished('webgpu')).curves;
      submissionsPerUpdate = gpu.submissions / UPDATES;
    }
    expect(undisturbed).toHaveLength(UPDATES * experiment.arms.length * METRICS.length);
  });

  test.each(['real', 'lasting'] as const)(
    'in the middle of an update, before any snapshot, ends with the same numbers (a %s device)',
    async (first) => {
      gpu = await FaultyGpu.create(first);
      vi.stubGlobal('navigator', { gpu: gpu.gpu, hardwareConcurrency: 2 });
      gpu.loseAfter = [Math.round(2.5 * submissionsPerUpdate)];
      const page = await finished('webgpu');
      expect(page.of('notice')).toMatchObject([{ kind: 'recovered', update: 0 }]);
      expect(page.curves).toEqual(undisturbed);
    },
  );

  test('twice, after a snapshot, ends with the same numbers', async () => {
    gpu.loseAfter = [Math.round(12.5 * submissionsPerUpdate), Math.round(1.5 * submissionsPerUpdate)];
    const page = await finished('webgpu');
    // From the snapshot of update 10, not from the start.
    const expected = { kind: 'recovered', update: SNAPSHOT_EVERY };
    expect(page.of('notice')).toMatchObject([expected, expected]);
    expect(page.curves).toEqual(undisturbed);
    expect(page.machines).toEqual([{ update: 0, backend: 'webgpu' }]);
  });

  test.each([
    ['the first one', [3]],
    ['the one that replaces it', [Number.POSITIVE_INFINITY, 3]],
  ])('while kernels are compiled for %s ends with the same numbers', async (_, dieAfter) => {
    gpu.dieAfter = [...dieAfter];
    if (dieAfter.length > 1) gpu.loseAfter = [Math.round(2.5 * submissionsPerUpdate)];
    const page = await finished('webgpu');
    expect(page.curves).toEqual(undisturbed);
    expect(gpu.devices).toHaveLength(dieAfter.length + 1);
    expect(page.of('error')).toEqual([]);
  });

  test('while it is paused asks for another when resumed', async () => {
    const page = new SessionPage('webgpu', experiment);
    await page.session.prepare(false);
    page.session.step();
    await page.until(({ phase }) => phase === 'paused');
    gpu.devices.at(-1)?.destroy();
    await page.until(({ events }) => events.some((event) => event.type === 'phase' && /lost/.test(event.detail)));
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    expect(page.curves).toEqual(undisturbed);
    await page.session.dispose();
  });

  test('and finds no other is stranded, waits, and continues on the CPU when told to', async () => {
    gpu.loseAfter = [Math.round(3.5 * submissionsPerUpdate)];
    const page = new SessionPage('webgpu', experiment);
    await page.session.prepare(true);
    gpu.available = false;
    await page.until(({ phase }) => phase === 'stranded');
    expect(page.of('stranded')[0]?.advice).toMatch(/CPU/);
    // Two members suit one Worker; Node has no browser Workers here.
    await page.session.waysOn.continueOn('cpu');
    await page.until(({ phase }) => phase === 'finished');
    expect(page.of('notice').map(({ kind }) => kind)).toEqual(['switched']);
    expect(page.of('backend').at(-1)?.kind).toBe('cpu');
    // No snapshot had been taken yet, so the run began again, entirely on the CPU.
    expect(page.machines).toEqual([{ update: 0, backend: 'cpu' }]);
    expect(page.of('error')).toEqual([]);
    await page.session.dispose();
  });

  test('after a snapshot and continues on the CPU says from which update on', async () => {
    gpu.loseAfter = [Math.round(12.5 * submissionsPerUpdate)];
    const page = new SessionPage('webgpu', experiment);
    await page.session.prepare(true);
    gpu.available = false;
    await page.until(({ phase }) => phase === 'stranded');
    await page.session.waysOn.continueOn('cpu');
    await page.until(({ phase }) => phase === 'finished');
    expect(page.machines).toEqual([
      { update: 0, backend: 'webgpu' },
      { update: SNAPSHOT_EVERY, backend: 'cpu' },
    ]);
    await page.session.dispose();
  });
});
