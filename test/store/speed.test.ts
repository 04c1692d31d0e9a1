/** Speed measured from the page: in a Worker of its own; a run is paused and resumed; measuring stops at once. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openLab } from '../../src/store/openLab';
import type { BenchmarkReport, Subject } from '../../src/train/bench/report';
import { type ScriptedWorker, workers } from './scriptedWorker';

beforeEach(() => {
  vi.useFakeTimers();
});

const report = (subject: 'train' | 'population'): BenchmarkReport => ({
  ...(subject === 'population'
    ? { subject, experiment: 'gridworld', rows: [] }
    : {
        subject,
        experiment: 'gridworld',
        members: 1,
        seconds: 1,
        tokens: 1,
        tokensPerSecond: 1,
        timing: 'host clock',
        parts: [],
        counts: { dispatches: 0, submissions: 0, uploads: 0, 'bytes uploaded': 0, readbacks: 0, 'bytes read back': 0 },
      }),
  backend: 'cpu',
  adapter: 'CPU',
  notes: [],
});

function open() {
  const worker = workers();
  const lab = openLab('#preset=gridworld-tiny', worker.start);
  return { lab, worker, trainer: worker.latest, state: () => lab.speed.store.getState() };
}

const SUBJECTS: readonly Subject[] = ['train', 'kernels', 'population'];

const types = ({ commands }: ScriptedWorker): string[] => commands.map(({ type }) => type);

describe('measuring', () => {
  test('asks a Worker of its own for every subject, on the chosen backend, and ends it when all have come', () => {
    const { lab, worker, trainer, state } = open();
    lab.preferences.setState({ backend: 'cpu' });
    lab.speed.start(SUBJECTS, true);
    expect(worker.latest).not.toBe(trainer);
    expect(worker.latest.commands).toEqual([{ type: 'measure', subjects: SUBJECTS, backend: 'cpu', quick: true }]);
    worker.latest.say({ type: 'measuring', subject: 'train', done: 0, of: 3, text: 'compiling' });
    expect(state()).toMatchObject({ phase: 'measuring', text: 'compiling', quick: true, done: 0 });
    for (const subject of ['train', 'population'] as const) {
      worker.latest.say({ type: 'measured', report: report(subject) });
    }
    expect(state()).toMatchObject({ phase: 'measuring', done: 2 });
    worker.latest.say({ type: 'measured', report: report('train') });
    expect(state()).toMatchObject({ phase: 'done', done: 3 });
    expect(worker.latest.terminated).toBe(true);
    expect(trainer.terminated).toBe(false);
  });

  test('while a run trains waits until it has paused, and lets it go on afterwards', () => {
    const { lab, worker, trainer, state } = open();
    lab.editor.run();
    trainer.enter('running', 3);
    lab.speed.start(SUBJECTS, false);
    expect(types(trainer).at(-1)).toBe('pause');
    expect(state().phase).toBe('waiting');
    expect(worker.count).toBe(1);
    trainer.enter('running', 4);
    expect(state().phase).toBe('waiting');
    trainer.enter('paused', 4);
    expect(state().phase).toBe('measuring');
    expect(types(worker.latest)).toEqual(['measure']);
    for (let i = 0; i < 3; i++) worker.latest.say({ type: 'measured', report: report('train') });
    expect(types(trainer).at(-1)).toBe('resume');
    trainer.enter('running', 4);
    expect(state().phase).toBe('done');
  });

  test('leaves a run alone that was paused before', () => {
    const { lab, worker, trainer } = open();
    lab.editor.run();
    trainer.enter('paused', 3);
    lab.speed.start(SUBJECTS, false);
    for (let i = 0; i < 3; i++) worker.latest.say({ type: 'measured', report: report('train') });
    expect(types(trainer)).not.toContain('pause');
    expect(types(trainer)).not.toContain('resume');
  });

  test('stops at once, keeps what was measured, and the run goes on', () => {
    const { lab, worker, trainer, state } = open();
    lab.editor.run();
    trainer.enter('running', 3);
    lab.speed.start(SUBJECTS, false);
    trainer.enter('paused', 4);
    worker.latest.say({ type: 'measured', report: report('train') });
    lab.speed.stop();
    expect(worker.latest.terminated).toBe(true);
    expect(state()).toMatchObject({ phase: 'stopped', reports: [{ subject: 'train' }] });
    expect(types(trainer).at(-1)).toBe('resume');
  });

  test('stopped while it waits lets the run go on', () => {
    const { lab, trainer, state } = open();
    lab.editor.run();
    trainer.enter('running', 3);
    lab.speed.start(SUBJECTS, false);
    lab.speed.stop();
    expect(types(trainer).slice(-2)).toEqual(['pause', 'resume']);
    trainer.enter('paused', 4);
    expect(state().phase).toBe('stopped');
  });

  test('gives way to a run that the person starts', () => {
    const { lab, worker, trainer, state } = open();
    lab.speed.start(SUBJECTS, false);
    const measuring = worker.latest;
    lab.editor.run();
    expect(measuring.terminated).toBe(true);
    expect(state()).toMatchObject({ phase: 'stopped', text: expect.stringContaining('a run was started') });
    expect(types(trainer)).not.toContain('resume');
  });

  test.each([
    [
      'is refused',
      (worker: ScriptedWorker) =>
        worker.say({ type: 'error', code: 'no-adapter', message: 'No GPU. Use the CPU.', advice: 'Use the CPU.' }),
      'No GPU.',
    ],
    ['crashes', (worker: ScriptedWorker) => worker.crash('out of memory'), 'out of memory'],
  ])('that %s says so, and harms no run', (_, fail, words) => {
    const { lab, worker, trainer, state } = open();
    lab.editor.run();
    trainer.enter('running', 3);
    lab.speed.start(SUBJECTS, false);
    trainer.enter('paused', 4);
    fail(worker.latest);
    expect(state()).toMatchObject({ phase: 'failed', failure: { what: expect.stringContaining(words) } });
    expect(lab.store.getState()).toMatchObject({ phase: 'paused', failure: null, notice: null });
    expect(types(trainer).at(-1)).toBe('resume');
    lab.speed.start(SUBJECTS, true);
    expect(state()).toMatchObject({ failure: null, reports: [] });
  });
});
