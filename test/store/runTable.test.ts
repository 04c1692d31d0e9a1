// Kept runs as a table: what they differ in, and which of them a filter wants.
import { expect, test } from 'vitest';
import { type Experiment, withArmSetting } from '../../src/experiment/experiment';
import { defaultPreset, findPreset } from '../../src/experiment/presets/presets';
import type { KeptRun } from '../../src/storage/runs';
import { ANY_RUN, choicesOf, differingSettings, factsOf, factsOfAll, isWanted } from '../../src/store/keep/runTable';

const gridworld = findPreset('gridworld')?.experiment as Experiment;

const runOf = (id: number, experiment: unknown, more: Partial<KeptRun> = {}): KeptRun => ({
  ...{ id, date: id, experiment, name: `run ${id}`, note: '', starred: false, tags: [], deleted: null, success: [] },
  ...{ updates: 10, device: 'CPU', machines: [], bytes: 0, seconds: null },
  ...more,
});

const withRate = (rate: number, arm: number): Experiment => ({
  ...gridworld,
  arms: gridworld.arms.map((one, i) => (i === arm ? withArmSetting(one, 'learningRate', rate) : one)),
});

const differing = (...experiments: unknown[]) =>
  differingSettings(experiments.map((experiment, id) => factsOf(runOf(id, experiment)))).map(({ path, values }) => [
    path,
    values,
  ]);

test('runs of one experiment differ in nothing, whatever they are called', () => {
  expect(differing(gridworld, { ...gridworld, title: 'another' })).toEqual([]);
});

test('only settings that differ are told: one value where the arms agree, and one an arm where they do not', () => {
  const [rate = 0] = gridworld.arms.map(({ learningRate }) => learningRate);
  expect(differing(gridworld, { ...withRate(0.5, 1), seeds: 7 })).toEqual([
    ['learningRate', [[rate], [rate, 0.5, rate]]],
    ['seeds', [[gridworld.seeds], [7]]],
  ]);
});

test('a setting that was changed on the way is told with all that it was, and a run that was stopped with where', () => {
  const [mask, model] = gridworld.arms;
  const path = 'ce.observation';
  const [before, after] = [model?.ce.observation, 0.65];
  const timeline = [
    { update: 4, arm: model?.id ?? '', setting: path, value: after },
    { update: 10, arm: model?.id ?? '', setting: path, value: 0 },
  ];
  const facts = [
    factsOf(runOf(1, gridworld, { updates: gridworld.updates })),
    factsOf(runOf(2, { ...gridworld, timeline }, { updates: 10 })),
  ];
  const told = new Map(differingSettings(facts).map((setting) => [setting.path, setting.values[1]]));
  expect(told.get(path)?.slice(0, 2)).toEqual([mask?.ce.observation, [before, after]]);
  expect(told.get('updates')).toEqual([`10 of ${gridworld.updates}`]);
});

test('a run of another world has no value for this one’s settings; one that cannot be read has none at all', () => {
  const told = differing(gridworld, defaultPreset.experiment, { nonsense: true });
  const size = told.find(([path]) => path === 'environment.size');
  expect(size?.[1]).toEqual([[gridworld.environment.settings.size], null, null]);
  expect(factsOf(runOf(1, { nonsense: true }))).toBeNull();
});

test('a filter asks for all of what it says', () => {
  const run = runOf(1, gridworld, { note: 'Late start', tags: ['paper'], starred: true });
  const facts = factsOf(run);
  const wanted = (filter: Partial<typeof ANY_RUN>) => isWanted(run, facts, { ...ANY_RUN, ...filter });
  expect(wanted({})).toBe(true);
  expect(wanted({ text: 'late world PAPER', tag: 'paper', isStarred: true, world: 'Gridworld' })).toBe(true);
  expect(wanted({ text: 'late shop' })).toBe(false);
  expect(wanted({ world: 'Shop' })).toBe(false);
  expect(wanted({ method: 'none of them' })).toBe(false);
  expect(facts?.methods.every((method) => wanted({ method }))).toBe(true);
  expect(isWanted({ ...run, starred: false }, facts, { ...ANY_RUN, isStarred: true })).toBe(false);
});

test('hundreds of runs: each experiment is read once, and those that changed again', () => {
  const runs = Array.from({ length: 300 }, (_, id) => runOf(1000 + id, withRate(1e-4 * (1 + (id % 7)), 0)));
  const steps = (list: readonly KeptRun[]) => [...factsOfAll(list)].length;
  expect(steps(runs)).toBe(300);
  expect(steps(runs)).toBe(0);
  expect(steps(runs.map((run, i) => (i === 3 ? { ...run, date: 5e5 } : run)))).toBe(1);
  const work = factsOfAll(runs).next();
  const facts = work.done === true ? work.value : [];
  expect(differingSettings(facts).map(({ path }) => path)).toEqual(['learningRate']);
  expect(choicesOf(runs, facts).worlds).toEqual(['Gridworld']);
});
