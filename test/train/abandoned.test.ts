/**
 * Numbers on their way from a device that fails: code that waits for them gets the failure. If nothing waits any more, no
 * promise may be rejected unhandled: that would end a command line and fill a browser's console.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { LabError } from '../../src/foundation/errors';
import type { Backend, Tensor } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';
import { Reporter } from '../../src/train/run/reporter';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const gone = (): LabError => new LabError('device-lost', 'The device is gone (a test says so).', 'Try again.');
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const unheard: unknown[] = [];
const hear = (cause: unknown): void => {
  unheard.push(cause);
};
let others: NodeJS.UnhandledRejectionListener[];
beforeEach(() => {
  unheard.length = 0;
  others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', hear);
});
afterEach(() => {
  process.removeAllListeners('unhandledRejection');
  for (const listener of others) process.on('unhandledRejection', listener);
});

test('an update that is reported after one that failed', async () => {
  const reporter = new Reporter(
    () => {},
    () => tiny,
  );
  const failing = (update: number) => ({
    update,
    tokens: 0,
    metrics: Promise.reject(gone()),
    episodes: null,
    diagnosis: Promise.reject(gone()),
  });
  reporter.add(failing(0), []);
  await settled();
  expect(() => reporter.add(failing(1), [])).toThrow(/is gone/);
  await settled();
  expect(unheard).toEqual([]);
});

test('gradients that were asked for before a diagnosis failed', async () => {
  const backend = await createCpuBackend();
  const trainer = new Trainer(backend, { ...tiny, seeds: 1, batch: { groups: 1, groupSize: 4 }, diagnosticsEvery: 1 });
  await trainer.prepare();
  const [run, read] = [backend.run.bind(backend), backend.read.bind(backend)];
  let isGone = false;
  // Replaced instead of spied on, because a spy handles the promises that it passes on.
  backend.run = (...programs) => {
    isGone ||= programs.some(({ label }) => label.startsWith('gradient of a role'));
    if (isGone) throw gone();
    run(...programs);
  };
  const failing = async (...tensors: readonly Tensor[]): Promise<unknown> => {
    const values: unknown = await read(...tensors);
    await settled();
    if (isGone) throw gone();
    return values;
  };
  backend.read = failing as Backend['read'];
  await expect(trainer.runUpdate(undefined, true)).rejects.toThrow(/is gone/);
  await settled();
  await settled();
  expect(unheard).toEqual([]);
});
