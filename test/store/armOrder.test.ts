/** The order of arms can change during a run without affecting it; the next run has the new order. */
import { beforeEach, expect, test, vi } from 'vitest';
import { pendingDifferences } from '../../src/store/lab';
import { openLab } from '../../src/store/openLab';
import { moveArm, setInArm } from '../../src/ui/model/arms/edits';
import { runningLab, workers } from './scriptedWorker';

beforeEach(() => {
  vi.useFakeTimers();
});

const idsOf = (arms: readonly { readonly id: string }[] | undefined) => arms?.map(({ id }) => id).join();

test('an arm that moves leaves the run, its curves and its changes as they are', () => {
  const { lab, worker } = runningLab('#preset=gridworld-tiny');
  const { running, history } = lab.store.getState();
  lab.editor.edit(moveArm(lab.store.getState().edited, 'world-model', -1));
  vi.advanceTimersByTime(1000);
  const state = lab.store.getState();
  expect(idsOf(state.edited.arms)).toBe('world-model,action-mask,no-mask');
  expect(idsOf(state.running?.arms)).toBe(idsOf(running?.arms));
  expect(state.history).toBe(history);
  expect(pendingDifferences(state)).toEqual([]);
  expect(worker.latest.commands.filter(({ type }) => type === 'change')).toEqual([]);
  // A later edit changes the arm that was meant.
  lab.editor.edit(setInArm(state.edited, 'world-model', 'ce.observation', 0.7));
  vi.advanceTimersByTime(1000);
  expect(worker.latest.commands.filter(({ type }) => type === 'change')).toMatchObject([
    { changes: [{ arm: 'world-model', setting: 'ce.observation', value: 0.7 }] },
  ]);
});

test('a finished run done again has its arms in the new order', () => {
  const worker = workers();
  const lab = openLab('#preset=gridworld-tiny', worker.start);
  lab.editor.run();
  worker.latest.enter('finished', 20);
  lab.editor.edit(moveArm(lab.store.getState().edited, 'action-mask', 1));
  lab.editor.run();
  expect(idsOf(lab.store.getState().running?.arms)).toBe('world-model,action-mask,no-mask');
});

test('an arm at an end stays there', () => {
  const { edited } = openLab('#preset=gridworld-tiny', workers().start).store.getState();
  expect(moveArm(edited, 'action-mask', -1)).toBe(edited);
  expect(moveArm(edited, 'no-mask', 1)).toBe(edited);
  expect(idsOf(moveArm(edited, 'no-mask', -1).arms)).toBe('action-mask,no-mask,world-model');
});
