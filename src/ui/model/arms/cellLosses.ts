/**
 * The losses that tokens of a role can have in an arm, as rows of the cell's editor: policy gradient, cross-entropy, the
 * arm's own added ones, and the factors of its KL and entropy coefficients.
 */

import { OWN_LOSS_LIMITS, standingFor } from '../../../experiment/arm/ownLosses';
import {
  type Arm,
  type ArmSettingPath,
  findArmSetting,
  withArmPart,
  withArmSetting,
} from '../../../experiment/experiment';
import { DRAWN, ROLES, type Role } from '../../../foundation/roles';
import { AS_ACTIONS, weightOn } from '../../../hyperparameters/weights';
import { capital, formatSetting } from '../../kit/format';
import { addedTo } from './lossesOn';

export interface CellLoss {
  /** Path of the loss's weight, the same one that a change in the timeline has. */
  readonly path: string;
  readonly testId: string;
  readonly name: string;
  /** Name of the number for screen readers. */
  readonly label: string;
  readonly help: string;
  readonly value: number;
  readonly isOn: boolean;
  readonly min: number;
  readonly max: number;
  readonly turnOn: (arm: Arm) => Arm;
  readonly turnOff: (arm: Arm) => Arm;
}

export function cellLosses(arm: Arm, role: Role): readonly CellLoss[] {
  return [
    ofArm(arm, role, 'pg', nameInstead(arm, 'policy', 'policy gradient'), 1),
    ofArm(arm, role, 'ce', nameInstead(arm, 'predict', 'prediction (cross-entropy)'), 0.1),
    ...addedTo(arm).map(({ name, on }) => ofOwn(name, role, on[role])),
    held(arm, role, 'kl'),
    held(arm, role, 'entropy'),
  ];
}

function nameInstead(arm: Arm, place: 'policy' | 'predict', usual: string): string {
  const own = standingFor(arm, place);
  return own === undefined ? capital(usual) : `${own.name}, in place of the ${usual}`;
}

/** A setting of the arm's table; `on` is its weight when it is turned on. */
function ofArm(arm: Arm, role: Role, loss: 'pg' | 'ce' | 'kl' | 'entropy', name: string, on: number): CellLoss {
  const path: ArmSettingPath = `${loss}.${role}`;
  const setting = findArmSetting(path);
  const max = setting?.type === 'number' ? setting.max : 1;
  const value = weightOn(arm[loss], role);
  return {
    path,
    testId: loss,
    name,
    label: setting?.label ?? name,
    help: setting?.help ?? '',
    value,
    isOn: value > 0,
    // −1 on thoughts: as on actions.
    min: role === 'thought' ? AS_ACTIONS : 0,
    max,
    turnOn: (now) => withArmSetting(now, path, on),
    turnOff: (now) => withArmSetting(now, path, 0),
  };
}

function ofOwn(name: string, role: Role, value: number): CellLoss {
  const path = `loss.${name}.on.${role}`;
  return {
    path,
    testId: `own-${name}`,
    name,
    label: `${name} on ${role} tokens`,
    help: 'A loss of your own, averaged over its tokens.',
    value,
    isOn: value !== 0,
    min: -OWN_LOSS_LIMITS.weight,
    max: OWN_LOSS_LIMITS.weight,
    turnOn: (now) => withArmPart(now, path, DRAWN.includes(role) ? 1 : 0.1),
    turnOff: (now) => withArmPart(now, path, 0),
  };
}

const COEFFICIENTS = {
  kl: { path: 'klCoefficient', name: 'KL to the reference', usual: 0.02 },
  entropy: { path: 'entropyCoefficient', name: 'Entropy bonus', usual: 0.01 },
} as const;

/**
 * Factor of a role on a coefficient that all roles share. Where the coefficient is 0 no role has the loss: turned on,
 * the role gets a usual coefficient, and alone.
 */
function held(arm: Arm, role: Role, loss: 'kl' | 'entropy'): CellLoss {
  const { path, name, usual } = COEFFICIENTS[loss];
  const coefficient = arm[path];
  const factor = ofArm(arm, role, loss, name, 1);
  // Thoughts go with actions where nothing else was said of them.
  const off = (one: Role): number => (one === 'thought' ? AS_ACTIONS : 0);
  const alone = ROLES.map((one) => [`${loss}.${one}`, one === role ? 1 : off(one)] as const);
  return {
    ...factor,
    help:
      coefficient > 0
        ? `Times the arm’s coefficient ${formatSetting(coefficient)}, under “All settings”. ${factor.help}`
        : factor.help,
    isOn: coefficient > 0 && factor.isOn,
    turnOn: (now) =>
      coefficient > 0
        ? factor.turnOn(now)
        : alone.reduce((made, [one, to]) => withArmSetting(made, one, to), withArmSetting(now, path, usual)),
  };
}
