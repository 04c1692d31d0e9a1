// What an observation token weighs against an action token: the numbers of a batch of 256 trajectories with 500
// observation and 2000 action tokens each, under the denominators in use.
import { expect, test } from 'vitest';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { findObjective, withObjective } from '../../src/experiment/objectivePresets';
import { EVEN_COUNTS, observationWeight } from '../../src/experiment/tokenWeight';

const shape = { groups: 16, groupSize: 16, context: 4000 };
const counts = { prompt: 100, action: 2000, observation: 500, warning: 0 };
const base: Arm = { ...defaultArm('a', 'A'), ce: { prompt: 0, action: 0, observation: 0.05, warning: 0 } };

test.each<[string, Partial<Arm>, number]>([
  ['own counts, token mean', {}, 4 * 0.05],
  [
    'own counts, sequence mean',
    {
      aggregation: 'seq-mean-token-mean',
      worldModelSequenceDenominator: 'selected-tokens',
      worldModelBatchDenominator: 'selected-sequences',
    },
    4 * 0.05,
  ],
  ['the actions’ count', { worldModelBatchDenominator: 'action-tokens' }, 0.05],
  ['a shared count for observations alone', { worldModelBatchDenominator: 'all-tokens' }, (0.05 * 2000) / 2500],
  ['raw sums of both', { aggregation: 'token-sum', worldModelBatchDenominator: 'none' }, 0.05],
  ['a raw sum beside a mean', { worldModelBatchDenominator: 'none' }, 0.05 * 256 * 2000],
  ['three quarters of the turns', { worldModelTurnShare: 0.75 }, (4 * 0.05) / 0.75],
  ['Dr. GRPO’s fixed length', { aggregation: 'seq-mean-token-sum-norm' }, (0.05 * 4000) / 500],
])('with %s', (_, change, weight) => {
  expect(observationWeight({ ...base, ...change }, counts, shape)).toBeCloseTo(weight, 9);
});

test('warnings make ECHO’s observations count less, and not where they do not divide', () => {
  const warned = { ...counts, warning: 500 };
  const echo = withObjective(base, findObjective('echo'));
  expect(observationWeight(echo, counts, shape)).toBeCloseTo(0.2, 5);
  expect(observationWeight(echo, warned, shape)).toBeCloseTo(0.1, 5);
  expect(observationWeight(withObjective(base, findObjective('echo-verl')), warned, shape)).toBeCloseTo(0.2, 9);
});

test('with as many observations as actions it is λ where counts are own ones', () => {
  expect(observationWeight(base, EVEN_COUNTS, shape)).toBeCloseTo(0.05, 12);
});

test('there is none without actions that learn', () => {
  expect(observationWeight(withObjective(base, findObjective('env-only')), counts, shape)).toBeNull();
});
