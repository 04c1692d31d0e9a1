/** Examined episodes: the same tasks each time and for every member, random numbers the same each time and in every arm of a seed. */
import type { Environment, Split } from '../../environments/environment';
import { RandomStream, STREAM } from '../../foundation/philox';
import type { TurnDecoder } from '../../policy/decoder';
import type { RewardRules } from '../play/rewards';
import { Rollout } from '../play/rollout';
import { Trajectories } from '../play/trajectories';
import type { Member } from '../population';
import type { MetricName } from './metrics';

/** Values of some metrics, [P] each. */
export type Measured = readonly (readonly [MetricName, ArrayLike<number>])[];

/** One batch of tasks in an environment. */
export interface Setup {
  readonly rollout: Rollout;
  readonly trajectories: Trajectories;
  readonly environment: Environment;
}

export interface ExaminerOptions {
  /** Environment of the training. */
  readonly environment: Environment;
  readonly members: readonly Member[];
  readonly chunk: number;
  readonly experimentSeed: number;
}

export class Examiner {
  readonly #decoder: TurnDecoder;
  readonly #options: ExaminerOptions;
  /** Reward rules, arm by arm. Success is judged by the environment, not by these rules. */
  rules: readonly RewardRules[] = [];

  constructor(decoder: TurnDecoder, options: ExaminerOptions) {
    this.#decoder = decoder;
    this.#options = options;
  }

  setup(where: Environment, tasks: number, each: number): Setup {
    const { environment, members, chunk } = this.#options;
    return {
      rollout: new Rollout(where, this.#decoder, members, { groups: tasks, groupSize: each, chunk }),
      // The context is training's, also without the tool: rows of the decoder's key-value cache have that length.
      trajectories: new Trajectories(members.length, tasks * each, environment.context, environment.maxTurns),
      environment: where,
    };
  }

  async play({ rollout, trajectories, environment }: Setup, round: number, split: Split): Promise<Trajectories> {
    const { experimentSeed, members } = this.#options;
    const drawTask = (member: number, group: number): Int32Array => {
      const random = new RandomStream(experimentSeed, STREAM.evaluation, 0, round, group);
      return environment.drawTask(random, split, members[member].seed);
    };
    const { rules } = this;
    await rollout.run(trajectories, { rules, experimentSeed, stream: STREAM.evaluation, round, drawTask });
    return trajectories;
  }

  /** Mean success of each member over some rounds. */
  async successOf(setup: Setup, rounds: number, split: Split = 'held-out'): Promise<Float64Array> {
    const means = new Float64Array(this.#options.members.length);
    for (let round = 0; round < rounds; round++) {
      const { successes, count } = await this.play(setup, round, split);
      successes.forEach((success, i) => {
        const member = Math.floor(i / count);
        means[member] += success / (count * rounds);
      });
    }
    return means;
  }
}
