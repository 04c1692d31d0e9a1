/** Store of the kernels' page: one job at a time in a Worker of its own, beside a training run, which timing pauses. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openLab } from '../../src/store/openLab';
import type { DeviceLine, KernelNews, OperationCheck } from '../../src/train/kernels/report';
import { type ScriptedWorker, workers } from './scriptedWorker';

beforeEach(() => {
  vi.useFakeTimers();
});

const device: DeviceLine = { kind: 'webgpu', description: 'a GPU', software: false, reason: 'The GPU.' };
const check = (operation: string, seconds: number): OperationCheck => ({
  operation,
  variant: 'tiled',
  device,
  cases: [],
  seconds,
});

async function open() {
  const worker = workers();
  const lab = openLab('#preset=gridworld-tiny', worker.start);
  const trainer = worker.latest;
  const kernels = await lab.kernels();
  kernels.load();
  const own = worker.latest;
  const say = (news: KernelNews, to = worker.latest) => to.say({ type: 'kernels', news });
  say({ type: 'list', kernels: [] });
  return { lab, worker, trainer, own, kernels, say, state: () => kernels.store.getState() };
}

const types = ({ commands }: ScriptedWorker): string[] => commands.map(({ type }) => type);

describe('the page of kernels', () => {
  test('asks for the list once, in a Worker of its own', async () => {
    const { lab, own, trainer, kernels } = await open();
    expect(own).not.toBe(trainer);
    kernels.load();
    expect(own.commands).toEqual([{ type: 'kernels', job: { type: 'list' }, backend: 'auto' }]);
    expect(await lab.kernels()).toBe(kernels);
  });

  test('checks beside a run that trains, and keeps the newest of each operation', async () => {
    const { lab, own, trainer, kernels, say, state } = await open();
    lab.editor.run();
    trainer.enter('running', 3);
    kernels.check(['copy']);
    kernels.check(['embed']);
    expect(own.commands.slice(1)).toEqual([
      { type: 'kernels', job: { type: 'check', kernels: ['copy'] }, backend: 'auto' },
    ]);
    expect(types(trainer)).not.toContain('pause');
    say({ type: 'device', device });
    say({ type: 'progress', done: 1, of: 3, text: 'copy of 5' });
    expect(state()).toMatchObject({ work: { type: 'check' }, done: 1, of: 3, text: 'copy of 5', device });
    say({ type: 'checked', check: check('copy', 1) });
    say({ type: 'checked', check: check('copy', 2) });
    say({ type: 'checked', check: check('embed', 3) });
    say({ type: 'done' });
    expect(state().checks.map(({ operation, seconds }) => [operation, seconds])).toEqual([
      ['copy', 2],
      ['embed', 3],
    ]);
    expect(state().work).toBeNull();
    expect(types(trainer)).not.toContain('resume');
  });

  test('times while the run is paused, and lets it go on', async () => {
    const { lab, own, trainer, kernels, say, state } = await open();
    lab.editor.run();
    trainer.enter('running', 3);
    kernels.time('copy');
    expect(types(trainer).at(-1)).toBe('pause');
    expect(state()).toMatchObject({ work: { type: 'time' }, waiting: true });
    expect(own.commands).toHaveLength(1);
    trainer.enter('paused', 4);
    expect(own.commands.at(-1)).toMatchObject({ job: { type: 'time', kernel: 'copy' } });
    say({ type: 'done' });
    expect(types(trainer).at(-1)).toBe('resume');
    trainer.enter('running', 4);
    expect(state()).toMatchObject({ work: null, ended: null });
  });

  test('gives way to a run that is started, and to a measurement of the speed', async () => {
    const { lab, own, worker, kernels, state } = await open();
    kernels.time('copy');
    lab.editor.run();
    expect(own.terminated).toBe(true);
    expect(state()).toMatchObject({ work: null, ended: { what: expect.stringContaining('a run was started') } });
    lab.runner.reset();
    kernels.time('copy');
    const timing = worker.latest;
    lab.speed.start(['train'], true);
    expect(timing.terminated).toBe(true);
    expect(state().ended?.what).toMatch(/another measurement/);
    expect(worker.latest.commands).toMatchObject([{ type: 'measure' }]);
    expect(lab.speed.store.getState().phase).toBe('measuring');
  });

  test('stops at once and keeps what has come; a refusal says so and harms no run', async () => {
    const { lab, own, worker, trainer, kernels, say, state } = await open();
    lab.editor.run();
    trainer.enter('running', 3);
    kernels.check(['copy']);
    say({ type: 'checked', check: check('copy', 1) });
    kernels.stop();
    expect(own.terminated).toBe(true);
    expect(state()).toMatchObject({ work: null, ended: { what: 'Stopped.' }, checks: [{ operation: 'copy' }] });
    kernels.checkFixtures(new File(['{}'], 'mine.json'));
    expect(worker.latest).not.toBe(own);
    worker.latest.say({
      type: 'error',
      code: 'invalid-fixture',
      message: 'The file is no list of cases. See the docs.',
      advice: 'See the docs.',
    });
    expect(state()).toMatchObject({
      work: null,
      ended: {
        work: { type: 'fixtures', name: 'mine.json' },
        what: 'The file is no list of cases.',
        advice: 'See the docs.',
      },
    });
    expect(lab.store.getState()).toMatchObject({ phase: 'running', failure: null, notice: null });
  });

  test('forgets what is of another device', async () => {
    const { lab, kernels, say, state } = await open();
    kernels.check(['copy']);
    say({ type: 'device', device });
    say({ type: 'checked', check: check('copy', 1) });
    lab.preferences.setState({ backend: 'cpu' });
    expect(state()).toMatchObject({ work: null, device: null, checks: [], ended: null });
    expect(state().kernels).toEqual([]);
  });
});
