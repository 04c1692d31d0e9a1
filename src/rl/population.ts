/**
 * The population: one member per (arm, seed), all in the same dispatches; member index = arm index · seeds + seed index.
 * And its hyperparameter table: an arm's settings become its members' rows.
 */
import { type Arm, armSettings, getArmSetting } from '../experiment/experiment';
import { learningRateScale, worldModelScale } from '../experiment/schedule';
import { ROLE, ROLES } from '../foundation/roles';
import { COLUMN_OF } from '../hyperparameters/columns';
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

const WITH_COLUMN = armSettings.flatMap((setting) => {
  const column = COLUMN_OF.get(setting.path);
  return column === undefined ? [] : [{ setting, column }];
});

/** The hyperparameter table of an update, [P, HYPER_COLUMNS]. A choice is its index in its list, a flag 0 or 1. */
export function hyperparameters(members: readonly Member[], arms: readonly Arm[], update = 0): Float32Array {
  const table = new Float32Array(members.length * HYPER_COLUMNS);
  const rows = arms.map((arm) => rowOf(arm, update));
  members.forEach((member, index) => {
    table.set(rows[member.armIndex], index * HYPER_COLUMNS);
  });
  return table;
}

function rowOf(arm: Arm, update: number): Float32Array {
  const row = new Float32Array(HYPER_COLUMNS);
  for (const { setting, column } of WITH_COLUMN) {
    const value = getArmSetting(arm, setting.path);
    row[column] = setting.type === 'choice' ? setting.choices.indexOf(String(value)) : Number(value);
  }
  row[HYPER.learningRate] *= learningRateScale(arm, update);
  const scale = worldModelScale(arm, update);
  for (const role of ROLES) if (role !== 'action') row[HYPER.crossEntropy + ROLE[role]] *= scale;
  return row;
}

export { worldModelScale };
