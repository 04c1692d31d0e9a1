/** What the page keeps of races of GPU and CPU, and tells the trainer. */
import { beforeEach, expect, test } from 'vitest';
import { firstPreset } from '../../src/experiment/presets/presets';
import { openLab } from '../../src/store/openLab';
import { stubLocalStorage } from '../support/localTexts';
import { workers } from './scriptedWorker';

const { experiment } = firstPreset;

beforeEach(() => {
  stubLocalStorage();
});

test('what a run measured is told to the next ones and their probes', () => {
  const worker = workers();
  const lab = openLab('#preset=gridworld', worker.start);
  lab.editor.run();
  const raced = { adapter: 'Twin M9', cpu: 'cpu', gpuSeconds: 0.3, cpuSeconds: 0.1 } as const;
  const line = { kind: 'cpu', description: 'CPU', software: true, reason: 'It was faster.', raced } as const;
  const remember = [{ of: 'this', numbers: raced }];
  worker.latest.say({ type: 'backend', ...line, remember });
  expect(lab.store.getState().backend).toEqual(line);
  lab.runner.reset();
  const known = { remembered: remember, takes: null, of: experiment };
  expect(worker.latest.commands.at(-1)).toEqual({ type: 'probe', backend: 'auto-plain', members: 12, known });
  lab.editor.run();
  expect(worker.latest.commands.findLast(({ type }) => type === 'start')).toMatchObject({ known });
  // A person's own choice has nothing to be told.
  lab.runner.reset();
  lab.preferences.setState({ backend: 'webgpu' });
  expect(worker.latest.commands.at(-1)).toEqual({ type: 'probe', backend: 'webgpu', members: 12 });
  // One run alone may have a backend of its own, on which its digits come again.
  lab.runner.start(experiment, true, 'cpu');
  expect(worker.latest.commands.findLast(({ type }) => type === 'start')).toMatchObject({ backend: 'cpu' });
});

test('a guest keeps nothing', () => {
  const worker = workers();
  const lab = openLab('#preset=gridworld', worker.start, null);
  lab.editor.run();
  worker.latest.say({ type: 'backend', kind: 'cpu', description: '', software: true, reason: '', remember: [1] });
  expect(localStorage.getItem('unmask.races')).toBeNull();
});
