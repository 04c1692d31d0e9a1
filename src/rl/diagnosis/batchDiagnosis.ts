/** Puts together what the trajectories and the device tell of one update's batch. */
import type { Environment } from '../../environments/environment';
import { ROLES } from '../../foundation/roles';
import type { TokenReadback } from '../tokenReadback';
import type { Trajectories } from '../trajectories';
import type { UpdateReadback } from '../update';
import { ObservationSlices } from './observations';
import { type Diagnosis, diagnosisStride, type RoleNumbers, writeMember } from './table';

export class BatchDiagnosis {
  readonly #observations: ObservationSlices;
  readonly #layers: readonly string[];

  /** layers: names of those whose gradients are measured. */
  constructor(environment: Environment, layers: readonly string[]) {
    this.#observations = new ObservationSlices(environment);
    this.#layers = layers;
  }

  /**
   * Call before the trajectories are overwritten; the result takes what the update that learned from them read back, tokens
   * and gradients among it.
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
    // Where there is no policy loss the advantage may be anything.
    if (weight !== 0) policy += Math.abs(weight * advantage[i]);
    crossEntropy += Math.abs(crossEntropyWeight[i]);
  }
  return { policyWeight: policy, crossEntropyWeight: crossEntropy };
}
