/**
 * Who trains: one member per (arm, seed), all in the same dispatches. Member index = arm index · seeds + seed index.
 */
import type { Arm } from '../experiment/experiment';
import { ROLE, ROLES } from '../foundation/roles';
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

/** The hyperparameter tensor's rows, [P, HYPER_COLUMNS]. */
export function hyperparameters(members: readonly Member[], arms: readonly Arm[]): Float32Array {
  const table = new Float32Array(members.length * HYPER_COLUMNS);
  members.forEach((member, index) => {
    const arm = arms[member.armIndex] as Arm;
    const row = table.subarray(index * HYPER_COLUMNS, (index + 1) * HYPER_COLUMNS);
    row[HYPER.learningRate] = arm.learningRate;
    row[HYPER.beta1] = arm.beta1;
    row[HYPER.beta2] = arm.beta2;
    row[HYPER.epsilon] = arm.epsilon;
    row[HYPER.weightDecay] = arm.weightDecay;
    row[HYPER.maxGradNorm] = arm.maxGradNorm;
    row[HYPER.clipLow] = arm.clipLow;
    row[HYPER.clipHigh] = arm.clipHigh;
    row[HYPER.klCoefficient] = arm.klCoefficient;
    row[HYPER.entropyCoefficient] = arm.entropyCoefficient;
    row[HYPER.temperature] = arm.temperature;
    row[HYPER.advantageEpsilon] = arm.advantageEpsilon;
    for (const role of ROLES) {
      row[HYPER.policyGradient + ROLE[role]] = arm.pg[role];
      row[HYPER.crossEntropy + ROLE[role]] = arm.ce[role];
    }
  });
  return table;
}
