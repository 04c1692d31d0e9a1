// Runs whose policies are kept: how the page finds them again, and how it goes on from them.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultPreset, findPreset } from '../../src/experiment/presets/presets';
import { NUMERICS } from '../../src/experiment/provenance';
import { resultOf } from '../../src/measured/sentResult';
import type { KeptRun } from '../../src/storage/runs';
import { UNDO_FOR } from '../../src/store/keep/deletedRuns';
import { hasPolicies } from '../../src/store/keep/policies';
import { openLab } from '../../src/store/openLab';
import { workers } from './scriptedWorker';
import { browser, keep, MEMBERS, measure, measured, settled } from './visits';

const { experiment } = defaultPreset;
const LINK = '#preset=gridworld-tiny';

beforeEach(() => {
  vi.useFakeTimers();
});

/** A page that trained for some updates, of which it kept some, and is gone. */
async function cutOff({ states, visit }: ReturnType<typeof browser>, fragment = '', of = MEMBERS) {
  const { lab, worker } = visit(fragment);
  lab.editor.run();
  worker.latest.enter('running');
  measure(worker.latest, 0, 3, of);
  await keep(lab, worker.latest, states, 2);
  return { lab, worker, run: lab.store.getState().run };
}

describe('a run that was cut off', () => {
  test('is in the list as soon as its policies are kept, and comes back with them', async () => {
    const here = browser();
    const { run } = await cutOff(here);
    expect([...here.runs.values()]).toMatchObject([{ run, updates: 3 }]);
    const { lab, worker } = here.visit();
    await settled();
    expect(lab.store.getState()).toMatchObject({ phase: 'restored', run, keptUpdate: 2, update: 2 });
    expect(hasPolicies(lab.store.getState())).toBe(true);
    await lab.runner.resumeKept();
    const start = worker.latest.commands.find(({ type }) => type === 'start');
    expect(start).toMatchObject({ trains: true, experiment, keep: { run, resume: true } });
    expect(lab.store.getState().phase).toBe('preparing');
  });

  test('is told after as many updates as its policies, in the list, on screen and in its files, also where its curves were not written since', async () => {
    const here = browser();
    const { lab: before, worker } = await cutOff(here);
    measure(worker.latest, 3, 5, MEMBERS, 0.75);
    await keep(before, worker.latest, here.states, 5, 2);
    await keep(before, worker.latest, here.states, 7, 5);
    expect([...here.runs.values()]).toMatchObject([{ updates: 3 }]);

    const { lab } = here.visit();
    await vi.advanceTimersByTimeAsync(1000);
    const listed = lab.kept.store.getState().runs[0] as KeptRun;
    expect([listed.updates, lab.store.getState()]).toMatchObject([7, { update: 7, keptUpdate: 7, phase: 'restored' }]);
    await Promise.all([lab.kept.pin(listed), vi.advanceTimersByTimeAsync(100)]);
    const [file] = await Promise.all([lab.kept.read(listed), vi.advanceTimersByTimeAsync(100)]);
    const histories = [lab.store.getState().history, lab.recordedRuns()[1]?.history, file?.history];
    for (const history of histories) {
      expect([history?.count, history?.at(2, 0, 0, 'successRate'), history?.at(6, 0, 0, 'successRate')]).toEqual([
        7, 0.25, 0.75,
      ]);
    }
    const [result] = await Promise.all([
      resultOf(experiment, file?.history as never, ''),
      vi.advanceTimersByTimeAsync(100),
    ]);
    expect(result(10).updates).toBe(7);
  });

  test('is shown as far as its curves are whole, where a piece of them is damaged', async () => {
    const here = browser();
    const { lab: before, worker } = await cutOff(here);
    measure(worker.latest, 3, 5);
    await keep(before, worker.latest, here.states, 7);
    here.states.damageCurves(before.store.getState().run);
    const { lab } = here.visit();
    await vi.advanceTimersByTimeAsync(1000);
    expect(lab.kept.store.getState().problem).toBeNull();
    expect(lab.store.getState()).toMatchObject({ update: 3, keptUpdate: 7, phase: 'restored' });
  });

  test('whose number of updates was raised is written at once with it', async () => {
    const here = browser();
    await cutOff(here);
    const { lab, worker } = here.visit();
    await settled();
    await lab.runner.resumeKept();
    worker.latest.enter('running', 2);
    measure(worker.latest, 2, 1);
    lab.editor.edit({ ...lab.store.getState().edited, updates: 900 });
    await vi.advanceTimersByTimeAsync(200);
    expect([...here.runs.values()]).toMatchObject([{ experiment: { updates: 900 } }]);
  });

  test('goes on where the kept state was, also when later curves are there, and stays the same run', async () => {
    const here = browser();
    const { run } = await cutOff(here);
    const { lab, worker } = here.visit();
    await settled();
    await lab.runner.resumeKept();
    const change = { update: 1, arm: '*', setting: 'learningRate', value: 0.25 };
    const planned = { update: 9, arm: '*', setting: 'learningRate', value: 0.5 };
    const machines = [{ update: 0, backend: 'cpu' as const }];
    const [values, seconds] = [measured(2, 0.75), new Float32Array(2)];
    const then = { isKept: true, update: 2, updates: 300, timeline: [change, planned], machines };
    worker.latest.say({ type: 'resumed', ...then, members: MEMBERS, values, seconds });
    const { history, edited, told, update, running } = lab.store.getState();
    expect([history?.count, update, history?.at(1, 0, 0, 'successRate')]).toEqual([2, 2, 0.75]);
    expect(running?.timeline).toEqual([change, planned]);
    expect([edited, { arms: told }].map(({ arms }) => arms[0]?.learningRate)).toEqual([0.25, 0.25]);
    worker.latest.enter('running', 2);
    await vi.advanceTimersByTimeAsync(1000);
    // Nothing was edited, so nothing is sent.
    expect(worker.latest.commands.map(({ type }) => type)).not.toContain('change');
    measure(worker.latest, 2, 8);
    expect(lab.store.getState().told[0]?.learningRate).toBe(0.5);
    await keep(lab, worker.latest, here.states, 10, 2);
    worker.latest.enter('paused', 10);
    await settled();
    expect([...here.runs.values()]).toMatchObject([{ run, updates: 10 }]);
  });

  test('of other numerics waits for the person, who may go on all the same', async () => {
    const here = browser();
    await cutOff(here);
    const code = { version: '9.9.9', numerics: NUMERICS.cpu + 1 };
    for (const [id, kept] of here.runs) here.runs.set(id, { ...kept, machines: [{ update: 0, backend: 'cpu', code }] });
    const { lab, worker } = here.visit();
    await settled();
    const resumes = (): unknown => worker.latest.commands.find(({ type }) => type === 'start');
    await lab.runner.resumeKept();
    expect([lab.store.getState().phase, resumes()]).toEqual(['restored', undefined]);
    await lab.runner.resumeKept(true);
    expect([lab.store.getState().phase, resumes()]).toMatchObject(['preparing', { keep: { resume: true } }]);
  });

  test('takes up what was edited before it goes on, as live changes', async () => {
    const here = browser();
    await cutOff(here);
    const { lab, worker } = here.visit();
    await settled();
    lab.editor.editArms('learningRate', 0.125, () => true);
    await lab.runner.resumeKept();
    const then = { isKept: true, update: 2, updates: 300, timeline: [], machines: [] };
    worker.latest.say({
      type: 'resumed',
      ...then,
      members: MEMBERS,
      values: measured(2, 0.5),
      seconds: new Float32Array(2),
    });
    worker.latest.enter('running', 2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(worker.latest.commands.find(({ type }) => type === 'change')).toMatchObject({
      changes: [{ arm: '*', setting: 'learningRate', value: 0.125 }],
    });
  });

  test('is offered, not shown, where a link brought its settings, and not where it brought others', async () => {
    const here = browser();
    const tiny = findPreset('gridworld-tiny')?.experiment;
    const { run } = await cutOff(here, LINK, (tiny?.arms.length ?? 0) * (tiny?.seeds ?? 0));
    const other = here.visit('#preset=gridworld');
    await settled();
    expect(other.lab.kept.store.getState().offered).toBeNull();
    const { lab, worker } = here.visit(LINK);
    await settled();
    expect(lab.store.getState().phase).toBe('idle');
    expect(lab.kept.store.getState().offered).toMatchObject({ run });
    const resumed = lab.kept.resumeOffered();
    await vi.advanceTimersByTimeAsync(100);
    await resumed;
    expect(worker.latest.commands.find(({ type }) => type === 'start')).toMatchObject({ keep: { run, resume: true } });
    expect(lab.kept.store.getState().offered).toBeNull();
  });

  test('is offered where the browser has lost its settings', async () => {
    const here = browser();
    const tiny = findPreset('gridworld-tiny')?.experiment;
    const { run } = await cutOff(here, LINK, (tiny?.arms.length ?? 0) * (tiny?.seeds ?? 0));
    const { lab } = here.visit();
    await settled();
    expect([lab.store.getState().phase, lab.kept.store.getState().offered?.run]).toEqual(['idle', run]);
  });

  test('that is starred keeps its policies; that is deleted takes them along', async () => {
    const here = browser();
    const { run } = await cutOff(here);
    const { lab } = here.visit('#preset=gridworld');
    await settled();
    await Promise.all([lab.kept.annotate(1, { starred: true }), settled()]);
    expect(here.states.entries.get(run)?.starred).toBe(true);
    await Promise.all([lab.kept.remove(1), settled()]);
    expect([...here.states.entries.keys()]).toEqual([run]);
    await vi.advanceTimersByTimeAsync(UNDO_FOR);
    expect([...here.states.entries.keys()]).toEqual([]);
  });
});

test('policies that are not kept are said not to be until they are, whatever else is told meanwhile', async () => {
  const { visit, states } = browser();
  const { lab, worker } = visit();
  lab.editor.run();
  worker.latest.enter('running');
  measure(worker.latest, 0, 2);
  worker.latest.say({ type: 'notice', kind: 'not-kept', update: 2, text: 'No room.' });
  worker.latest.say({ type: 'notice', kind: 'recovered', update: 2, text: 'Another device.' });
  expect(lab.store.getState()).toMatchObject({ unkept: 'No room.', notice: { text: 'Another device.' } });
  await keep(lab, worker.latest, states, 2);
  expect(lab.store.getState().unkept).toBeNull();
});

test('a page that is hidden has its policies kept at once', async () => {
  const listeners = new Map<string, () => void>();
  const document = {
    visibilityState: 'hidden',
    addEventListener: (name: string, listen: () => void) => listeners.set(name, listen),
  };
  vi.stubGlobal('document', document);
  const { lab, worker } = browser().visit();
  lab.editor.run();
  listeners.get('visibilitychange')?.();
  vi.unstubAllGlobals();
  expect(worker.latest.commands.at(-1)).toEqual({ type: 'keep' });
});

test('a lab in another page’s frame keeps nothing', () => {
  const worker = workers();
  const lab = openLab('', worker.start, null);
  lab.editor.run();
  expect(worker.latest.commands.find(({ type }) => type === 'start')).toMatchObject({ keep: null });
});
