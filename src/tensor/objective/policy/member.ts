/** One member's choices and numbers of the policy objective, under their names in src/hyperparameters. */
import { ROLES } from '../../../foundation/roles';
import { namesOf, readerOf } from '../../../hyperparameters/columns';
import { POLICY_OBJECTIVE } from '../../../hyperparameters/policyObjective';
import type { FloatData } from '../../backend';
import { HYPER } from '../../layout';

export type PolicyMember = ReturnType<typeof policyMember>;

const read = readerOf([...namesOf(POLICY_OBJECTIVE), 'tokenDenominator', 'sequenceDenominator']);

export function policyMember(hyper: FloatData) {
  const own = read(hyper);
  // These two are made of whole segments.
  const joint = own.surrogate === 'gmpo' || own.surrogate === 'vespo';
  return {
    ...own,
    ratioLevel: joint && own.ratioLevel === 'token' ? ('sequence' as const) : own.ratioLevel,
    sapoPositive: own.sapoPositive || 1,
    sapoNegative: own.sapoNegative || 1.05,
    vespoPowerPositive: own.vespoPowerPositive || 2,
    vespoScalePositive: own.vespoScalePositive || 3,
    vespoPowerNegative: own.vespoPowerNegative || 3,
    vespoScaleNegative: own.vespoScaleNegative || 2,
    lossScale: own.lossScale || 1,
    decodingHigh: own.decodingHigh || Number.POSITIVE_INFINITY,
    /** The policy-gradient weight of a role; 0 for what is no target. */
    roleWeight: (role: number | null): number =>
      role !== null && role < ROLES.length ? hyper[HYPER.policyGradient + role] : 0,
  };
}
