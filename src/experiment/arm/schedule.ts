/** Schedules: an arm's settings in an update, and factors of its learning rate and world-model weights. */
import { isDrawn, ROLE, ROLES, type RoleWeights } from '../../foundation/roles';
import type { Arm } from '../experiment';

/** Factor of an arm's cross-entropy weights in an update, for all roles but `action`, which is not the world model's. */
export function worldModelScale(arm: Arm, update: number): number {
  const { worldModelSchedule, worldModelScheduleStart: start, worldModelScheduleEnd: end } = arm;
  if (worldModelSchedule === 'constant' || update < start) return 1;
  const through = worldModelSchedule === 'step' || update >= end ? 1 : (update - start) / (end - start);
  return 1 + through * (arm.worldModelFinalScale - 1);
}

/** Factor of an arm's learning rate in an update, in (0, 1]: a linear warm-up of `learningRateWarmUp` updates. */
export function learningRateScale({ learningRateWarmUp }: Arm, update: number): number {
  return update < learningRateWarmUp ? (update + 1) / learningRateWarmUp : 1;
}

/** Losses that an update trains: all of the arm's, or those of one part alone. */
export type LossPhase = 'all' | 'policy' | 'world-model' | 'critic';

export function phaseAt(arm: Arm, update: number): LossPhase {
  const { valueCoefficient, criticWarmUp, worldModelEvery: every, worldModelBetween } = arm;
  if (valueCoefficient > 0 && update < criticWarmUp) return 'critic';
  if (every > 0 && (update + 1) % every === 0) return 'world-model';
  return every > 0 && worldModelBetween === 'policy' ? 'policy' : 'all';
}

/** The arm as it plays and learns in an update. The same object where none of these schedules is set. */
export function scheduledArm(arm: Arm, update: number): Arm {
  const annealed = arm.annealing === 0 ? arm : { ...arm, ...annealedSampling(arm, update) };
  switch (phaseAt(arm, update)) {
    case 'all':
      return annealed;
    case 'policy':
      return { ...annealed, ce: keepRoles(arm.ce, (role) => isDrawn(role)), inverseDynamics: 0 };
    case 'world-model':
      return { ...annealed, ...withoutPolicyLoss(arm), valueCoefficient: 0 };
    case 'critic':
      return {
        ...annealed,
        ...withoutPolicyLoss(arm),
        ce: keepRoles(arm.ce, () => false),
        inverseDynamics: 0,
        losses: silent(arm.losses),
      };
  }
}

function annealedSampling(arm: Arm, update: number): Pick<Arm, 'temperature' | 'uniformShare'> {
  const through = Math.min(update / arm.annealing, 1);
  const between = (first: number, last: number): number => first + through * (last - first);
  return {
    temperature: between(arm.temperature, arm.finalTemperature),
    uniformShare: arm.uniformShare === 0 ? 0 : between(arm.uniformShare, arm.finalUniformShare),
  };
}

/** Settings of an arm that learns nothing from its reward. */
const withoutPolicyLoss = ({ pg }: Arm) => ({
  pg: keepRoles(pg, () => false),
  klCoefficient: 0,
  entropyCoefficient: 0,
  distillation: 0,
});

const keepRoles = (weights: RoleWeights, keeps: (role: number) => boolean): RoleWeights =>
  Object.fromEntries(ROLES.map((role) => [role, keeps(ROLE[role]) ? weights[role] : 0])) as RoleWeights;

/** Losses added by hand, without weight: their formulas stay compiled. */
const silent = (losses: Arm['losses']): Arm['losses'] =>
  losses.map((loss) => ({ ...loss, on: keepRoles(loss.on, () => false) }));
