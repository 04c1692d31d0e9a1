/** A session whose device is lost at awkward moments: the run must end with the same numbers as an undisturbed one. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { codeHere } from '../../src/experiment/provenance';
import { LabError } from '../../src/foundation/errors';
import { METRICS } from '../../src/rl/measure/metrics';
import { Trainer } from '../../src/train/population/trainer';
import type { BackendChoice } from '../../src/train/protocol';
import { SNAPSHOT_EVERY } from '../../src/train/run/keep/recovery';
import { FaultyGpu } from '../support/faultyGpu';
import { faultyGpuHere, stubGpu } from '../support/faultyGpuHere';
import { isNightly } from '../support/nightly';
import { finishedPage, SessionPage, steppedPage, twoMembers } from '../support/sessionPage';

const UPDATES = 14;
const experiment = twoMembers(UPDATES);

const gpu = faultyGpuHere();

const finished = (choice: BackendChoice) => finishedPage(choice, experiment);

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
    const page = await steppedPage('cpu', experiment);
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
  });
});

describe('a session whose device is lost', () => {
  let undisturbed: number[];
  let submissionsPerUpdate: number;
  beforeEach(async () => {
    if (undisturbed === undefined) {
      undisturbed = (await finished('webgpu')).curves;
      submissionsPerUpdate = gpu().submissions / UPDATES;
    }
    expect(undisturbed).toHaveLength(UPDATES * experiment.arms.length * METRICS.length);
  });

  // A real device compiles all kernels again; by day one is lost in browsers (test/browser/recovery.browser.test.ts).
  test.each(isNightly ? (['real', 'lasting'] as const) : (['lasting'] as const))(
    'in the middle of an update, before any snapshot, ends with the same numbers (a %s device)',
    async (first) => {
      const other = await FaultyGpu.create(first);
      stubGpu(other);
      other.loseAfter = [Math.round(2.5 * submissionsPerUpdate)];
      const page = await finished('webgpu');
      expect(page.of('notice')).toMatchObject([{ kind: 'recovered', update: 0 }]);
      expect(page.curves).toEqual(undisturbed);
    },
  );

  test('twice, after a snapshot, ends with the same numbers', async () => {
    gpu().loseAfter = [Math.round(12.5 * submissionsPerUpdate), Math.round(1.5 * submissionsPerUpdate)];
    const page = await finished('webgpu');
    // From the snapshot of update 10, not from the start.
    const expected = { kind: 'recovered', update: SNAPSHOT_EVERY };
    expect(page.of('notice')).toMatchObject([expected, expected]);
    expect(page.curves).toEqual(undisturbed);
    expect(page.machines).toEqual([{ update: 0, backend: 'webgpu', code: codeHere('webgpu') }]);
  });

  test.each([
    ['the first one', [3]],
    ['the one that replaces it', [Number.POSITIVE_INFINITY, 3]],
  ])('while kernels are compiled for %s ends with the same numbers', async (_, dieAfter) => {
    gpu().dieAfter = [...dieAfter];
    if (dieAfter.length > 1) gpu().loseAfter = [Math.round(2.5 * submissionsPerUpdate)];
    const page = await finished('webgpu');
    expect(page.curves).toEqual(undisturbed);
    expect(gpu().devices).toHaveLength(dieAfter.length + 1);
    expect(page.of('error')).toEqual([]);
  });

  test('while it is paused asks for another when resumed', async () => {
    const page = await steppedPage('webgpu', experiment);
    gpu().devices.at(-1)?.destroy();
    await page.until(({ events }) => events.some((event) => event.type === 'phase' && /lost/.test(event.detail)));
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    expect(page.curves).toEqual(undisturbed);
  });

  test('and finds no other is stranded, waits, and continues on the CPU when told to', async () => {
    gpu().loseAfter = [Math.round(3.5 * submissionsPerUpdate)];
    const page = new SessionPage('webgpu', experiment);
    await page.session.prepare(true);
    gpu().available = false;
    await page.until(({ phase }) => phase === 'stranded');
    expect(page.of('stranded')[0]?.advice).toMatch(/CPU/);
    // Two members suit one Worker; Node has no browser Workers here.
    await page.session.waysOn.continueOn('cpu');
    await page.until(({ phase }) => phase === 'finished');
    expect(page.of('notice').map(({ kind }) => kind)).toEqual(['switched']);
    expect(page.of('backend').at(-1)?.kind).toBe('cpu');
    // No snapshot had been taken yet, so the run began again, entirely on the CPU.
    expect(page.machines).toEqual([{ update: 0, backend: 'cpu', code: codeHere('cpu') }]);
    expect(page.of('error')).toEqual([]);
  });

  test('after a snapshot and continues on the CPU says from which update on', async () => {
    gpu().loseAfter = [Math.round(12.5 * submissionsPerUpdate)];
    const page = new SessionPage('webgpu', experiment);
    await page.session.prepare(true);
    gpu().available = false;
    await page.until(({ phase }) => phase === 'stranded');
    await page.session.waysOn.continueOn('cpu');
    await page.until(({ phase }) => phase === 'finished');
    expect(page.machines).toEqual([
      { update: 0, backend: 'webgpu', code: codeHere('webgpu') },
      { update: SNAPSHOT_EVERY, backend: 'cpu', code: codeHere('cpu') },
    ]);
  });
});
