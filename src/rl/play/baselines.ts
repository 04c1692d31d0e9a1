/**
 * ReMax's baseline (arXiv 2310.10505): the reward of the policy's own greedy trajectory on each task, played with the same
 * decoder after the batch. Greedy is sampling at a temperature so low that only the likeliest token has a chance.
 */
import type { Environment } from '../../environments/environment';
import type { Arm } from '../../experiment/experiment';
import { STREAM } from '../../foundation/philox';
import type { Decoder } from '../../policy/decoder';
import { HYPER, HYPER_COLUMNS } from '../../tensor/layout';
import type { Member } from '../population';
import { Rollout } from './rollout';
import { Trajectories } from './trajectories';

/** Temperature of greedy play: a difference of 0.01 between two logits is a factor of e¹⁰⁰ in odds. */
export const GREEDY_TEMPERATURE = 1e-4;

/** Copy of a table by which nobody draws evenly to explore: the policy itself is measured. */
export function withoutExploration(table: Float32Array): Float32Array {
  const exploited = table.slice();
  for (let at = HYPER.uniformShare; at < exploited.length; at += HYPER_COLUMNS) exploited[at] = 0;
  return exploited;
}

/** Copy of a table of hyperparameters, [P, HYPER_COLUMNS], under which every member takes the likeliest token. */
export function greedily(table: Float32Array): Float32Array {
  const greedy = withoutExploration(table);
  for (let at = HYPER.temperature; at < greedy.length; at += HYPER_COLUMNS) greedy[at] = GREEDY_TEMPERATURE;
  return greedy;
}

export class Baselines {
  readonly #rollout: Rollout;
  readonly #trajectories: Trajectories;

  constructor(environment: Environment, decoder: Decoder, members: readonly Member[], groups: number, chunk: number) {
    this.#rollout = new Rollout(environment, decoder, members, { groups, groupSize: 1, chunk });
    this.#trajectories = new Trajectories(members.length, groups, environment.context, environment.maxTurns);
  }

  /**
   * Plays the tasks of a collected batch once more, and gives every trajectory of a group its task's baseline. The
   * hyperparameter table must be one of greedily().
   */
  async assign(
    trajectories: Trajectories,
    arms: readonly Arm[],
    experimentSeed: number,
    update: number,
  ): Promise<void> {
    const drawTask = (member: number, group: number) => trajectories.tasks[member]?.[group];
    const key = { stream: STREAM.baseline, round: update };
    await this.#rollout.run(this.#trajectories, { arms, experimentSeed, ...key, drawTask });
    const { rewards, count } = this.#trajectories;
    const groupSize = trajectories.count / count;
    for (let i = 0; i < trajectories.baselines.length; i++) {
      trajectories.baselines[i] = rewards[Math.floor(i / groupSize)];
    }
  }
}
