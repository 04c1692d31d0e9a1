/** A run that cannot go on by itself: its device is gone, its world went wrong, or there is nothing to run on. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openLab } from '../../src/store/openLab';
import { runningLab, workers } from './scriptedWorker';

beforeEach(() => {
  vi.useFakeTimers();
});

const running = () => runningLab('#preset=gridworld');

describe('a run', () => {
  test('that is stranded waits for the person, keeps its curves and goes on where they choose', () => {
    const { lab, worker } = running();
    worker.latest.say({ type: 'stranded', update: 7, text: 'The GPU went away.', advice: 'Continue on the CPU.' });
    worker.latest.enter('stranded', 7);
    expect(lab.store.getState()).toMatchObject({ phase: 'stranded', failure: { update: 7 } });
    expect(lab.store.getState().history).not.toBeNull();
    lab.runner.continueOn('cpu');
    expect(worker.latest.commands.at(-1)).toEqual({ type: 'continue', backend: 'cpu' });
    worker.latest.say({ type: 'notice', kind: 'recovered', update: 0, text: 'Another was opened.' });
    worker.latest.enter('running', 7);
    expect(lab.store.getState()).toMatchObject({
      phase: 'running',
      failure: null,
      happenings: [{ update: 0, text: 'Another was opened.' }],
    });
  });

  test('whose world went wrong waits with the place, and goes on in the mended world', () => {
    const { lab, worker } = running();
    const place = { line: 12, column: 3 };
    const text = 'step() threw “no” (line 12).';
    worker.latest.say({ type: 'stranded', update: 7, text, advice: 'Correct the world’s file.', world: place });
    worker.latest.enter('stranded', 7);
    const failure = { what: text, advice: 'Correct the world’s file.', update: 7, world: place };
    expect(lab.store.getState()).toMatchObject({ phase: 'stranded', failure });
    lab.runner.mendWorld('export default 1');
    expect(worker.latest.commands.at(-1)).toEqual({ type: 'mend', world: 'export default 1' });
    const environment = { id: 'own', settings: { world: 'export default 1' } };
    worker.latest.say({ type: 'went-back', update: 0, changes: [], environment });
    worker.latest.enter('running', 0);
    expect(lab.store.getState()).toMatchObject({
      phase: 'running',
      failure: null,
      running: { environment },
      edited: { environment },
    });
    expect(lab.store.getState().happenings.at(-1)?.text).toMatch(/as it was mended/);
  });

  test('that fails while it is stranded waits for nobody any more', () => {
    const { lab, worker } = running();
    worker.latest.say({ type: 'stranded', update: 7, text: 'The GPU went away.', advice: 'Continue on the CPU.' });
    worker.latest.enter('stranded', 7);
    worker.latest.say({ type: 'error', code: 'internal', message: 'It broke.', advice: '' });
    expect(lab.store.getState()).toMatchObject({ phase: 'failed', failure: { what: 'It broke.' } });
  });

  test('that cannot even be probed is said before it begins, and is no failure of a run', () => {
    const worker = workers();
    const lab = openLab('#preset=gridworld', worker.start);
    const nothing = { type: 'no-backend', message: 'No GPU. Use the CPU.', advice: 'Use the CPU.' } as const;
    worker.latest.say(nothing);
    const { store } = lab;
    expect(store.getState()).toMatchObject({ phase: 'idle', failure: null, notice: { text: 'No GPU.' } });
    expect(store.getState().foundNothing).toBe(true);
    lab.runner.probe();
    expect(store.getState().foundNothing).toBe(false);
    // Answered late, when a run has begun on what was chosen instead.
    lab.editor.run();
    worker.latest.say(nothing);
    expect(store.getState()).toMatchObject({ phase: 'preparing', failure: null, notice: null, foundNothing: false });
  });
});
