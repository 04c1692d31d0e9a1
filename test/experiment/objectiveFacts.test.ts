// Texts of objective presets against their effects: numbers of the sources, ratios of weights, and settings that stay when
// another objective is chosen.
import { describe, expect, test } from 'vitest';
import { isRelevant } from '../../src/experiment/arm/relevance';
import { observationWeight } from '../../src/experiment/arm/tokenWeight';
import { warningOf } from '../../src/experiment/arm/warnings';
import { type Arm, armSettings, defaultArm, findArmSetting } from '../../src/experiment/experiment';
import { aboutObjective } from '../../src/experiment/objectives/objectiveAbout';
import {
  choosingObjective,
  findObjective,
  objectivePresets,
  withObjective,
} from '../../src/experiment/objectives/objectivePresets';
import type { ObjectiveId } from '../../src/experiment/settings/objectives';
import { isNumberSetting } from '../../src/experiment/settings/setting';

const plain = defaultArm('a', 'A');
const armOf = (id: ObjectiveId): Arm => withObjective(plain, findObjective(id));

describe('choosing another policy gradient', () => {
  test.each(['actobs', 'env-only'] as const)('leaves nothing of the imitation or prediction of %s', (id) => {
    expect(choosingObjective(armOf(id), findObjective('grpo'))).toEqual(armOf('grpo'));
  });

  test('never keeps the imitation of actions', () => {
    const imitating = { ...armOf('echo'), ce: { ...armOf('echo').ce, action: 0.1 } };
    expect(choosingObjective(imitating, findObjective('dapo'))).toEqual(armOf('dapo'));
  });
});

describe('presets', () => {
  test('of VAPO looks as far in a short episode as the paper in a long answer', () => {
    const { gaeLambdaLength } = armOf('vapo');
    for (const tokens of [4, 12, 20]) {
      expect(1 - 1 / (gaeLambdaLength * tokens)).toBeCloseTo(1 - 1 / (0.05 * 100 * tokens), 12);
      expect(1 - 1 / (gaeLambdaLength * tokens)).toBeGreaterThanOrEqual(0.95);
    }
    expect(aboutObjective('vapo').caveat).toMatch(/0\.05.*0\.95.*0\.99/);
  });

  test('with a shared denominator weigh a token as their text says', () => {
    const counts = { prompt: 0, action: 3, observation: 12, warning: 0, thought: 0 };
    const weight = observationWeight(armOf('shared-denominator'), counts, { groups: 4, groupSize: 4, context: 20 });
    expect(weight).toBeCloseTo((0.1 * 3) / 15, 12);
    expect(aboutObjective('shared-denominator').reason).toContain('λ · A/(A + O)');
    expect(aboutObjective('shared-denominator').reason).not.toMatch(/actions count less/);
  });

  test.each(objectivePresets.filter(({ id }) => id.startsWith('echo')))('$id tells of the temperature', ({ id }) => {
    expect(aboutObjective(id).caveat).toMatch(/at temperature 1 here.*at the sampling temperature/);
  });

  test.each(['rloo', 'remax', 'gpg', 'opo', 'echo', 'echo-paper'] as const)('%s tells of one step a batch', (id) => {
    expect(aboutObjective(id).caveat).toMatch(/inner epochs to 1/);
  });

  test('of rLLM have its deviation and ε', () => {
    expect(armOf('echo-rllm')).toMatchObject({ advantageDeviation: 'population', advantageEpsilon: 1e-6 });
  });

  test('of Clip-Cov has no dual clip, which would act', () => {
    expect(armOf('clip-cov').ratioCap).toBe(0);
    expect(isRelevant(armOf('clip-cov'), 'ratioCap')).toBe(true);
  });

  test('say how GiGPO finds a state again', () => {
    expect(aboutObjective('gigpo').caveat).toMatch(/last observation/);
  });

  test.each<[ObjectiveId, Partial<Arm>]>([
    [
      'luspo',
      {
        ratioLevel: 'sequence',
        aggregation: 'seq-mean-token-sum',
        countedSequences: 'all',
        clipLow: 2e-3,
        clipHigh: 2.5e-3,
      },
    ],
    ['turn-ratio', { ratioLevel: 'turn', ratioReduction: 'mean', surrogate: 'ppo' }],
    ['erpo', { advantageScale: 'environment-deviation', advantageBaseline: 'group-mean' }],
    ['dro', { surrogate: 'dro', ratioPenalty: 0.05 }],
    ['tis', { decodingCorrection: 'truncate', decodingLow: 0, decodingHigh: 2 }],
    ['reinforce-kl', { surrogate: 'reinforce-kl', ratioBase: 'behaviour', clipLow: 1, clipHigh: 100 }],
    [
      'prime-ipo',
      { surrogate: 'ipo', clipHigh: 0.1, ratioPenalty: 0.001, ratioBase: 'behaviour', logRatioClamp: 'none' },
    ],
  ])('%s has the numbers of its source', (id, expected) => {
    expect(armOf(id)).toMatchObject(expected);
    expect(findObjective(id).family).toBe('policy');
  });
});

describe('settings', () => {
  test('take a share of turns above 0, since no turn at all is not what 0 meant', () => {
    const setting = findArmSetting('worldModelTurnShare');
    expect(setting !== undefined && isNumberSetting(setting) ? setting.min : null).toBe(0.01);
    expect(setting?.help).toMatch(/; 1 .*every turn/);
  });

  test('say that the environment’s deviation is that of each world of a mixture, and else the batch’s', () => {
    expect(armSettings.find(({ path }) => path === 'advantageScale')?.help).toMatch(/world of a mixture.*the batch’s/);
  });

  test.each(['gae', 'bilevel-gae'] as const)('of baselines by token do nothing under %s', (advantageCredit) => {
    for (const advantageBaseline of ['greedy', 'optimal-token', 'optimal-turn-token-tail'] as const) {
      expect(isRelevant({ ...plain, advantageBaseline }, 'advantageBaseline')).toBe(true);
      expect(isRelevant({ ...plain, advantageCredit, advantageBaseline }, 'advantageBaseline')).toBe(false);
    }
    expect(isRelevant({ ...plain, advantageCredit }, 'advantageBaseline')).toBe(true);
  });
});

describe('warnings', () => {
  test('GAE without a trained critic', () => {
    const zero = { ...armOf('ppo'), valueCoefficient: 0 };
    expect(warningOf(zero, 'advantageCredit')).toMatch(/no critic/i);
    expect(warningOf(zero, 'valueCoefficient')).toMatch(/no critic/i);
    expect(warningOf(armOf('ppo'), 'advantageCredit')).toBeNull();
    expect(warningOf(plain, 'valueCoefficient')).toBeNull();
  });

  test('a replay whose ratio is not to the policy that played', () => {
    const replayed = { ...plain, replay: 'policy-gradient' } as const;
    expect(warningOf(replayed, 'replay')).toMatch(/taken for the policy’s own/);
    expect(warningOf({ ...replayed, ratioBase: 'behaviour' }, 'replay')).toBeNull();
    expect(warningOf({ ...plain, replay: 'cross-entropy' }, 'replay')).toBeNull();
  });

  test('further steps that no ratio corrects', () => {
    expect(warningOf({ ...armOf('rloo'), innerEpochs: 2 }, 'innerEpochs')).toMatch(/no ratio/i);
    expect(warningOf({ ...armOf('rloo'), innerEpochs: 1 }, 'innerEpochs')).toBeNull();
    expect(warningOf({ ...armOf('env-only'), surrogate: 'reinforce' }, 'innerEpochs')).toBeNull();
    expect(warningOf({ ...plain, innerEpochs: 4 }, 'innerEpochs')).toBeNull();
  });

  test('λ by length that is 0 for short trajectories', () => {
    expect(warningOf({ ...armOf('vapo'), gaeLambdaLength: 0.05 }, 'gaeLambdaLength')).toMatch(/20 action tokens/);
    expect(warningOf(armOf('vapo'), 'gaeLambdaLength')).toBeNull();
  });
});
