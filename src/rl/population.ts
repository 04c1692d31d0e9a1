/**
 * Who trains: one member per (arm, seed), all in the same dispatches. Member index = arm index · seeds + seed index. And
 * how an arm's settings become its members' row of the hyperparameter table.
 */
import { type Arm, type ArmSettingPath, armSettings, getArmSetting } from '../experiment/experiment';
import { learningRateScale, worldModelScale } from '../experiment/schedule';
import { SAMPLING } from '../experiment/settings/sampling';
import { ROLE, ROLES } from '../foundation/roles';
import { isOfReward, REWARD_PART_IDS } from '../hyperparameters/rewards';
import { HYPER, HYPER_COLUMNS } from '../tensor/layout';

export interface Member {
  readonly armIndex: number;
  readonly arm: string;
  /** Index of the repetition: the same seed in two arms means the same initial parameters and tasks. */
  readonly seed: number;
}

export function membersOf(arms: readonly Arm[], seeds: readonly number[]): Member[] {
  return arms.flatMap((arm, armIndex) => seeds.map((seed) => ({ armIndex, arm: arm.id, seed })));
}

/** The column each setting fills: that of its name, and what stands in blocks: loss weights role by role, weights of the reward part by part. */
export const SETTING_COLUMNS: ReadonlyMap<ArmSettingPath, number> = new Map(
  armSettings.flatMap(({ path }): [ArmSettingPath, number][] =>
    Object.hasOwn(HYPER, path) ? [[path, HYPER[path as keyof typeof HYPER]]] : [],
  ),
);
export const WEIGHT_COLUMNS: ReadonlyMap<ArmSettingPath, number> = new Map([
  ...ROLES.flatMap((role): [ArmSettingPath, number][] => [
    [`pg.${role}`, HYPER.policyGradient + ROLE[role]],
    [`ce.${role}`, HYPER.crossEntropy + ROLE[role]],
  ]),
  ...REWARD_PART_IDS.map((part, k): [ArmSettingPath, number] => [`reward.${part}`, HYPER.rewardWeight + k]),
]);

/**
 * Settings without a column: what the trainer does on the host (innerEpochs, placebo, warmStart), what is worked into other
 * columns here (schedules), what pays (rewards.ts), and a mere name.
 */
export const HOST_SETTINGS: readonly ArmSettingPath[] = [
  'objective',
  'innerEpochs',
  'learningRateWarmUp',
  'placebo',
  'warmStart',
  'startPolicy',
  'referencePolicy',
  'fixedPolicy',
  ...(Object.keys(SAMPLING) as (keyof typeof SAMPLING)[]),
  'worldModelSchedule',
  'worldModelScheduleStart',
  'worldModelScheduleEnd',
  'worldModelFinalScale',
  ...armSettings.map(({ path }) => path).filter((path) => isOfReward(path) && !WEIGHT_COLUMNS.has(path)),
];

/** Columns that stay 0: a batch is never part of a larger one here, and nothing reads advantages off the actions. */
export const UNUSED_COLUMNS = [
  'tokenDenominator',
  'sequenceDenominator',
  'offMask',
] as const satisfies readonly (keyof typeof HYPER)[];

const EVERY_COLUMN: readonly (readonly [setting: (typeof armSettings)[number], column: number])[] = armSettings.flatMap(
  (setting) => {
    const column = SETTING_COLUMNS.get(setting.path) ?? WEIGHT_COLUMNS.get(setting.path);
    return column === undefined ? [] : [[setting, column] as const];
  },
);

/** The hyperparameter tensor's rows in an update, [P, HYPER_COLUMNS]. A choice is its index in its list, a flag 0 or 1. */
export function hyperparameters(members: readonly Member[], arms: readonly Arm[], update = 0): Float32Array {
  const table = new Float32Array(members.length * HYPER_COLUMNS);
  const rows = arms.map((arm) => rowOf(arm, update));
  members.forEach((member, index) => {
    table.set(rows[member.armIndex] as Float32Array, index * HYPER_COLUMNS);
  });
  return table;
}

function rowOf(arm: Arm, update: number): Float32Array {
  const row = new Float32Array(HYPER_COLUMNS);
  for (const [setting, column] of EVERY_COLUMN) {
    const value = getArmSetting(arm, setting.path);
    row[column] = setting.type === 'choice' ? setting.choices.indexOf(String(value)) : Number(value);
  }
  (row[HYPER.learningRate] as number) *= learningRateScale(arm, update);
  const scale = worldModelScale(arm, update);
  for (const role of ROLES) if (role !== 'action') (row[HYPER.crossEntropy + ROLE[role]] as number) *= scale;
  return row;
}

export { worldModelScale };
