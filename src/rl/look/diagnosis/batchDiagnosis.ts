/** Diagnosis of one update's batch, put together from the trajectories and the device's numbers. */
import type { Environment } from '../../../environments/environment';
import { ROLES } from '../../../foundation/roles';
import type { TokenReadback } from '../../measure/tokenReadback';
import type { Trajectories } from '../../play/trajectories';
import type { UpdateReadback } from '../../updateContract';
import { ObservationSlices } from './observations';
import { type Diagnosis, diagnosisStride, type RoleNumbers, writeMember } from './table';

export class BatchDiagnosis {
  readonly #observations: ObservationSlices;
  readonly #layers: readonly string[];

  /** layers: names of the layers whose gradients are measured. */
  constructor(environment: Environment, layers: readonly string[]) {
    this.#observations = new ObservationSlices(environment);
    this.#layers = layers;
  }

  /**
   * Counts the trajectories; call before they are overwritten. The result takes the readback of the update that learned from
   * them, which must have tokens and gradients.
   */
  begin(trajectories: Trajectories, update: number): (readback: UpdateReadback) => Diagnosis {
    const observations = this.#observations.count(trajectories);
    const { members } = trajectories;
    return ({ tokens, gradients, counts }) => {
      if (tokens === null || gradients === null) throw new Error('Nothing was measured of this update.');
      const shape = { slices: this.#observations.slices, layers: this.#layers };
      const slices = observations(tokens.oldLogProb);
      const numbers = new Float64Array(members * diagnosisStride(shape));
      for (let member = 0; member < members; member++) {
        const row = writeMember({
          slices: slices[member],
          layers: gradients.layers[member] as (typeof gradients.layers)[number],
          roles: ROLES.map((_, role) => ({
            tokens: counts[member * ROLES.length + role],
            ...weightsOf(tokens, member, members, role),
            gradient: gradients.roleNorms[role]?.[member],
          })),
        });
        numbers.set(row, member * diagnosisStride(shape));
      }
      return { update, ...shape, numbers };
    };
  }
}

function weightsOf(
  { roles, advantage, policyWeight, crossEntropyWeight }: TokenReadback,
  member: number,
  members: number,
  role: number,
): Pick<RoleNumbers, 'policyWeight' | 'crossEntropyWeight'> {
  const stride = roles.length / members;
  let [policy, crossEntropy] = [0, 0];
  for (let i = member * stride; i < (member + 1) * stride; i++) {
    if (roles[i] !== role) continue;
    const weight = policyWeight[i];
    // Without a policy loss the advantage is unspecified, even NaN.
    if (weight !== 0) policy += Math.abs(weight * advantage[i]);
    crossEntropy += Math.abs(crossEntropyWeight[i]);
  }
  return { policyWeight: policy, crossEntropyWeight: crossEntropy };
}
