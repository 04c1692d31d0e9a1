/** Operations shorter than a tick of a browser's clock are timed nevertheless. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Backend, Program } from '../../src/tensor/backend';
import { Stopwatch } from '../../src/train/bench/stopwatch';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Backend on which each run of a program takes `seconds`, by a clock that shows whole ticks only. */
function backendTaking(seconds: number, tick: number): Backend {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => Math.floor(now / tick) * tick * 1000);
  const program: Program = { label: 'bench', operations: 1 };
  return {
    kind: 'cpu',
    tensor: () => ({ label: 'probe', type: 'f32', members: 1, stride: 4 }),
    record: () => program,
    prepare: async () => {},
    run: (...programs: Program[]) => {
      now += seconds * programs.length;
    },
    // Reading moves time on a little, so that a clock that never ticks would not be waited for.
    read: async () => {
      now += 1e-6;
      return [];
    },
  } as unknown as Backend;
}

test.each([
  [2e-7, 1e-4],
  [3e-6, 1e-4],
  [1e-5, 1e-3],
  [0.02, 1e-4],
  [0.02, 1e-3],
])('%f s on a clock of %f s', async (seconds, tick) => {
  const clock = new Stopwatch(backendTaking(seconds, tick), 1, 0.3);
  const measured = await clock.time(() => {});
  expect(measured).toBeGreaterThan(0);
  expect(Math.abs(measured / seconds - 1)).toBeLessThan(0.2);
});
