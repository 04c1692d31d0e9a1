/**
 * Demonstrations: episodes played by the environment's scripted expert or by a random policy, recorded like the policy's
 * own. The policy is never asked. Demonstration d of a seed is always the same episode, for every caller and at any time.
 */
import type { Environment, Split, WorldSlots } from '../../environments/environment';
import { drawAction, expertThoughts } from '../../environments/replay';
import { LabError } from '../../foundation/errors';
import { RandomStream } from '../../foundation/philox';
import { recordEpisode } from './recording';
import type { Trajectories } from './trajectories';

export interface DemonstrationOptions {
  readonly source: 'expert' | 'random';
  /** Share of the expert's demonstrations that are noisy. */
  readonly noisy: number;
  /** Probability that an action of a noisy demonstration is random. */
  readonly noise: number;
  readonly split: Split;
  readonly experimentSeed: number;
  /** One of STREAM, by the use of the demonstrations. */
  readonly stream: number;
}

export class Demonstrations {
  readonly #environment: Environment;
  readonly #options: DemonstrationOptions;
  readonly #world: WorldSlots;

  /** Throws LabError where the environment has no expert to ask. */
  constructor(environment: Environment, options: DemonstrationOptions) {
    this.#environment = environment;
    this.#options = options;
    this.#world = environment.createWorld(1);
    if (options.source === 'expert' && this.#world.expert === undefined) {
      const what = 'This environment has no scripted expert to learn from.';
      throw new LabError('invalid-experiment', what, 'Choose random demonstrations, or no warm start.');
    }
  }

  /**
   * Plays demonstration `number` of `seed` into an empty trajectory, in the instance of `member`, a member's seed. Returns its
   * task.
   */
  play(trajectories: Trajectories, trajectory: number, seed: number, number: number, member = seed): Int32Array {
    const { experimentSeed, stream, split, source, noisy, noise } = this.#options;
    const random = new RandomStream(experimentSeed, stream, seed, number, 0);
    const task = this.#environment.drawTask(random, split, member);
    const isNoisy = source === 'expert' && random.unit() < noisy;
    const world = this.#world;
    recordEpisode(this.#environment, world, task, trajectories, trajectory, () => {
      const isRandom = source === 'random' || (isNoisy && random.unit() < noise);
      const tokens = isRandom ? drawAction(this.#environment, world, 0, random) : world.expert?.(0);
      const thoughts = isRandom ? {} : { thoughts: expertThoughts(this.#environment, world, 0) };
      return { tokens: tokens ?? [], ...thoughts };
    });
    trajectories.rewards[trajectory] = world.reward(0);
    trajectories.successes[trajectory] = world.isSuccess(0) ? 1 : 0;
    return task;
  }
}
