/** Choice of experiments: estimated durations, and texts on decoding. */
import { describe, expect, it } from 'vitest';
import type { EnvironmentSettings } from '../../src/environments/environment';
import { exhibit } from '../../src/environments/exhibit';
import { defaultSettings, environments, findEnvironment } from '../../src/environments/registry';
import { randomSuccesses } from '../../src/environments/replay';
import { estimateSeconds } from '../../src/experiment/duration';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset, presetGroups, presets } from '../../src/experiment/presets/presets';
import { percent } from '../../src/foundation/percent';
import { durationWords, shorterRun, worldName } from '../../src/ui/model/experimentWords';
import { decodingWords } from '../../src/ui/model/worlds/about/decodingWords';
import { columnsOf, roomOf } from '../../src/ui/model/worlds/room';

const preset = (id: string): Experiment => (findPreset(id) as { experiment: Experiment }).experiment;

function created(id: string, settings: EnvironmentSettings = {}) {
  const definition = findEnvironment(id);
  if (definition === undefined) throw new Error(`There is no environment ${id}.`);
  const all = { ...defaultSettings(id), ...settings };
  return { definition, settings: all, environment: definition.create(all) };
}

describe('the time a run takes', () => {
  const seconds = (experiment: Experiment): number =>
    estimateSeconds(experiment, created(experiment.environment.id, experiment.environment.settings).environment);

  it('is within a factor of two of what two cores took', () => {
    // docs/decisions/kernels.md: 17.5 s for ten of 300 updates; the preset's own words: about two minutes.
    expect(seconds(preset('gridworld')) / 525).toBeGreaterThan(0.5);
    expect(seconds(preset('gridworld')) / 525).toBeLessThan(2);
    expect(durationWords(seconds(preset('gridworld-small')))).toBe('about 2 minutes');
    expect(durationWords(seconds(preset('gridworld-tiny')))).toBe('under a minute');
  });

  it('counts what costs: arms, seeds, updates, inner epochs, and the warm start', () => {
    const experiment = preset('calculator-without-tool');
    const [first, second] = experiment.arms as [Experiment['arms'][number], Experiment['arms'][number]];
    const whole = seconds(experiment);
    expect(seconds({ ...experiment, seeds: 2 * experiment.seeds })).toBeCloseTo(2 * whole);
    expect(seconds({ ...experiment, arms: [first] })).toBeCloseTo(whole / 2);
    expect(seconds({ ...experiment, arms: [first, { ...second, innerEpochs: 2 }] })).toBeGreaterThan(whole);
    const warm = seconds({ ...experiment, updates: 0 });
    expect(warm).toBeGreaterThan(0);
    expect(seconds({ ...experiment, updates: 2 * experiment.updates }) - warm).toBeCloseTo(2 * (whole - warm));
    const cold = experiment.arms.map((arm) => ({ ...arm, warmStart: 'none' as const }));
    expect(seconds({ ...experiment, arms: cold })).toBeCloseTo(whole - warm);
  });

  it('is that of the worlds’ mean in a mixture', () => {
    const at = (settings: EnvironmentSettings): number => {
      const environment = { id: 'mixture', settings: created('mixture', settings).settings };
      return seconds({ ...preset('gridworld'), environment });
    };
    const [map, sums] = [at({ calculator: 0 }), at({ gridworld: 0 })];
    expect(sums).toBeLessThan(map / 2);
    // The larger vocabulary of both costs a little.
    expect(at({ calculator: 3 }) / (0.25 * map + 0.75 * sums)).toBeCloseTo(1, 1);
  });

  it('is said in classes that grow', () => {
    expect([30, 100, 600, 3600, 1e5].map(durationWords)).toEqual([
      'under a minute',
      'about 2 minutes',
      'about 10 minutes',
      'about an hour',
      'several hours',
    ]);
  });
});

describe('what there is to choose from', () => {
  it('offers every preset once, in groups', () => {
    expect(new Set(presets.map(({ id }) => id)).size).toBe(presets.length);
    for (const { presets: group } of presetGroups) expect(group.length).toBeGreaterThan(0);
    expect(worldName(preset('gridworld').environment)).toBe('Gridworld 6×6');
    expect(worldName(preset('shop').environment)).toBe('Web shop');
  });

  it.each(Object.keys(environments))('shows a task of %s as the expert solves it', (id) => {
    const { environment } = created(id);
    const { scenes } = exhibit(environment);
    expect(scenes.length).toBeGreaterThan(1);
    expect(scenes.length).toBeLessThanOrEqual(environment.maxTurns + 1);
    expect(JSON.stringify(scenes.at(-1))).not.toBe(JSON.stringify(scenes[0]));
    expect(exhibit(environment).scenes).toEqual(scenes);
  });
});

describe('what is said of decoding', () => {
  const said = (id: string, settings: EnvironmentSettings = {}, vocabulary = 48) => {
    const { definition, settings: all, environment } = created(id, settings);
    return decodingWords(definition, all, environment, vocabulary);
  };

  it.each([
    ['gridworld', {}, 'The agent can only say legal words (at most 4 of 42).'],
    [
      'gridworld',
      { decoding: 'free' },
      'The agent can say any of the 48 words. A malformed action is answered “malformed” and costs its turn.',
    ],
    [
      'gridworld',
      { decoding: 'free', malformed: 'end' },
      'The agent can say any of the 48 words. A malformed action is answered “malformed” and ends the episode.',
    ],
    [
      'calculator',
      { decoding: 'free', malformed: 'penalty', penalty: 0.25 },
      'The agent can say any of the 48 words. A malformed action is answered “malformed” and costs its turn and 0.25 of the reward.',
    ],
  ] as const)('%s with %j', (id, settings, words) => {
    expect(said(id, settings)).toBe(words);
  });

  it('legal words can be put together wrongly in a terminal', () => {
    expect(said('terminal')).toMatch(/^The agent can only say .* A malformed action is answered/);
    expect(said('shop')).not.toMatch(/malformed/);
  });

  it('once in a mixture of worlds that are alike in this, else world by world', () => {
    expect(said('mixture', {}, 70)).toBe('The agent can only say legal words (at most 20 of 70).');
    const settings = { shop: 1, 'calculator-decoding': 'free', 'calculator-malformed': 'end' };
    expect(said('mixture', settings)).toMatch(
      /^The agent can only say legal words \(at most 50 of \d+\) \(.* and web shop\)\. The .* any of the 48 .* ends the episode \(calculator\)\.$/,
    );
  });
});

describe('the random policy', () => {
  it.each([
    ['gridworld', { walls: 0.2, map: 'hidden', size: 4 }],
    ['gridworld', { decoding: 'free', size: 3, horizon: 4 }],
    ['shop', { mode: 'pages', horizon: 3 }],
    ['terminal', { files: 2, content: 3, horizon: 2 }],
    ['mixture', { gridworld: 0, terminal: 1, 'terminal-horizon': 2 }],
    ['mixture', { 'calculator-decoding': 'free', 'gridworld-horizon': 4 }],
  ] as const)('of %s %j is measured to the same number a little at a time', (id, settings) => {
    const { environment } = created(id, settings);
    const episodes = environment.simulatedEpisodes ?? 0;
    expect(episodes).toBeGreaterThan(1000);
    const simulation = randomSuccesses(environment, episodes);
    let pauses = 0;
    let step = simulation.next();
    for (; !step.done; step = simulation.next()) pauses += 1;
    expect(pauses).toBe(episodes);
    expect(step.value).toBe(environment.randomSuccess);
  });

  it('is not simulated where its success can be computed', () => {
    expect(created('gridworld').environment.simulatedEpisodes).toBeUndefined();
    expect(created('calculator').environment.simulatedEpisodes).toBeUndefined();
    expect(created('mixture').environment.simulatedEpisodes).toBeUndefined();
  });

  it('is written with a digit however rare its success', () => {
    expect([0, 0.1, 0.0953, 0.01, 0.00293, 0.0002].map(percent)).toEqual(['0%', '10%', '10%', '1%', '0.3%', '0.02%']);
  });
});

describe('arms beside one another', () => {
  const columns = (arms: number, id: string, settings: EnvironmentSettings = {}) =>
    columnsOf(arms, roomOf(exhibit(created(id, settings).environment))).columns;

  it('stand in rows of equal length: four boards in one, pages of text at most three', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((arms) => columns(arms, 'gridworld'))).toEqual([1, 2, 3, 4, 3, 3, 4, 4]);
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((arms) => columns(arms, 'shop'))).toEqual([1, 2, 3, 2, 3, 3, 3, 3]);
    expect([columns(4, 'mixture'), columns(4, 'mixture', { shop: 0.1 })]).toEqual([4, 2]);
  });
});

it('a shorter run has a round number of updates, and never fewer than 20', () => {
  const asked = [
    [200, 0.3],
    [150, 0.5],
    [4000, 0.1],
    [200, 0.001],
  ] as const;
  expect(asked.map(([updates, share]) => shorterRun(updates, share))).toEqual([60, 80, 400, 20]);
});
