/** A link opened during a run replaces it, its own timeline included; so does an experiment that the person has agreed to. */
import { beforeEach, expect, test, vi } from 'vitest';
import { defaultSettings } from '../../src/environments/registry';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { findPreset } from '../../src/experiment/presets/presets';
import { pendingDifferences } from '../../src/store/lab';
import { isOpened, isRunLesson } from '../../src/ui/places/library/lessons/lesson';
import { LESSONS } from '../../src/ui/places/library/lessons/lessons';
import { runningLab } from './scriptedWorker';

beforeEach(() => {
  vi.useFakeTimers();
});

const LINK = '#preset=gridworld-tiny';

test('a link that arrives during a run takes the page, and runs with its own changes', () => {
  const { lab, worker } = runningLab(LINK);
  lab.follow('#preset=gridworld-tiny&seeds=3&changes=5:world-model:ce.observation:0.9');
  expect(lab.store.getState()).toMatchObject({ phase: 'idle', running: null, edited: { seeds: 3 } });
  lab.editor.run();
  const start = worker.latest.commands.find(({ type }) => type === 'start');
  expect(start).toMatchObject({
    experiment: { seeds: 3, timeline: [{ update: 5, arm: 'world-model', setting: 'ce.observation', value: 0.9 }] },
  });
});

test('a broken link leaves the run as it is', () => {
  const { lab } = runningLab(LINK);
  lab.follow('#preset=nowhere');
  expect(lab.store.getState()).toMatchObject({ phase: 'running', notice: { kind: 'broken-link' } });
});

test('a lesson opened during a run ends it: nothing of it is shown as the lesson’s, and no restart is asked for', () => {
  const { lab, worker } = runningLab(LINK);
  const lesson = LESSONS.find(isRunLesson);
  if (lesson === undefined) throw new Error('There is no lesson.');
  // An edit that waits, of the old run's arms.
  lab.editor.edit({ ...lab.store.getState().edited, seeds: 2 });
  lab.editor.replace(lesson.experiment, null);
  expect(isOpened(lab.store.getState(), lesson)).toBe(false);
  lab.editor.open(lesson.experiment);
  vi.advanceTimersByTime(1000);
  const state = lab.store.getState();
  expect(isOpened(state, lesson)).toBe(true);
  expect(state).toMatchObject({ phase: 'idle', running: null, history: null, told: [], edited: lesson.experiment });
  expect(pendingDifferences(state)).toEqual([]);
  expect(worker.latest.commands.some(({ type }) => type === 'change')).toBe(false);
});

test('an experiment that a result brings waits for the person', () => {
  const { lab } = runningLab(LINK);
  lab.editor.replace(findPreset('gridworld')?.experiment ?? lab.editor.shared(), null);
  expect(lab.store.getState()).toMatchObject({ phase: 'running', running: { preset: 'gridworld-tiny' } });
});

test('another world keeps arms and hyperparameters, begins at its defaults, and waits for a restart', () => {
  const { lab, worker } = runningLab(LINK);
  const before = lab.store.getState().edited;
  lab.editor.chooseWorld('shop');
  const { edited, running, problems } = lab.store.getState();
  expect(edited).toEqual({ ...before, environment: { id: 'shop', settings: defaultSettings('shop') } });
  expect(problems).toEqual([]);
  expect(running?.environment.id).toBe('gridworld');
  expect(pendingDifferences(lab.store.getState())).toMatchObject([
    { path: 'environment', from: 'Gridworld', to: 'Web shop', restart: expect.any(String) },
  ]);
  lab.editor.begin(true);
  expect(worker.latest.commands.find(({ type }) => type === 'start')).toMatchObject({
    experiment: { environment: { id: 'shop' }, arms: before.arms },
  });
});

test('an experiment begun in another world is examined where that world sets tasks aside, and its link says so', () => {
  const { lab } = runningLab(LINK);
  const { updates, evaluation } = lab.store.getState().edited;
  expect(evaluation.every).toBe(0);
  lab.editor.chooseWorld('terminal');
  const { edited } = lab.store.getState();
  expect(edited.evaluation).toEqual({ every: Math.floor(updates / 3), tasks: 64, toolEvery: 0 });
  expect(decodeLink(encodeLink(edited))).toEqual(edited);
  // Back in its own world it is as it was; what a person set stays.
  lab.editor.chooseWorld('gridworld');
  expect(lab.store.getState().edited.evaluation).toEqual(evaluation);
  lab.editor.edit({ ...lab.store.getState().edited, evaluation: { every: 3, tasks: 8, toolEvery: 0 } });
  lab.editor.chooseWorld('calculator');
  lab.editor.chooseWorld('gridworld');
  expect(lab.store.getState().edited.evaluation).toEqual({ every: 3, tasks: 8, toolEvery: 0 });
});

test('a world that the run or the preset lives in comes back with the settings it has there', () => {
  const { lab } = runningLab(LINK);
  const { settings } = lab.store.getState().edited.environment;
  expect(settings).not.toEqual(defaultSettings('gridworld'));
  lab.editor.chooseWorld('shop');
  lab.editor.chooseWorld('gridworld');
  expect(lab.store.getState().edited.environment.settings).toEqual(settings);
  expect(pendingDifferences(lab.store.getState())).toEqual([]);
  lab.editor.reset('values');
  lab.editor.chooseWorld('terminal');
  lab.editor.chooseWorld('gridworld');
  expect(lab.store.getState().edited.environment.settings).toEqual(settings);
});
