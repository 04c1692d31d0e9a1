// Weight of an observation token relative to an action token, for a batch of 256 trajectories with 500 observation and 2000
// action tokens each, under the denominators in use.
import { describe, expect, test } from 'vitest';
import { AT_START, EVEN_COUNTS, observationWeight, uncounted } from '../../src/experiment/arm/tokenWeight';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { findObjective, withObjective } from '../../src/experiment/objectives/objectivePresets';

const shape = { groups: 16, groupSize: 16, context: 4000 };
const counts = { prompt: 100, action: 2000, observation: 500, warning: 0, thought: 0 };
const base: Arm = { ...defaultArm('a', 'A'), ce: { prompt: 0, action: 0, observation: 0.05, warning: 0, thought: -1 } };

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

describe('what training has come to', () => {
  const at = (arm: Partial<Arm>, now: Partial<typeof AT_START>) =>
    observationWeight({ ...base, ...arm }, counts, shape, { ...AT_START, ...now });

  test('the schedule of λ counts, update by update', () => {
    const step: Partial<Arm> = { worldModelSchedule: 'step', worldModelScheduleStart: 150, worldModelFinalScale: 0.5 };
    expect(at(step, { update: 149 })).toBeCloseTo(0.2, 9);
    expect(at(step, { update: 150 })).toBeCloseTo(0.1, 9);
    expect(at({ ...step, worldModelFinalScale: 0 }, { update: 150 })).toBe(0);
  });

  test('groups left out make the actions of the others count more, where these are averaged', () => {
    const kept: Partial<Arm> = { groupFilter: 'top-deviation', groupFilterShare: 0.25 };
    expect(at(kept, {})).toBeCloseTo(0.2 / 4, 9);
    expect(at({ groupFilter: 'unequal' }, { keptGroups: 0.5 })).toBeCloseTo(0.1, 9);
    expect(at({ groupFilter: 'unequal' }, { keptGroups: 0 })).toBeNull();
    expect(at({ ...kept, aggregation: 'token-sum', worldModelBatchDenominator: 'none' }, {})).toBeCloseTo(0.05, 9);
  });

  test('trajectories chosen divide where they are counted', () => {
    expect(at({ worldModelTrajectories: 'failed' }, { successRate: 0.75 })).toBeCloseTo(0.2 / 0.25, 9);
    expect(at({ worldModelTrajectories: 'solved' }, { successRate: 0.5 })).toBeCloseTo(0.4, 9);
    expect(at({ worldModelTrajectories: 'solved' }, { successRate: 0 })).toBe(0);
    const all: Partial<Arm> = { worldModelTrajectories: 'failed', worldModelBatchDenominator: 'all-tokens' };
    expect(at(all, { successRate: 0.75 })).toBeCloseTo((0.05 * 2000) / 2500, 9);
  });

  test('prompts follow no turn, so a share of turns leaves them out', () => {
    const prompted = { ...base.ce, prompt: 0.05 };
    expect(at({ ce: prompted }, {})).toBeCloseTo((0.05 * 2000) / 600, 9);
    expect(at({ ce: prompted, worldModelTurnShare: 0.5 }, {})).toBeCloseTo((0.05 * 2000) / 250, 9);
  });

  test('what cannot be counted is named', () => {
    const named = (arm: Partial<Arm>, now: Partial<typeof AT_START> = {}) =>
      uncounted({ ...base, ...arm }, { ...AT_START, ...now });
    expect(named({})).toEqual([]);
    expect(named({ worldModelTrajectories: 'failed' })).toEqual(['the choice of trajectories']);
    expect(named({ worldModelTrajectories: 'failed' }, { successRate: 0.5 })).toEqual([]);
    expect(named({ groupFilter: 'variance-mass' })).toEqual(['groups left out']);
    expect(named({ groupFilter: 'variance-mass' }, { keptGroups: 0.5 })).toEqual([]);
    expect(named({ groupFilter: 'top-deviation' })).toEqual([]);
    expect(named({ worldModelRewardScale: 1, worldModelMinValid: 0.5 })).toEqual([
      'the balance by reward',
      'trajectories left out for malformed actions',
    ]);
  });
});
