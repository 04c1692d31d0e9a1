import { describe, expect, it, test } from 'vitest';
import { FAILURES } from '../../src/experiment/conclude/health';
import { type Arm, armSettings, getArmSetting } from '../../src/experiment/experiment';
import { changedFromObjective } from '../../src/experiment/objectives/objectivePresets';
import { parseExperiment } from '../../src/experiment/parse';
import { EXPECTATIONS } from '../../src/experiment/presets/expectations/expectations';
import { failures } from '../../src/experiment/presets/losses/failures';
import { findPreset, presets, presetsLike } from '../../src/experiment/presets/presets';

describe.each(presets)('the preset $id', ({ id, claim, experiment }) => {
  it('is a valid experiment with every setting written out', () => {
    expect(parseExperiment(structuredClone(experiment))).toEqual(experiment);
  });

  it('is found by its name and says what it claims', () => {
    expect(findPreset(id)?.experiment).toBe(experiment);
    expect(experiment.preset).toBe(id);
    expect(claim).toMatch(/[.?]$/);
    expect(EXPECTATIONS[id]).toMatch(/\.$/);
  });
});

/** Settings in which all arms of an experiment may differ from their objectives; in others they may where they are compared. */
const SHARED = [
  'entropyCoefficient',
  'ce.observation',
  'predictionReward',
  'advantageEpsilon',
  'klCoefficient',
  'pg.observation',
];

test.each(presets)(
  'arms of $id are what their objectives say, but for what is compared',
  ({ experiment: { arms } }) => {
    const changed = arms.flatMap(changedFromObjective).filter((path) => !SHARED.includes(path));
    const common = changed.filter((path) => new Set(arms.map((arm) => getArmSetting(arm, path))).size === 1);
    expect(common).toEqual([]);
  },
);

describe('the default experiment', () => {
  it('compares the action mask, the world model and the forgotten mask, and nothing else differs', () => {
    const [mask, world, none] = findPreset('gridworld')?.experiment.arms ?? [];
    expect(mask?.pg).toEqual({ prompt: 0, action: 1, observation: 0, warning: 0, thought: -1 });
    expect(mask?.ce).toEqual({ prompt: 0, action: 0, observation: 0, warning: 0, thought: -1 });
    expect({ ...world, id: mask?.id, name: mask?.name, objective: mask?.objective, ce: mask?.ce }).toEqual(mask);
    expect(world?.ce).toEqual({ prompt: 0, action: 0, observation: 0.1, warning: 0, thought: -1 });
    expect({ ...none, id: mask?.id, name: mask?.name, objective: mask?.objective, pg: mask?.pg }).toEqual(mask);
    expect(none?.pg).toEqual({ prompt: 0, action: 1, observation: 1, warning: 0, thought: -1 });
  });
});

test.each(failures)('in $id two arms differ in a single setting', ({ experiment: { arms } }) => {
  const [failing, cured] = arms as [Arm, Arm];
  expect(arms).toHaveLength(2);
  const differing = armSettings
    .map(({ path }) => path)
    .filter((path) => path !== 'objective' && getArmSetting(failing, path) !== getArmSetting(cured, path));
  expect(differing).toHaveLength(1);
});

test('there is an experiment for every failure the lab looks for', () => {
  expect(failures.map(({ id }) => id)).toEqual(FAILURES.map(({ id }) => `failure-${id}`));
});

test('a mistaken name brings up the presets that were meant', () => {
  expect(presetsLike('gridwolrd-tiny', 1)).toEqual(['gridworld-tiny']);
  expect(presetsLike('Noisy TV'.toLowerCase(), 1)).toEqual(['noisy-tv']);
  expect(presetsLike('', 3)).toHaveLength(3);
});
