// Objectives, choices and flags changed while training: changes sent to the trainer, and edits that wait for a restart.
import { beforeEach, expect, test, vi } from 'vitest';
import type { Arm, Experiment } from '../../src/experiment/experiment';
import { findObjective, withObjective } from '../../src/experiment/objectives/objectivePresets';
import { firstPreset } from '../../src/experiment/presets/presets';
import { pendingDifferences } from '../../src/store/lab';
import { runningLab } from './scriptedWorker';

const preset = firstPreset.experiment;

const edited = (change: (arm: Arm) => Arm, ids: readonly string[]): Experiment => ({
  ...preset,
  arms: preset.arms.map((arm) => (ids.includes(arm.id) ? change(arm) : arm)),
});

function afterEditing(experiment: Experiment) {
  const { lab, worker } = runningLab('#preset=gridworld');
  lab.editor.edit(experiment);
  vi.advanceTimersByTime(1000);
  return { lab, told: worker.latest.commands.flatMap((command) => (command.type === 'change' ? command.changes : [])) };
}

beforeEach(() => {
  vi.useFakeTimers();
});

test('another objective is one change, and what differs from it follows', () => {
  const change = (arm: Arm): Arm => ({ ...withObjective(arm, findObjective('cispo')), clipHigh: 3 });
  const { lab, told } = afterEditing(edited(change, ['world-model']));
  expect(told).toEqual([
    { arm: 'world-model', setting: 'objective', value: 'cispo' },
    { arm: 'world-model', setting: 'clipHigh', value: 3 },
  ]);
  expect(lab.store.getState().told).toEqual(lab.store.getState().edited.arms);
  expect(pendingDifferences(lab.store.getState())).toEqual([]);
});

test('an objective comes before what another arm changed alone', () => {
  const experiment = edited((arm) => ({ ...arm, clipHigh: 0.5 }), ['action-mask']);
  const change = (arm: Arm): Arm => ({ ...withObjective(arm, findObjective('dapo')), clipHigh: 0.5 });
  const arms = experiment.arms.map((arm) => (arm.id === 'no-mask' ? change(arm) : arm));
  const { lab, told } = afterEditing({ ...experiment, arms });
  expect(told[0]).toEqual({ arm: 'no-mask', setting: 'objective', value: 'dapo' });
  expect(lab.store.getState().told).toEqual(lab.store.getState().edited.arms);
});

test('choices and flags of all arms become one change each', () => {
  const change = (arm: Arm): Arm => ({ ...arm, surrogate: 'sapo', klStraightThrough: true });
  const { told } = afterEditing(edited(change, ['action-mask', 'world-model', 'no-mask']));
  expect(told).toEqual([
    { arm: '*', setting: 'surrogate', value: 'sapo' },
    { arm: '*', setting: 'klStraightThrough', value: true },
  ]);
});

test('a placebo waits for a restart; the rest of its objective acts at once', () => {
  const { lab, told } = afterEditing(edited((arm) => withObjective(arm, findObjective('placebo')), ['action-mask']));
  expect(told).toEqual([{ arm: 'action-mask', setting: 'objective', value: 'placebo' }]);
  expect(pendingDifferences(lab.store.getState()).map(({ path }) => path)).toEqual(['placebo']);
});
