/** Cohorts that a device gets: by its shortest readback and the host's time a turn, on clocks of the test's own. */
import { expect, it } from 'vitest';
import { defaultPreset } from '../../src/experiment/presets/presets';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { standingIn } from '../../src/train/bench/counts';
import { createEnvironment } from '../../src/train/population/shape';
import { chooseCohorts, hostSecondsOf } from '../../src/train/run/cohorts';

/** Cohorts of a device whose readbacks take these milliseconds, one after the other, and again. */
async function chosen(software: boolean, waits: readonly number[], host: number): Promise<number> {
  let [time, reads] = [0, 0];
  const backend = new ReferenceBackend();
  const slow = standingIn(backend, {
    read: (...tensors) => {
      time += waits[reads++ % waits.length] as number;
      return backend.read(...tensors);
    },
  });
  return chooseCohorts(slow, software, host / 1000, () => time);
}

it.each([
  ['a GPU that answers at once, where the host has next to nothing to do', false, [0.1], 0.2, 1],
  ['a GPU that was busy at first', false, [8, 0.3], 0, 1],
  ['a GPU that is waited for', false, [3, 2, 9], 0, 2],
  ['a GPU that answers at once, while the host has worlds to step', false, [0.1], 1, 2],
  ['software, whose waits are its work', true, [5], 9, 1],
] as const)('%s', async (_, software, waits, host, cohorts) => {
  expect(await chosen(software, waits, host)).toBe(cohorts);
});

it('the host’s time is that of a turn of all members, the shortest of three batches', async () => {
  const { experiment } = defaultPreset;
  const { arms, seeds } = experiment;
  // Each batch is timed at its beginning and its end.
  const times = [0, 9, 10, 14, 20, 28];
  const read = (): number => times.shift() as number;
  const seconds = await hostSecondsOf(experiment, read);
  const turns = createEnvironment(experiment).maxTurns;
  expect(times).toEqual([]);
  expect(seconds).toBeCloseTo((0.004 / turns) * arms.length * seeds, 12);
});
