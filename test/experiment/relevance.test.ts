// Relevance of settings to an arm, as far as it depends on the environment.
import { expect, test } from 'vitest';
import { defaultSettings, findEnvironment } from '../../src/environments/registry';
import { isRelevant } from '../../src/experiment/arm/relevance';
import { defaultArm } from '../../src/experiment/experiment';

const arm = defaultArm('a', 'A');

test.each([
  ['gridworld', {}, true],
  ['gridworld', { puzzle: 'boxes' }, false],
  ['gridworld', { puzzle: 'key-door' }, false],
  ['shop', { mode: 'simple' }, true],
  ['shop', { mode: 'pages' }, true],
  ['calculator', {}, false],
  ['terminal', {}, false],
])('in %s with %o hindsight matters: %s', (id, settings, matters) => {
  const environment = findEnvironment(id)?.create({ ...defaultSettings(id), ...settings });
  if (environment === undefined) throw new Error(`no environment ${id}`);
  expect(isRelevant(arm, 'hindsight', environment)).toBe(matters);
  expect(isRelevant({ ...arm, imitation: 'actions' }, 'hindsight', environment)).toBe(false);
  // The relevance of other settings does not depend on the environment.
  expect(isRelevant(arm, 'clipLow', environment)).toBe(true);
});

test('an environment that is not known rules nothing out', () => {
  expect(isRelevant(arm, 'hindsight')).toBe(true);
  expect(isRelevant(arm, 'hindsight', null)).toBe(true);
});

test('to a fixed policy matters what it plays and what that is paid, not how others learn', () => {
  const fixed = { ...arm, fixedPolicy: 'ab'.repeat(32), advantageCredit: 'gae' as const };
  for (const path of ['fixedPolicy', 'temperature', 'reward.outcome', 'taskChoice'] as const) {
    expect(isRelevant(fixed, path), path).toBe(true);
  }
  for (const path of ['learningRate', 'clipLow', 'ce.observation', 'startPolicy', 'discount', 'staleness'] as const) {
    expect(isRelevant(fixed, path), path).toBe(false);
  }
});
