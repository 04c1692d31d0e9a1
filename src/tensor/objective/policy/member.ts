/** One member's settings of the policy objective, named as in src/hyperparameters; some zeros mean another number. */
import { isTarget } from '../../../foundation/roles';
import { namesOf, readerOf } from '../../../hyperparameters/columns';
import { POLICY_OBJECTIVE } from '../../../hyperparameters/policyObjective';
import type { FloatData } from '../../backend';
import { HYPER } from '../../layout';

export type PolicyMember = ReturnType<typeof policyMember>;

const read = readerOf([...namesOf(POLICY_OBJECTIVE), 'tokenDenominator', 'sequenceDenominator']);

export function policyMember(hyper: FloatData) {
  const settings = read(hyper);
  // gmpo and vespo need whole segments.
  const isJoint = settings.surrogate === 'gmpo' || settings.surrogate === 'vespo';
  return {
    ...settings,
    ratioLevel: isJoint && settings.ratioLevel === 'token' ? ('sequence' as const) : settings.ratioLevel,
    lossScale: settings.lossScale || 1,
    decodingHigh: settings.decodingHigh || Number.POSITIVE_INFINITY,
    /** Policy-gradient weight of a role; 0 if it is no target's. */
    roleWeight: (role: number | null): number =>
      role !== null && isTarget(role) ? hyper[HYPER.policyGradient + role] : 0,
  };
}
