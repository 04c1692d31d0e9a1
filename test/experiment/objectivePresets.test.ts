// Objectives that an arm can begin from: each is a valid arm, has a reason and a source, and replaces an earlier one fully.
import { describe, expect, test } from 'vitest';
import { isRelevant } from '../../src/experiment/arm/relevance';
import { armSettings, defaultArm, getArmSetting, withArmSetting } from '../../src/experiment/experiment';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { aboutObjective } from '../../src/experiment/objectives/objectiveAbout';
import {
  changedFromObjective,
  choosingObjective,
  findObjective,
  objectivePresets,
  withObjective,
} from '../../src/experiment/objectives/objectivePresets';
import { parseExperiment } from '../../src/experiment/parse';
import { firstPreset } from '../../src/experiment/presets/presets';
import { SAMPLING } from '../../src/experiment/settings/sampling';
import { WARM_START_ARM } from '../../src/experiment/settings/warmStart';
import { OPTIMISER } from '../../src/hyperparameters/optimiser';
import { isOfReward } from '../../src/hyperparameters/rewards';

const base = firstPreset.experiment;
const plain = defaultArm('a', 'A');
const experimentWith = (arm: typeof plain) => parseExperiment({ ...structuredClone(base), arms: [arm], seeds: 1 });

describe.each(objectivePresets)('the objective $id', (preset) => {
  const arm = withObjective(plain, preset);

  test('is a valid arm, which a link carries', () => {
    expect(experimentWith(arm).arms).toEqual([arm]);
    expect(decodeLink(encodeLink(experimentWith(arm))).arms).toEqual([arm]);
  });

  test('says why, and whence, in whole sentences', () => {
    const { citation, reason, caveat } = aboutObjective(preset.id);
    expect(reason).toMatch(/^(prime-rl|verl|rLLM|[A-Z]).*\.$/);
    if (caveat !== '') expect(caveat).toMatch(/^(verl|rLLM|[A-Z]).*\.$/);
    expect(citation).not.toBe('');
    if (citation.startsWith('arXiv')) expect(citation).toMatch(/^arXiv \d{4}\.\d{5}$/);
  });

  test('sets only what matters in it', () => {
    const idle = Object.keys(preset.settings).filter((path) => !isRelevant(arm, path as keyof typeof preset.settings));
    expect(idle).toEqual([]);
  });

  test('leaves nothing of another, and the optimiser, what is played and the reward as they were', () => {
    const messy = armSettings.reduce((changed, setting) => {
      if (setting.type === 'choice') return withArmSetting(changed, setting.path, setting.choices.at(-1) ?? '');
      if (setting.type === 'boolean') return withArmSetting(changed, setting.path, !setting.default);
      if (setting.type === 'file') return withArmSetting(changed, setting.path, 'f'.repeat(64));
      return withArmSetting(changed, setting.path, setting.max);
    }, plain);
    const taken = withObjective(messy, preset);
    expect(changedFromObjective(taken)).toEqual([]);
    for (const { path } of armSettings) {
      const apart = [OPTIMISER, SAMPLING, WARM_START_ARM].some((table) => Object.hasOwn(table, path));
      const kept = apart || isOfReward(path);
      const from = kept ? messy : arm;
      expect(getArmSetting(taken, path), path).toBe(getArmSetting(from, path));
    }
  });
});

test('no two objectives are the same but in name', () => {
  const seen = new Map<string, string>();
  for (const preset of objectivePresets) {
    const { objective, ...settings } = withObjective(plain, preset);
    const text = JSON.stringify(settings);
    expect(seen.get(text), `${objective} is ${seen.get(text)}`).toBeUndefined();
    seen.set(text, objective);
  }
  expect(seen.size).toBe(objectivePresets.length);
});

test('an arm that predicts goes on predicting when another policy gradient is chosen, and says so', () => {
  const echo = withObjective(plain, findObjective('echo'));
  const chosen = choosingObjective(echo, findObjective('dapo'));
  expect(chosen).toMatchObject({ objective: 'dapo', clipHigh: 0.28, ce: echo.ce });
  expect(chosen.worldModelBatchDenominator).toBe('sequences');
  expect(changedFromObjective(chosen)).toContain('ce.observation');
  expect(choosingObjective(echo, findObjective('placebo'))).toEqual(withObjective(plain, findObjective('placebo')));
  expect(choosingObjective(plain, findObjective('dapo'))).toEqual(withObjective(plain, findObjective('dapo')));
});

test('what an arm changed of its objective is known', () => {
  expect(changedFromObjective(plain)).toEqual([]);
  expect(changedFromObjective({ ...plain, clipHigh: 0.3, learningRate: 0.1 })).toEqual(['clipHigh']);
});
