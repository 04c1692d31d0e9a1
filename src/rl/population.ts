/**
 * The population: one member per (arm, seed), all in the same dispatches; member index = arm index · seeds + seed index.
 * And its hyperparameter table: an arm's settings become its members' rows.
 */

import type { Environment } from '../environments/environment';
import { formulaOf, type OwnLoss, weightIn } from '../experiment/arm/ownLosses';
import { formulaLosses } from '../experiment/arm/roleRegularisers';
import { learningRateScale, worldModelScale } from '../experiment/arm/schedule';
import { type Arm, armSettings, type Experiment, getArmSetting } from '../experiment/experiment';
import { isDrawn, ROLE, ROLES, type Role } from '../foundation/roles';
import { COLUMN_OF } from '../hyperparameters/columns';
import { weightOn } from '../hyperparameters/weights';
import type { Decoder } from '../policy/decoder';
import type { Backend } from '../tensor/backend';
import { HYPER, HYPER_COLUMNS } from '../tensor/layout';
import type { PolicyHistory } from './play/policyHistory';
import type { Trajectories } from './play/trajectories';
import type { Update } from './update';

export interface Member {
  readonly armIndex: number;
  readonly arm: string;
  /** Index of the repetition: the same seed in two arms means the same initial parameters and tasks. */
  readonly seed: number;
}

/** A population in training on a backend. */
export interface TrainedPopulation {
  readonly backend: Backend;
  readonly environment: Environment;
  readonly experiment: Experiment;
  readonly members: readonly Member[];
  readonly decoder: Decoder;
  /** Largest number of tokens fed per trajectory and turn: the decoder's chunk. */
  readonly chunk: number;
  /** Past policies that play; null where the present ones do. */
  readonly history: PolicyHistory | null;
  /** Batch of an update; overwritten where an arm learns from others. */
  readonly trajectories: Trajectories;
  readonly update: Update;
}

export function membersOf(arms: readonly Arm[], seeds: readonly number[]): Member[] {
  return arms.flatMap((arm, armIndex) => seeds.map((seed) => ({ armIndex, arm: arm.id, seed })));
}

const WITH_COLUMN = armSettings.flatMap((setting) => {
  const column = COLUMN_OF.get(setting.path);
  return column === undefined ? [] : [{ setting, column }];
});

/**
 * The hyperparameter table of an update, [P, HYPER_COLUMNS]. A choice is its index in its list, a flag 0 or 1.
 * Log-probs and advantages are worked out where a role has a weight: one that only users' losses use has 1 here.
 */
export function hyperparameters(members: readonly Member[], arms: readonly Arm[], update = 0): Float32Array {
  return tableOf(members, arms, (arm) => {
    const row = rowOf(arm, update);
    for (const loss of formulaLosses(arm)) {
      const { reads } = formulaOf(loss.text);
      for (const role of ROLES) {
        if (!isUsedOn(arm, loss, role)) continue;
        const column = reads.has('advantage') || reads.has('returns') ? HYPER.policyGradient : HYPER.crossEntropy;
        row[column + ROLE[role]] ||= 1;
      }
    }
    return row;
  });
}

/** Hyperparameter table for the lab's own losses: the weight 0 for one that a user's loss replaces. */
export function ownedHyperparameters(members: readonly Member[], arms: readonly Arm[], update = 0): Float32Array {
  return tableOf(members, arms, (arm) => {
    const row = rowOf(arm, update);
    for (const { place } of arm.losses) if (place !== 'added') row.fill(0, BLOCK[place], BLOCK[place] + ROLES.length);
    return row;
  });
}

/** First column of the weights that a user's loss takes over. */
const BLOCK = { policy: HYPER.policyGradient, predict: HYPER.crossEntropy } as const;

/**
 * Rows by which a user's loss is weighed: the weights of the loss it replaces, or its own, in the policy's block,
 * which says on which tokens it is; 0 for members that do not have it. `find` gives a member's arm its loss.
 */
export function lossHyperparameters(
  members: readonly Member[],
  arms: readonly Arm[],
  find: (arm: Arm) => OwnLoss | undefined,
  update: number,
): Float32Array {
  return tableOf(members, arms, (arm) => {
    const row = rowOf(arm, update);
    const loss = find(arm);
    const weights = ROLES.map((role) => (loss === undefined ? 0 : weightOfLoss(row, loss, role)));
    row.set(weights, HYPER.policyGradient);
    if (loss?.place === 'added') {
      // An added loss is a mean over its own tokens, under every aggregation of the arm's losses.
      for (const name of ['aggregation', 'decodingCorrection', 'lengthDenominator'] as const) row[HYPER[name]] = 0;
      row[HYPER.lossScale] = 1;
    }
    return row;
  });
}

const weightOfLoss = (row: Float32Array, loss: OwnLoss, role: Role): number =>
  loss.place === 'added' ? loss.on[role] : row[BLOCK[loss.place] + ROLE[role]];

const isUsedOn = (arm: Arm, loss: OwnLoss, role: Role): boolean => weightIn(arm, loss, role) !== 0;

function tableOf(members: readonly Member[], arms: readonly Arm[], make: (arm: Arm) => Float32Array): Float32Array {
  const table = new Float32Array(members.length * HYPER_COLUMNS);
  const rows = arms.map(make);
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
  row[HYPER.klThought] = row[HYPER.klCoefficient] * weightOn(arm.kl, 'thought');
  row[HYPER.entropyThought] = row[HYPER.entropyCoefficient] * weightOn(arm.entropy, 'thought');
  row[HYPER.klCoefficient] *= arm.kl.action;
  row[HYPER.entropyCoefficient] *= arm.entropy.action;
  row[HYPER.policyGradient + ROLE.thought] = weightOn(arm.pg, 'thought');
  row[HYPER.crossEntropy + ROLE.thought] = weightOn(arm.ce, 'thought');
  row[HYPER.learningRate] *= learningRateScale(arm, update);
  const scale = worldModelScale(arm, update);
  for (const role of ROLES) if (!isDrawn(ROLE[role])) row[HYPER.crossEntropy + ROLE[role]] *= scale;
  return row;
}
