/** Wake for readbacks, by devices that are simulated in simulated time. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Wake } from '../../src/gpu/wake';
import { playCohorts } from '../../src/policy/cohorts';

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
  const asked = new Set<() => void>();
  let submissions = 0;
  const submit = (): void => {
    submissions++;
    for (const ask of asked) ask();
  };
  const wake = new Wake(submit);
  /** A readback, after a submission of its own; resolves to its milliseconds. */
  async function readback(): Promise<number> {
    const begun = performance.now();
    submit();
    const waiting = new Promise<void>((resolve) => {
      const ask = (): void => {
        if (performance.now() - begun < work) return;
        asked.delete(ask);
        resolve();
      };
      asked.add(ask);
      setTimeout(ask, Math.max(work, timer));
    });
    await wake.during(waiting);
    return performance.now() - begun;
  }
  /** Milliseconds of each of so many waits. */
  async function waits(count: number): Promise<number[]> {
    const all: number[] = [];
    submissions -= count;
    for (let i = 0; i < count; i++) {
      const ended = readback();
      await vi.advanceTimersByTimeAsync(work + timer);
      all.push(await ended);
    }
    return all;
  }
  return { wake, waits, readback, submissions: () => submissions };
}

test('a browser that looks by a slow timer is found out in three waits, and then waits for the work alone', async () => {
  const { waits } = device(2, TIMER);
  expect(await waits(3)).toEqual([TIMER, TIMER, TIMER]);
  const update = await waits(TURNS);
  expect(update.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(100);
});

test.each([1, 2])(
  'from its first update on gridworld in %i cohorts waits for less than 100 ms in such a browser',
  async (cohorts) => {
    const { waits, readback } = device(2, TIMER);
    // Readbacks are tried before a run, to choose the cohorts.
    await waits(12);
    const HOST = 2;
    let [ended, waited] = [Number.NaN, 0];
    const begun = performance.now();
    const update = playCohorts(cohorts, TURNS, async () => {
      await new Promise((resolve) => setTimeout(resolve, HOST / cohorts));
      const took = await readback();
      waited += took;
      return true;
    }).then(() => {
      ended = performance.now();
    });
    await vi.advanceTimersByTimeAsync(2 * TURNS * TIMER);
    await update;
    expect(ended - begun - (TURNS * HOST) / cohorts).toBeLessThan(100);
    expect(waited).toBeGreaterThanOrEqual(cohorts * TURNS * 2);
  },
);

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
