/** Cohorts that a device gets: by its shortest readback, on a clock of the test's own. */
import { expect, it } from 'vitest';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { standingIn } from '../../src/train/bench/counts';
import { chooseCohorts } from '../../src/train/run/cohorts';

/** Cohorts of a device whose readbacks take these milliseconds, one after the other, and again. */
async function chosen(software: boolean, ...waits: number[]): Promise<number> {
  let [time, reads] = [0, 0];
  const backend = new ReferenceBackend();
  const slow = standingIn(backend, {
    read: (...tensors) => {
      time += waits[reads++ % waits.length] as number;
      return backend.read(...tensors);
    },
  });
  return chooseCohorts(slow, software, () => time);
}

it.each([
  ['a GPU that answers at once', false, [0.1], 1],
  ['a GPU that was busy at first', false, [8, 0.3], 1],
  ['a GPU that is waited for', false, [3, 2, 9], 2],
  ['software, whose waits are its work', true, [5], 1],
] as const)('%s', async (_, software, waits, cohorts) => {
  expect(await chosen(software, ...waits)).toBe(cohorts);
});
