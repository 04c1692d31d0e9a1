/** A link opened over a run is what runs next, its own timeline included; a preset chosen over a run waits. */
import { beforeEach, expect, test, vi } from 'vitest';
import { findPreset } from '../../src/experiment/presets';
import { openLab } from '../../src/store/openLab';
import { workers } from './scriptedWorker';

beforeEach(() => {
  vi.useFakeTimers();
});

function runningLab() {
  const worker = workers();
  const lab = openLab('#preset=gridworld-tiny', worker.start);
  lab.editor.run();
  worker.latest.enter('running', 0);
  return { lab, worker };
}

test('a link that arrives during a run takes the page, and runs with its own changes', () => {
  const { lab, worker } = runningLab();
  lab.follow('#preset=gridworld-tiny&seeds=3&changes=5:world-model:ce.observation:0.9');
  expect(lab.store.getState()).toMatchObject({ phase: 'idle', running: null, edited: { seeds: 3 } });
  lab.editor.run();
  const start = worker.latest.commands.find(({ type }) => type === 'start');
  expect(start).toMatchObject({
    experiment: { seeds: 3, timeline: [{ update: 5, arm: 'world-model', setting: 'ce.observation', value: 0.9 }] },
  });
});

test('a broken link leaves the run as it is', () => {
  const { lab } = runningLab();
  lab.follow('#preset=nowhere');
  expect(lab.store.getState()).toMatchObject({ phase: 'running', notice: { kind: 'broken-link' } });
});

test('a preset chosen during a run waits for the person', () => {
  const { lab } = runningLab();
  lab.editor.replace(findPreset('gridworld')?.experiment ?? lab.editor.shared(), null);
  expect(lab.store.getState()).toMatchObject({ phase: 'running', running: { preset: 'gridworld-tiny' } });
});
