/**
 * Replay of successes (RFT, arXiv 2308.01825; WebRL, arXiv 2411.02337; self-imitation, arXiv 1806.05635): a member's solved
 * episodes are remembered, and in later updates some take the last places of its batch. The episodes played there count in
 * every curve of episodes, but are not learned from. replayLoss.ts has their loss.
 *
 * An update draws from the memory before it adds its own successes, so a replayed episode is one update old at least. All arms
 * of a seed use the same random numbers.
 */
import type { Environment, WorldSlots } from '../../environments/environment';
import { turnsOf } from '../../environments/replay';
import type { Arm } from '../../experiment/experiment';
import { LabError } from '../../foundation/errors';
import { RandomStream, STREAM } from '../../foundation/philox';
import { divisorOfSpread, reciprocal, spreadOf } from '../../tensor/objective/advantage/spread';
import type { Member } from '../population';
import { payEpisode, recordEpisode } from './recording';
import { rewardRules } from './rewards';
import { type Solved, SolvedMemory, type SolvedRecord, type SolvedTurn } from './solvedMemory';
import type { Trajectories } from './trajectories';

/** Measurements of an update's replay, [P] each; NaN where nothing is replayed. */
export interface Replayed {
  /** Share of the batch that was replayed. */
  readonly share: Float64Array;
  /** Mean number of updates since the replayed episodes were played. */
  readonly age: Float64Array;
  /** Share of the tasks just played of which the memory already had a solved episode. */
  readonly hits: Float64Array;
  /** Episodes remembered after the update. */
  readonly held: Float64Array;
}

export function nothingReplayed(members: number): Replayed {
  const none = (): Float64Array => new Float64Array(members).fill(Number.NaN);
  return { share: none(), age: none(), hits: none(), held: none() };
}

export class Replay {
  readonly #environment: Environment;
  readonly #members: readonly Member[];
  readonly #memories: readonly SolvedMemory[];
  #world: WorldSlots | null = null;

  constructor(environment: Environment, members: readonly Member[]) {
    this.#environment = environment;
    this.#members = members;
    this.#memories = members.map(() => new SolvedMemory());
  }

  /** Remembers the successes of a played batch, and writes earlier ones over its last trajectories. */
  run(trajectories: Trajectories, arms: readonly Arm[], experimentSeed: number, update: number): Replayed {
    const { count, tasks, replayed } = trajectories;
    const measured = nothingReplayed(this.#members.length);
    this.#members.forEach(({ armIndex, seed }, member) => {
      const arm = arms[armIndex];
      if (arm.replay === 'none') return;
      const memory = this.#memories[member];
      const random = new RandomStream(experimentSeed, STREAM.replay, seed, update, 0);
      const drawn = memory.draw(placesOf(arm, count), random, arm.replayDraws);
      measured.hits[member] = tasks[member].filter((task) => memory.knows(task)).length / tasks[member].length;
      this.#remember(trajectories, member, arm, update);
      drawn.forEach((episode, i) => {
        const trajectory = (member + 1) * count - drawn.length + i;
        this.#write(trajectories, trajectory, episode, arm);
        replayed.set(trajectory, episode);
      });
      measured.share[member] = drawn.length / count;
      measured.age[member] = drawn.reduce((sum, episode) => sum + update - episode.update, 0) / drawn.length;
      measured.held[member] = memory.size;
    });
    return measured;
  }

  #remember(trajectories: Trajectories, member: number, arm: Arm, update: number): void {
    const { count, successes } = trajectories;
    const bounds = { size: arm.replaySize, perTask: arm.replayPerTask, leaves: arm.replayLeaves };
    for (let trajectory = member * count; trajectory < (member + 1) * count; trajectory++) {
      if (successes[trajectory] === 0) continue;
      const advantage = advantageOf(trajectories, trajectory, arm);
      // Without an advantage a policy gradient has nothing to learn from it.
      if (arm.replay === 'policy-gradient' && advantage <= 0) continue;
      const [task, turns] = [trajectories.taskOf(trajectory).slice(), turnsDrawn(trajectories, trajectory)];
      this.#memories[member].note({ task, update, advantage, turns }, bounds);
    }
  }

  /** Plays an episode's actions again into a trajectory. */
  #write(trajectories: Trajectories, trajectory: number, { task, turns }: Solved, arm: Arm): void {
    const act = (turn: number): SolvedTurn | null => turns[turn] ?? null;
    const rules = rewardRules(arm);
    this.#world ??= this.#environment.createWorld(1);
    trajectories.clear(trajectory);
    recordEpisode(this.#environment, this.#world, task, trajectories, trajectory, act, rules);
    payEpisode(this.#environment, this.#world, 0, trajectories, trajectory, rules);
    if (trajectories.successes[trajectory] === 1) return;
    throw new LabError(
      'internal',
      'A solved episode is not solved by the same actions again.',
      'Turn the replay of successes off, and please report it with the link.',
    );
  }

  /** Memory of each member, [P]. */
  save(): SolvedRecord[][] {
    return this.#memories.map((memory) => memory.save());
  }

  restore(records: readonly (readonly SolvedRecord[])[]): void {
    this.#memories.forEach((memory, member) => {
      memory.restore(records[member] ?? []);
    });
  }
}

/** Places of a member's batch for replayed episodes. */
export const placesOf = ({ replayShare }: Pick<Arm, 'replayShare'>, count: number): number =>
  Math.max(1, Math.round(replayShare * count));

/**
 * Advantage of an episode in the group that was just played: (r − mean r), divided by the group's deviation where the
 * arm's advantages are.
 */
function advantageOf(trajectories: Trajectories, trajectory: number, arm: Arm): number {
  const { rewards, count, tasks } = trajectories;
  const { advantageScale, advantageDeviation, advantageEpsilon } = arm;
  const member = Math.floor(trajectory / count);
  const groupSize = count / tasks[member].length;
  const first = Math.floor(trajectory / groupSize) * groupSize;
  const spread = spreadOf(Array.from(rewards.subarray(first, first + groupSize)));
  const isScaled = advantageScale === 'group-deviation';
  const divisor = isScaled ? divisorOfSpread(spread, advantageDeviation, advantageEpsilon) : 1;
  return (rewards[trajectory] - spread.mean) * reciprocal(divisor);
}

/** All that the policy drew in a trajectory, turn by turn. */
function turnsDrawn(trajectories: Trajectories, trajectory: number): SolvedTurn[] {
  const { context, lengths } = trajectories;
  const rowOf = <A extends Uint8Array | Uint16Array | Float32Array>(values: A): A =>
    values.subarray(trajectory * context, trajectory * context + lengths[trajectory]) as A;
  const tokens = rowOf(trajectories.tokens);
  const logProbs = rowOf(trajectories.behaviourLogProb);
  return turnsOf(rowOf(trajectories.roles)).map(({ begin, action, answer }) => ({
    thoughts: Array.from(tokens.subarray(begin, action)),
    tokens: Array.from(tokens.subarray(action, answer)),
    thoughtLogProbs: Array.from(logProbs.subarray(begin, action)),
    logProbs: Array.from(logProbs.subarray(action, answer)),
  }));
}
