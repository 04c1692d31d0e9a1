// Kept runs, with an archive in memory: when they are written, their names, and how they come back.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultPreset } from '../../src/experiment/presets/presets';
import { LabError } from '../../src/foundation/errors';
import type { KeptCurves, KeptRun, RunArchive } from '../../src/storage/runs';
import { UNDO_FOR } from '../../src/store/keep/deletedRuns';
import { openLab } from '../../src/store/openLab';
import { memoryRuns } from '../support/memoryRuns';
import { workers } from './scriptedWorker';
import { measured, settled } from './visits';

const { experiment } = defaultPreset;
const members = experiment.arms.length * experiment.seeds;

const measure = (worker: Workers, update: number, count: number, success: number): void =>
  worker.latest.measure(update, count, members, measured(count, success));

function open(archive: RunArchive | Promise<RunArchive>, fragment = '') {
  const worker = workers();
  const lab = openLab(fragment, worker.start, async () => archive, null);
  return { worker, lab };
}

type Workers = ReturnType<typeof workers>;

/** Waits for work that takes several tasks. */
const toEnd = (work: Promise<unknown>) => Promise.all([work, settled()]);

/** A run that was measured at its first updates, rests, and is kept. */
async function keptRun(updates: number, success: number, phase: 'finished' | 'paused' = 'finished') {
  const memory = memoryRuns();
  const { worker, lab } = open(memory.archive);
  await train({ worker, lab }, updates, success, phase);
  return { ...memory, worker, lab };
}

/** Begins a run, measures its first updates and lets it rest. */
async function train(
  { worker, lab }: ReturnType<typeof open>,
  updates = 2,
  success = 0.75,
  phase: 'finished' | 'paused' = 'finished',
): Promise<void> {
  lab.editor.run();
  measure(worker, 0, updates, success);
  worker.latest.enter(phase, updates);
  await settled();
}

beforeEach(() => {
  vi.useFakeTimers();
});

describe('a run', () => {
  test('is kept with its first measurement, when it pauses, again when it ends, and when another takes its place', async () => {
    const { archive, runs } = memoryRuns();
    const { worker, lab } = open(archive);
    lab.editor.run();
    worker.latest.enter('running');
    measure(worker, 0, 3, 0.25);
    await settled();
    expect([...runs.values()].map(({ updates, name }) => [updates, name])).toEqual([[3, experiment.title]]);
    measure(worker, 3, 1, 0.25);
    await settled();
    expect([...runs.values()].map(({ updates }) => updates)).toEqual([3]);
    worker.latest.enter('paused', 4);
    await settled();
    expect([...runs.values()].map(({ updates }) => updates)).toEqual([4]);
    measure(worker, 4, 1, 0.5);
    lab.editor.reset('values');
    await settled();
    expect([...runs.values()].map(({ updates }) => updates)).toEqual([5]);
    lab.editor.run();
    measure(worker, 0, 1, 0.5);
    worker.latest.enter('finished', 1);
    await settled();
    expect([...runs.values()].map(({ name }) => name)).toEqual([experiment.title, 'the same again']);
  });

  test('comes back on the next visit with its curves, and is not written twice', async () => {
    const { archive, runs } = await keptRun(2, 0.75);
    const { lab } = open(archive);
    await settled();
    const { phase, history, update, running } = lab.store.getState();
    expect({ phase, update, running }).toEqual({ phase: 'restored', update: 2, running: experiment });
    expect(history?.at(1, 1, 3, 'successRate')).toBe(0.75);
    expect(history?.at(1, 2, 3, 'kl')).toBeNaN();
    lab.editor.run();
    await settled();
    expect(runs.size).toBe(1);
  });

  test('keeps its date when it is opened, and when its policies are loaded', async () => {
    const { archive, runs } = await keptRun(2, 0.75);
    const [{ date } = { date: 0 }] = runs.values();
    await vi.advanceTimersByTimeAsync(60_000);
    const { lab, worker } = open(archive);
    await settled();
    const values = lab.store.getState().history?.values();
    const { updates } = experiment;
    const resumed = { isKept: true, update: 2, updates, timeline: [], machines: [], members, values };
    worker.latest.say({ type: 'resumed', ...resumed, seconds: new Float32Array(2) } as never);
    worker.latest.enter('paused', 2);
    await settled();
    expect(lab.store.getState()).toMatchObject({ phase: 'paused', keptUpdate: 2 });
    expect([...runs.values()].map((run) => run.date)).toEqual([date]);
  });

  test('comes back with what was looked at, also when somebody looked after it had ended', async () => {
    const { archive, kept } = memoryRuns();
    const first = open(archive);
    first.lab.editor.run();
    measure(first.worker, 0, 2, 0.75);
    const probes = { target: 'agent', moment: 'action', examples: 9, classes: 2, majority: 0.5 } as const;
    const found = [{ arm: 'mask', seed: 0, probes: [{ ...probes, accuracy: [0.75], untrained: [0.5] }] }];
    first.worker.latest.say({ type: 'probed', update: 1, members: found });
    first.worker.latest.enter('finished', 2);
    await settled();
    const dreams = [{ arm: 'mask', dreamed: [4, 2], agreed: [3, 1], sensitivity: Number.NaN }];
    first.worker.latest.say({ type: 'dreams', id: 1, update: 2, dreams } as never);
    await settled();
    const reading = { step: 4, members: [[0.5, null, 1, 0, 2, 3, -1]] };
    first.worker.latest.say({ type: 'warm-start', reading } as never);
    await settled();
    const { lab } = open(archive);
    await settled();
    const { phase, probed, dreamPoints, warmStart } = lab.store.getState();
    expect(warmStart).toEqual([reading]);
    expect(phase).toBe('restored');
    expect(probed).toEqual([{ update: 1, members: found }]);
    const agreement = [0.75, 0.5, Number.NaN, 0.5];
    expect(dreamPoints).toEqual([{ update: 2, byArm: { mask: { agreement, sensitivity: Number.NaN } } }]);

    const [curves] = kept.values();
    kept.set(1, { ...(curves as KeptCurves), looks: { probed: 'of another version' } });
    const later = open(archive).lab;
    await settled();
    expect(later.store.getState()).toMatchObject({ phase: 'restored', probed: [], dreamPoints: [] });
  });

  test('stays away when a link brought other settings', async () => {
    const { archive } = await keptRun(2, 0.75);
    const { lab } = open(archive, '#preset=gridworld');
    await settled();
    expect(lab.store.getState().phase).toBe('idle');
    expect(lab.kept.store.getState().runs).toHaveLength(1);
  });

  test('written before a metric was added reads back with that metric unmeasured', async () => {
    const { archive, runs, kept } = memoryRuns();
    const values = new Float32Array(2 * members * 2).map((_, i) => (i % 2 === 0 ? 7 : 0.5));
    const run = {
      id: 1,
      date: 0,
      experiment,
      name: 'old',
      note: '',
      starred: false,
      tags: [],
      deleted: null,
      success: [],
      updates: 2,
      device: '',
      machines: [],
    };
    runs.set(1, { ...run, bytes: 0, seconds: null });
    kept.set(1, { metrics: ['noLongerMeasured', 'successRate'], values });
    const { lab } = open(archive);
    await settled();
    expect(lab.store.getState().history?.at(1, 0, 0, 'successRate')).toBe(0.5);
    expect(lab.store.getState().history?.at(1, 0, 0, 'return')).toBeNaN();
  });

  test('joins the comparison when it is asked for, alone, beside a pinned one once, and never beside itself', async () => {
    const { archive, runs } = await keptRun(3, 0.75);
    const { lab, worker } = open(archive, '#preset=gridworld');
    await settled();
    expect(lab.recordedRuns()).toEqual([]);
    const kept = [...runs.values()][0] as KeptRun;
    await toEnd(lab.kept.compare(kept, true));
    expect(lab.recordedRuns().map(({ id, history }) => [id, history.count])).toEqual([[1, 3]]);
    lab.editor.run();
    measure(worker, 0, 2, 0.5);
    expect(lab.recordedRuns().map(({ id }) => id)).toEqual([0, 1]);
    await toEnd(lab.kept.pin(kept));
    expect(lab.recordedRuns().map(({ id }) => id)).toEqual([0, 1]);
    await toEnd(lab.kept.pin(null));
    await toEnd(lab.kept.show(kept));
    expect(lab.recordedRuns().map(({ id }) => id)).toEqual([0]);
    await toEnd(lab.kept.compare(kept, false));
    expect(lab.kept.store.getState().compared).toEqual([]);
  });

  test('pinned stands behind the charts and in the comparison', async () => {
    const { runs, lab } = await keptRun(2, 0.75);
    await toEnd(lab.kept.pin([...runs.values()][0] as KeptRun));
    const behind = lab.store.getState().ghost?.curves;
    behind?.advance('successRate', { limit: 10 }, Number.POSITIVE_INFINITY);
    expect(behind?.points('successRate', { limit: 10 }).points[1]?.mean).toEqual(experiment.arms.map(() => 0.75));
    expect(lab.recordedRuns().map(({ label }) => label)).toEqual(['', experiment.title]);
    await toEnd(lab.kept.remove(1));
    expect(lab.store.getState().ghost).toBeNull();
    expect(lab.recordedRuns()).toHaveLength(1);
  });

  test('that was deleted comes back as it was, until its time is over', async () => {
    const { archive, runs, lab } = await keptRun(2, 0.25);
    await toEnd(lab.kept.annotate(1, { note: 'look', tags: ['first'] }));
    await toEnd(lab.kept.remove(1));
    expect(lab.kept.store.getState()).toMatchObject({ runs: [], deleted: [{ id: 1 }] });
    await vi.advanceTimersByTimeAsync(UNDO_FOR - 1);
    await toEnd(lab.kept.undelete());
    await vi.advanceTimersByTimeAsync(UNDO_FOR);
    const kept = { id: 1, note: 'look', tags: ['first'], success: experiment.arms.map(() => 0.25) };
    expect(lab.kept.store.getState()).toMatchObject({ runs: [kept], deleted: [] });
    await toEnd(lab.kept.remove(1));
    // Another visit, after the page was closed.
    const { lab: next } = open(archive);
    await settled();
    expect(next.kept.store.getState()).toMatchObject({ runs: [], deleted: [{ id: 1 }] });
    await vi.advanceTimersByTimeAsync(UNDO_FOR);
    expect(runs.size).toBe(0);
    expect(next.kept.store.getState().deleted).toEqual([]);
  });

  test('that was deleted while it trains is not kept again', async () => {
    const { runs, worker, lab } = await keptRun(2, 0.25, 'paused');
    await toEnd(lab.kept.remove(1));
    worker.latest.enter('running', 2);
    measure(worker, 2, 2, 0.25);
    worker.latest.enter('paused', 4);
    await settled();
    expect(lab.kept.store.getState()).toMatchObject({ runs: [], shown: null });
    await vi.advanceTimersByTimeAsync(UNDO_FOR);
    expect(runs.size).toBe(0);
    measure(worker, 4, 2, 0.25);
    worker.latest.enter('finished', 6);
    await settled();
    expect([runs.size, lab.kept.store.getState().problem]).toEqual([0, null]);
  });

  test('is kept on the way and drawn, also when the clock jumps back by an hour', async () => {
    const { archive, runs } = memoryRuns();
    const { worker, lab } = open(archive);
    lab.editor.run();
    worker.latest.enter('running');
    measure(worker, 0, 1, 0.25);
    await vi.advanceTimersByTimeAsync(1000);
    const { tick } = lab.store.getState();
    vi.setSystemTime(Date.now() - 3_600_000);
    measure(worker, 1, 1, 0.25);
    await vi.advanceTimersByTimeAsync(21_000);
    measure(worker, 2, 1, 0.25);
    await vi.advanceTimersByTimeAsync(1000);
    expect(lab.store.getState().tick).toBeGreaterThan(tick);
    expect([...runs.values()].map(({ updates }) => updates)).toEqual([3]);
  });

  test('is kept whole, also where its last numbers come after its end', async () => {
    const { archive, runs } = memoryRuns();
    const { worker, lab } = open(archive);
    lab.editor.run();
    worker.latest.enter('running');
    measure(worker, 0, 1, 0.25);
    await vi.advanceTimersByTimeAsync(1000);
    worker.latest.enter('finished', 10);
    measure(worker, 1, 9, 0.25);
    await vi.advanceTimersByTimeAsync(1000);
    expect([...runs.values()].map(({ updates }) => updates)).toEqual([10]);
  });

  test('that storage refuses trains on, and the refusal is said', async () => {
    const { archive } = memoryRuns();
    const { worker, lab } = open({ ...archive, put: () => Promise.reject(new Error('No room.')) });
    await train({ worker, lab }, 2, 0.75, 'paused');
    expect(lab.kept.store.getState().problem).toContain('No room.');
    expect(lab.store.getState().phase).toBe('paused');
  });

  test('that storage refuses for a moment is kept a little later, also when nothing trains any more', async () => {
    const { archive, runs } = memoryRuns();
    let refuses = true;
    const put: RunArchive['put'] = (...given) =>
      refuses ? Promise.reject(new Error('No room.')) : archive.put(...given);
    const { worker, lab } = open({ ...archive, put });
    await train({ worker, lab });
    // Something else that succeeds makes nothing kept.
    await toEnd(lab.kept.pin(null));
    expect([runs.size, lab.kept.store.getState().problem]).toEqual([0, expect.stringContaining('No room.')]);
    refuses = false;
    await vi.advanceTimersByTimeAsync(20_000);
    expect([runs.size, lab.kept.store.getState().problem]).toEqual([1, null]);
  });

  test('whose list could not be read for a moment is said to be kept a little later', async () => {
    const { archive } = memoryRuns();
    let refuses = false;
    const list: RunArchive['list'] = () => (refuses ? Promise.reject(new Error('Not now.')) : archive.list());
    const { worker, lab } = open({ ...archive, list });
    await settled();
    refuses = true;
    await train({ worker, lab });
    expect(lab.kept.store.getState().problem).toContain('Not now.');
    refuses = false;
    await vi.advanceTimersByTimeAsync(40_000);
    expect(lab.kept.store.getState()).toMatchObject({ problem: null, runs: [{ updates: 2 }] });
  });

  test('can be deleted where there is no room even to note that, and what waited for room is kept', async () => {
    const { archive, runs } = memoryRuns();
    let isFull = false;
    const full = (): Promise<never> => {
      const cause = new DOMException('Full.', 'QuotaExceededError');
      return Promise.reject(new LabError('storage', 'No room.', 'Delete runs.', { cause }));
    };
    const annotate: RunArchive['annotate'] = (...given) => (isFull ? full() : archive.annotate(...given));
    const put: RunArchive['put'] = (...given) => (isFull ? full() : archive.put(...given));
    const { worker, lab } = open({ ...archive, annotate, put });
    for (const isLast of [false, true]) {
      isFull = isLast;
      await train({ worker, lab });
    }
    expect(lab.kept.store.getState()).toMatchObject({ problem: 'No room. Delete runs.', runs: [{ id: 1 }] });
    const remove = lab.kept.remove(1);
    await settled();
    expect(lab.kept.store.getState()).toMatchObject({ problem: 'No room. Delete runs.', runs: [], deleted: [] });
    isFull = false;
    await toEnd(remove);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(lab.kept.store.getState().problem).toBeNull();
    expect([...runs.values()].map(({ name }) => name)).toEqual(['the same again']);
  });

  test('is said not to be kept where there is no storage at all', async () => {
    const worker = workers();
    const lab = openLab('', worker.start);
    await vi.waitFor(() => expect(lab.kept.store.getState().problem).toContain('storage could not be opened'), 60_000);
  });
});
