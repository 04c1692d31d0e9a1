/**
 * Demonstrations of a warm start for a person to look at: of each step the first one, as each arm learns from it. They are played
 * again from their numbers, beside the training, so that they can be seen while kernels are still compiled.
 */
import type { Experiment } from '../../experiment/experiment';
import { ROLES, type Role } from '../../foundation/roles';
import { Imitation, imitating, tokensInStep } from '../../rl/learn/imitation';
import { Trajectories } from '../../rl/play/trajectories';
import { createEnvironment } from '../population/shape';
import type { Watch } from './episodes';
import type { EpisodeView } from './shown';

export class ShownDemonstrations {
  readonly #experiment: Experiment;
  readonly #imitation: Imitation;
  readonly #trajectory: Trajectories;

  /** Opens the demonstrations. Throws LabError where there is nobody to imitate. */
  constructor(experiment: Experiment) {
    const environment = createEnvironment(experiment);
    this.#experiment = experiment;
    this.#imitation = new Imitation(environment, experiment);
    this.#trajectory = new Trajectories(1, 1, environment.context, environment.maxTurns);
  }

  /** One demonstration for each arm, alike but for the tokens that are learned: arms without a warm start learn nothing. */
  at(step: number, { seed, group }: Watch): EpisodeView[] {
    const { arms, warmStart, batch } = this.#experiment;
    const played = this.#trajectory;
    const task = this.#imitation.playFirst(played, seed, step, batch.groups * batch.groupSize);
    const length = played.lengths[0] as number;
    return arms.map((arm) => {
      const { ce } = imitating(arm, tokensInStep(arm.warmStart, step, warmStart), warmStart);
      const weight = (t: number): number => ce[ROLES[played.roles[t] as number] as Role];
      return {
        ...{ arm: arm.id, seed, update: 0, group, trajectory: 0, relabelled: false, imitated: step },
        task: task.slice(),
        tokens: played.tokens.slice(0, length),
        roles: played.roles.slice(0, length),
        logProb: new Float32Array(length).fill(Number.NaN),
        policyWeight: new Float32Array(length),
        crossEntropyWeight: Float32Array.from({ length }, (_, t) => (t === 0 ? 0 : weight(t))),
        advantage: 0,
        reward: played.rewards[0] as number,
        success: played.successes[0] === 1,
      };
    });
  }
}
