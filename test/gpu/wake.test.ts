/** Wake for readbacks, by devices that are simulated in simulated time. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Wake } from '../../src/gpu/wake';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Milliseconds of Firefox's timer, and turns of a gridworld update. */
const TIMER = 103;
const TURNS = 27;

/** A device whose work takes `work` ms. It tells of the end at a submission, and `timer` ms after the beginning. */
function device(work: number, timer: number) {
  let asked = (): void => {};
  let submissions = 0;
  const wake = new Wake(() => {
    submissions++;
    asked();
  });
  /** Milliseconds of each of so many waits. */
  async function waits(count: number): Promise<number[]> {
    const all: number[] = [];
    for (let i = 0; i < count; i++) {
      const begun = performance.now();
      const waiting = new Promise<void>((resolve) => {
        asked = () => {
          if (performance.now() - begun >= work) resolve();
        };
        setTimeout(resolve, Math.max(work, timer));
      });
      const ended = wake.during(waiting).then(() => performance.now());
      await vi.advanceTimersByTimeAsync(work + timer);
      all.push((await ended) - begun);
    }
    return all;
  }
  return { wake, waits, submissions: () => submissions };
}

test('a browser that looks by a slow timer is found out in three waits, and then waits for the work alone', async () => {
  const { waits } = device(2, TIMER);
  expect(await waits(3)).toEqual([TIMER, TIMER, TIMER]);
  const update = await waits(TURNS);
  expect(update.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(100);
});

test('a browser that tells at once is not asked', async () => {
  const { wake, waits, submissions } = device(2, 0);
  await waits(TURNS);
  expect([wake.isOn, submissions()]).toEqual([false, 0]);
});

test('where the work itself is long the wake is given up, and tried again much later', async () => {
  const { wake, waits, submissions } = device(80, 0);
  await waits(6);
  expect(wake.isOn).toBe(false);
  const tried = submissions();
  await waits(200);
  expect(submissions()).toBe(tried);
  await waits(3);
  expect(wake.isOn).toBe(true);
});

test('a readback that fails ends the submissions, and fails', async () => {
  const { wake, waits, submissions } = device(2, TIMER);
  await waits(3);
  await expect(wake.during(Promise.reject(new Error('mapAsync was aborted')))).rejects.toThrow('aborted');
  const before = submissions();
  await vi.advanceTimersByTimeAsync(100);
  expect(submissions()).toBe(before);
});
