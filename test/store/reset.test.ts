/** Reset: what is asked before it, what it leaves on screen, what is kept, and the way back. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { KeptRun } from '../../src/storage/runs';
import { changesMade } from '../../src/store/edit/restart';
import { browser, keep, measure, settled } from './visits';

beforeEach(() => {
  vi.useFakeTimers();
});

/** Pressed as in the page. */
const WHY = 'Reset clears the screen.';

/** A run of eight updates whose policies are kept after the first five. */
async function trained() {
  const here = browser();
  const { lab, worker } = here.visit();
  await settled();
  lab.editor.run();
  worker.latest.enter('running');
  measure(worker.latest, 0, 8);
  await keep(lab, worker.latest, here.states, 5);
  const press = () => lab.leaving.ask(WHY, () => lab.editor.reset('values'));
  return {
    ...here,
    lab,
    worker,
    press,
    state: () => lab.store.getState(),
    asked: () => lab.leaving.store.getState().asked,
  };
}

test('says what would be lost, and changes nothing before the answer nor where that is no', async () => {
  const { lab, worker, press, state, asked } = await trained();
  press();
  expect(asked()).toMatchObject({ why: WHY, stake: { updates: 8, isLive: true, isUnkept: false, keptUpdate: 5 } });
  const before = state();
  lab.leaving.answer(false);
  expect([state(), asked(), worker.latest.terminated]).toEqual([before, null, false]);
});

test('asks nothing of a run that rests and is kept as it is', async () => {
  const { lab, worker, states, press, state, asked } = await trained();
  worker.latest.enter('paused', 8);
  await keep(lab, worker.latest, states, 8, 5);
  const { latest } = worker;
  press();
  expect([asked(), state().phase, latest.terminated]).toEqual([null, 'idle', true]);
});

test('a finished run keeps its last state before its trainer ends, and is listed with it', async () => {
  const { lab, worker, states, state } = await trained();
  const { run } = state();
  worker.latest.enter('finished', 8);
  const { latest } = worker;
  lab.editor.run();
  expect([state().phase, latest.commands.at(-1), latest.terminated]).toEqual(['preparing', { type: 'leave' }, false]);
  await settled();
  const listed = () => lab.kept.store.getState().runs.find((one) => one.run === run)?.updates;
  expect(listed()).toBe(5);
  const save = { run, update: 8, updates: 300, seconds: 1, from: 8, curves: null, healthy: true };
  await states.put({ ...save, state: new Uint8Array(8) });
  latest.say({ type: 'left' });
  await settled();
  expect([listed(), latest.terminated]).toEqual([8, true]);
});

test('a trainer that never says it has left is ended all the same', async () => {
  const { lab, worker } = await trained();
  worker.latest.enter('finished', 8);
  const { latest } = worker;
  lab.editor.reset('values');
  expect(latest.terminated).toBe(false);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(latest.terminated).toBe(true);
});

test('what is asked is of the run as it is now; once agreed to it rests, and ends when its policies are kept as they are', async () => {
  const { lab, worker, states, press, state, asked, runs } = await trained();
  press();
  measure(worker.latest, 8, 4);
  expect(asked()?.stake).toMatchObject({ updates: 12, keptUpdate: 5 });
  await keep(lab, worker.latest, states, 9, 5);
  expect(asked()?.stake).toMatchObject({ updates: 12, keptUpdate: 9 });
  const { latest } = worker;
  lab.leaving.answer(true);
  expect([latest.commands.at(-1), lab.leaving.store.getState().isSaving]).toEqual([{ type: 'pause' }, true]);
  measure(latest, 12, 1);
  latest.enter('paused', 13);
  await settled();
  expect([state().phase, latest.terminated]).toEqual(['paused', false]);
  await keep(lab, latest, states, 13, 9);
  expect([state().phase, latest.terminated]).toEqual(['idle', true]);
  expect(lab.leaving.store.getState()).toEqual({ asked: null, isSaving: false });
  expect([...runs.values()]).toMatchObject([{ updates: 13 }]);
});

test('an end that is taken back while the run is being kept lets it train on', async () => {
  const { lab, worker, press, state, asked } = await trained();
  press();
  lab.leaving.answer(true);
  lab.leaving.answer(false);
  expect(worker.latest.commands.slice(-2)).toEqual([{ type: 'pause' }, { type: 'resume' }]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([state().phase, asked(), worker.latest.terminated]).toEqual(['running', null, false]);
});

test('clears the run, and keeps the settings, the list and the policies; the run is opened again and goes on from them', async () => {
  const { lab, worker, runs, states, press, state } = await trained();
  const { run, edited } = state();
  press();
  lab.leaving.answer(true);
  // Storage is not heard of again: it waits for a while only.
  await vi.advanceTimersByTimeAsync(5000);
  expect(state()).toMatchObject({ phase: 'idle', running: null, run: '', history: null, keptUpdate: null, update: 0 });
  expect(state().edited).toEqual(edited);
  expect([...runs.values()]).toMatchObject([{ run, updates: 8, deleted: null }]);
  expect([...states.entries.keys()]).toEqual([run]);

  const listed = lab.kept.store.getState().runs[0] as KeptRun;
  await Promise.all([lab.kept.show(listed), vi.advanceTimersByTimeAsync(100)]);
  // Its curves after that are of updates that are made again.
  expect(state()).toMatchObject({ phase: 'restored', run, keptUpdate: 5, update: 5 });
  await lab.runner.resumeKept();
  expect(worker.latest.commands.find(({ type }) => type === 'start')).toMatchObject({ keep: { run, resume: true } });
});

test('keeps what was changed while it trained: as the values to start from, or as changes that are made again', async () => {
  for (const keepAs of ['values', 'timeline'] as const) {
    const { lab, worker, state } = await trained();
    lab.editor.editArms('learningRate', 0.125, () => true);
    await vi.advanceTimersByTimeAsync(200);
    const change = { update: 8, arm: '*', setting: 'learningRate', value: 0.125 } as const;
    worker.latest.say({ type: 'changed', changes: [change] });
    expect(changesMade(state())).toBe(1);
    lab.editor.reset(keepAs);
    const { arms, timeline } = state().edited;
    const rate = arms[0]?.learningRate;
    if (keepAs === 'values') expect([rate, timeline]).toEqual([0.125, []]);
    else expect([rate === 0.125, timeline]).toEqual([false, [change]]);
  }
});

test('of a run that no storage keeps says that its curves would be lost', async () => {
  const here = browser();
  const { lab, worker } = here.visit();
  lab.editor.run();
  worker.latest.enter('running');
  measure(worker.latest, 0, 2);
  lab.kept.store.setState({ problem: 'No room.' });
  lab.leaving.ask(WHY, () => lab.editor.reset('values'));
  expect(lab.leaving.store.getState().asked?.stake).toMatchObject({ updates: 2, isUnkept: true, keptUpdate: null });
});
