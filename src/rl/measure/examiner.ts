/** Examined episodes: the same tasks each time and for every member, random numbers the same each time and in every arm of a seed. */
import type { Environment, Split } from '../../environments/environment';
import type { Arm } from '../../experiment/experiment';
import { RandomStream, STREAM } from '../../foundation/philox';
import type { TurnDecoder } from '../../policy/decoder';
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
  /** The members' arms, as they are now. Success is judged by the environment, not by their rewards. */
  arms: readonly Arm[] = [];

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
    const { arms } = this;
    await rollout.run(trajectories, { arms, experimentSeed, stream: STREAM.evaluation, round, drawTask });
    return trajectories;
  }

  /** Mean success of each member over some rounds. */
  async successOf(setup: Setup, rounds: number, split: Split = 'held-out'): Promise<Float64Array> {
    return (await this.sharesOf(setup, rounds, split)).success;
  }

  /** Shares of each member's episodes over some rounds, [P]: those that succeed, and those that ask a tool. */
  async sharesOf(setup: Setup, rounds: number, split: Split): Promise<Record<'success' | 'asked', Float64Array>> {
    const { length: members } = this.#options.members;
    const [success, asked] = [new Float64Array(members), new Float64Array(members)];
    const tools = new Set(setup.environment.toolWords);
    for (let round = 0; round < rounds; round++) {
      const trajectories = await this.play(setup, round, split);
      const { successes, count } = trajectories;
      successes.forEach((solved, i) => {
        const member = Math.floor(i / count);
        success[member] += solved / (count * rounds);
        if (tools.size > 0 && trajectories.firstWords(i).some((word) => tools.has(word)))
          asked[member] += 1 / (count * rounds);
      });
    }
    return { success, asked };
  }
}
