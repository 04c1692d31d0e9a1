// The row of hyperparameters of an arm: its settings, column by column, and its schedules.
import { describe, expect, test } from 'vitest';
import { worldModelScale } from '../../src/experiment/arm/schedule';
import { armSettings, defaultArm, withArmSetting } from '../../src/experiment/experiment';
import { isNumberSetting } from '../../src/experiment/settings/setting';
import { ROLE, ROLES } from '../../src/foundation/roles';
import { COLUMN_OF } from '../../src/hyperparameters/columns';
import { REWARD_PART_IDS } from '../../src/hyperparameters/rewards';
import { hyperparameters } from '../../src/rl/population';
import { REWARD_PARTS } from '../../src/tensor/columns';
import { HYPER, HYPER_COLUMNS } from '../../src/tensor/layout';

const arm = defaultArm('a', 'A');
const rowFor = (changed: typeof arm, update = 0) =>
  hyperparameters([{ armIndex: 0, arm: 'a', seed: 0 }], [changed], update);

describe('hyperparameter columns', () => {
  test('have room each to themselves', () => {
    const columns = [...COLUMN_OF.values()];
    expect(new Set(columns).size).toBe(columns.length);
    expect(Math.max(...columns)).toBeLessThan(HYPER_COLUMNS);
    expect(HYPER_COLUMNS % 4).toBe(0);
  });

  test('hold what an arm says, and nothing else moves', () => {
    // Thoughts with weights of their own: otherwise they have those of actions.
    const off = { thought: 0 };
    const { pg, ce, kl, entropy } = arm;
    const own = {
      ...arm,
      pg: { ...pg, ...off },
      ce: { ...ce, ...off },
      kl: { ...kl, ...off },
      entropy: { ...entropy, ...off },
    };
    const before = rowFor(own);
    for (const { path, ...setting } of armSettings) {
      const column = COLUMN_OF.get(path);
      if (column === undefined) continue;
      const value = isNumberSetting(setting) ? setting.max : setting.type === 'choice' ? setting.choices.at(-1) : true;
      const row = rowFor(withArmSetting(own, path, value as number));
      const number = setting.type === 'choice' ? setting.choices.length - 1 : Number(value);
      expect(row[column], path).toBe(Math.fround(number));
      const moved = [...row.keys()].filter((at) => row[at] !== before[at]);
      expect(
        moved.filter((at) => at !== column),
        path,
      ).toEqual([]);
    }
  });

  test('hold the weights of the reward part by part', () => {
    const changed = REWARD_PART_IDS.reduce((one, part, k) => withArmSetting(one, `reward.${part}`, k + 1), arm);
    const { rewardWeight } = HYPER;
    expect([...rowFor(changed).subarray(rewardWeight, rewardWeight + REWARD_PARTS)]).toEqual(
      REWARD_PART_IDS.map((_, k) => k + 1),
    );
  });

  test('hold the loss weights by role', () => {
    const changed = ROLES.reduce(
      (one, role, at) => withArmSetting(withArmSetting(one, `pg.${role}`, at + 1), `ce.${role}`, at + 5),
      arm,
    );
    const row = rowFor(changed);
    for (const [at, role] of ROLES.entries()) {
      expect(row[HYPER.policyGradient + ROLE[role]]).toBe(at + 1);
      expect(row[HYPER.crossEntropy + ROLE[role]]).toBe(at + 5);
    }
  });
});

describe('settings', () => {
  test('of choices are letters, digits and hyphens, and name no choice that is not there', () => {
    for (const setting of armSettings) {
      if (setting.type !== 'choice') continue;
      for (const choice of setting.choices) expect(choice).toMatch(/^[A-Za-z0-9-]{1,64}$/);
      expect(Object.keys(setting.names ?? {}).filter((name) => !setting.choices.includes(name))).toEqual([]);
    }
  });
});

describe('the schedule of λ', () => {
  const base = { ...arm, ce: { ...arm.ce, observation: 0.2, action: 0.3 } };
  const scheduled = { ...base, worldModelScheduleStart: 10, worldModelScheduleEnd: 20, worldModelFinalScale: 0.5 };

  test.each([
    ['constant', 15, 1],
    ['linear', 9, 1],
    ['linear', 15, 0.75],
    ['linear', 20, 0.5],
    ['linear', 99, 0.5],
    ['step', 9, 1],
    ['step', 10, 0.5],
  ] as const)('%s, at update %i, is %f', (worldModelSchedule, update, scale) => {
    const changed = { ...scheduled, worldModelSchedule };
    expect(worldModelScale(changed, update)).toBeCloseTo(scale, 12);
    const row = rowFor(changed, update);
    expect(row[HYPER.crossEntropy + ROLE.observation]).toBeCloseTo(0.2 * scale, 6);
    expect(row[HYPER.crossEntropy + ROLE.action]).toBe(Math.fround(0.3));
  });

  test('that ends where it begins, or before, steps there', () => {
    const backwards = { ...scheduled, worldModelSchedule: 'linear', worldModelScheduleEnd: 5 } as const;
    expect([9, 10].map((update) => worldModelScale(backwards, update))).toEqual([1, 0.5]);
  });
});

test('a warm-up multiplies the learning rate, and nothing else', () => {
  const warmed = { ...arm, learningRate: 0.01, learningRateWarmUp: 4 };
  const whole = [...rowFor({ ...warmed, learningRateWarmUp: 0 }, 0)];
  for (const [update, scale] of [
    [0, 0.25],
    [1, 0.5],
    [3, 1],
    [4, 1],
    [99, 1],
  ] as const) {
    const expected = [...whole];
    expected[HYPER.learningRate] = Math.fround(Math.fround(0.01) * scale);
    expect([...rowFor(warmed, update)]).toEqual(expected);
  }
});
