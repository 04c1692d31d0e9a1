/** Races that a browser remembers. */
import { expect, test, vi } from 'vitest';
import { firstPreset } from '../../src/experiment/presets/presets';
import type { RaceNumbers } from '../../src/train/protocol';
import { racesOf, withRace } from '../../src/train/run/choose/races';

const { experiment } = firstPreset;
const raced: RaceNumbers = { adapter: 'Twin M9', cpu: 'cpu', gpuSeconds: 0.3, cpuSeconds: 0.1 };

test('a race is of a shape, a browser and two devices; other settings and seeds are the same shape', () => {
  let kept: unknown = null;
  for (const one of [raced, { ...raced, gpuSeconds: 0.2 }, { ...raced, adapter: 'Twin M8' }]) {
    kept = JSON.parse(JSON.stringify(withRace(kept, experiment, one)));
  }
  expect(racesOf(kept, experiment).map(({ adapter, gpuSeconds }) => [adapter, gpuSeconds])).toEqual([
    ['Twin M8', 0.3],
    ['Twin M9', 0.2],
  ]);
  expect(racesOf(kept, { ...experiment, updates: 7, seed: 9 })).toHaveLength(2);
  expect(racesOf(kept, { ...experiment, seeds: experiment.seeds + 1 })).toEqual([]);
  vi.stubGlobal('navigator', { userAgent: 'Another' });
  expect(racesOf(kept, experiment)).toEqual([]);
  vi.unstubAllGlobals();
});

test.each([null, '{', 7, [{}, null, { of: 'x', numbers: { gpuSeconds: '1' } }]])('%j is none', (kept) => {
  expect(racesOf(kept, experiment)).toEqual([]);
  expect(withRace(kept, experiment, raced)).toHaveLength(1);
});

test('twenty are kept, the newest', () => {
  let kept: ReturnType<typeof withRace> = [];
  for (let seeds = 1; seeds <= 30; seeds++) kept = withRace(kept, { ...experiment, seeds }, raced);
  expect(kept).toHaveLength(20);
  expect(racesOf(kept, { ...experiment, seeds: 30 })).toEqual([raced]);
  expect(racesOf(kept, { ...experiment, seeds: 10 })).toEqual([]);
});
