/**
 * Collection of an update's trajectories: chooses the tasks and lets the present or a stale policy play each episode. Where
 * an arm samples dynamically (DAPO, arXiv 2503.14476), other tasks replace groups whose rewards are all equal.
 */
import type { Arm } from '../../experiment/experiment';
import { RandomStream, STREAM } from '../../foundation/philox';
import type { RewardPart } from '../../hyperparameters/rewards';
import type { Member } from '../population';
import { noteAgreement } from './agreement';
import { type Curriculum, turnCapAt } from './curriculum';
import type { InformationGain } from './informationGain';
import type { PolicyHistory } from './policyHistory';
import { isPaid, rewardRules } from './rewards';
import type { Relay, Rollout } from './rollout';
import type { Trajectories } from './trajectories';

/** Bound on the rounds of an update, more than an arm can ask for: each round has random numbers of its own. */
const MOST_ROUNDS = 16;

/** Cost of collecting a batch, given up episodes included. */
export interface Collected {
  /** Tasks played, those given up included, [P]. */
  readonly tasks: Float64Array;
  /** Tokens of the episodes that were given up, over all members. */
  readonly tokensGivenUp: number;
  /** Most turns of an episode, [P]; NaN where the environment alone decides. */
  readonly turnCaps: Float64Array;
}

export interface CollectionSizes {
  readonly groups: number;
  readonly groupSize: number;
}

/** True if a stale policy plays turns of an arm's episodes beside the present one. */
export const takesTurns = ({ staleness, staleUnit }: Arm): boolean => staleness > 0 && staleUnit === 'turns';

/** Flags that pick groups, [P][groups]. */
type Mask = readonly (readonly boolean[])[];

export class Collection {
  readonly #rollout: Rollout;
  readonly #curriculum: Curriculum;
  /** Past policies that play; null where every arm's present policy does. */
  readonly #history: PolicyHistory | null;
  /** Reader of the policies' own probabilities; null where none are read: rewards by them are not known. */
  readonly #information: InformationGain | null;
  readonly #members: readonly Member[];
  readonly #sizes: CollectionSizes;
  readonly #experimentSeed: number;

  constructor(
    rollout: Rollout,
    curriculum: Curriculum,
    history: PolicyHistory | null,
    information: InformationGain | null,
    members: readonly Member[],
    sizes: CollectionSizes,
    experimentSeed: number,
  ) {
    this.#rollout = rollout;
    this.#curriculum = curriculum;
    this.#history = history;
    this.#information = information;
    this.#members = members;
    this.#sizes = sizes;
    this.#experimentSeed = experimentSeed;
  }

  async collect(trajectories: Trajectories, arms: readonly Arm[], update: number): Promise<Collected> {
    const { groups } = this.#sizes;
    const tasks = this.#curriculum.choose(arms, update);
    const consumed = new Float64Array(this.#members.length).fill(groups);
    let tokensGivenUp = 0;
    let mask: Mask = tasks.map((ofMember) => ofMember.map(() => true));
    for (let round = 0; mask.some((ofMember) => ofMember.includes(true)); round++) {
      await this.#play(trajectories, arms, update, round, tasks, mask);
      this.#curriculum.note(trajectories, mask);
      mask = this.#givenUp(trajectories, arms, round);
      mask.forEach((ofMember, member) => {
        const tasksInstead = this.#curriculum.more(member, ofMember.filter(Boolean).length);
        ofMember.forEach((isGivenUp, group) => {
          if (!isGivenUp) return;
          tokensGivenUp += this.#tokensOf(trajectories, member, group);
          tasks[member][group] = tasksInstead.shift() as Int32Array;
          consumed[member] += 1;
        });
      });
    }
    this.#history?.keep(update);
    const caps = Float64Array.from(this.#turnCaps(arms, update), (cap) =>
      cap < Number.POSITIVE_INFINITY ? cap : Number.NaN,
    );
    return { tasks: consumed, tokensGivenUp, turnCaps: caps };
  }

  #turnCaps(arms: readonly Arm[], update: number): number[] {
    return this.#members.map(({ armIndex }) => turnCapAt(arms[armIndex] as Arm, update));
  }

  async #play(
    trajectories: Trajectories,
    arms: readonly Arm[],
    update: number,
    round: number,
    tasks: readonly (readonly Int32Array[])[],
    mask: Mask,
  ): Promise<void> {
    const armOf = (member: number): Arm => arms[this.#members[member]?.armIndex ?? -1];
    const { groupSize } = this.#sizes;
    const isStale = (member: number, slot: number): boolean => {
      const { staleness, staleUnit, staleShare } = armOf(member);
      return staleness > 0 && staleUnit === 'episodes' && slot % groupSize < Math.round(staleShare * groupSize);
    };
    const paidFor = (part: RewardPart, played: readonly number[]): number[] => {
      const pays = this.#members.map(({ armIndex }) => isPaid(rewardRules(arms[armIndex]), part));
      return played.filter((i) => pays[Math.floor(i / trajectories.count)]);
    };
    const readNumbers = async (played: readonly number[]): Promise<void> => {
      noteAgreement(trajectories, paidFor('agreement', played), groupSize);
      const informed = paidFor('information', played);
      if (informed.length > 0) await this.#information?.read(trajectories, informed);
    };
    const play = (plays: (member: number, slot: number) => boolean, relay?: Relay): Promise<void> =>
      this.#rollout.run(trajectories, {
        arms,
        experimentSeed: this.#experimentSeed,
        ...(round === 0
          ? { stream: STREAM.sampling, round: update }
          : { stream: STREAM.resampling, round: update * MOST_ROUNDS + round }),
        drawTask: (member, group) => tasks[member]?.[group],
        plays,
        relay,
        read: readNumbers,
        turnCaps: this.#turnCaps(arms, update),
      });
    const isMissing = (member: number, slot: number): boolean => mask[member]?.[Math.floor(slot / groupSize)];
    const history = this.#history;
    if (history === null) return play(isMissing);
    const lags = this.#members.map((_, member) => armOf(member).staleness);
    const relay = this.#members.some((_, member) => takesTurns(armOf(member)))
      ? this.#relay(history, armOf, lags, update, round, trajectories.maxTurns)
      : undefined;
    history.playPresent();
    await play((member, slot) => isMissing(member, slot) && !isStale(member, slot), relay);
    history.playStale(lags, update);
    await play((member, slot) => isMissing(member, slot) && isStale(member, slot));
  }

  /** Turns of the present policy, 0, and of the stale one, 1: the same draws in all arms of a seed. */
  #relay(
    history: PolicyHistory,
    armOf: (member: number) => Arm,
    lags: readonly number[],
    update: number,
    round: number,
    maxTurns: number,
  ): Relay {
    return {
      policies: 2,
      policyOf: (member, slot, turn) => {
        const arm = armOf(member);
        if (!takesTurns(arm)) return 0;
        const { seed } = this.#members[member];
        const key = [this.#experimentSeed, STREAM.relay, seed, update * MOST_ROUNDS + round] as const;
        return new RandomStream(...key, slot * maxTurns + turn).unit() < arm.staleShare ? 1 : 0;
      },
      enter: (policy) => (policy === 0 ? history.playPresent() : history.playStale(lags, update)),
    };
  }

  /** Groups to play again with other tasks, after `round` repetitions. */
  #givenUp({ rewards, count }: Trajectories, arms: readonly Arm[], round: number): Mask {
    const { groups, groupSize } = this.#sizes;
    return this.#members.map(({ armIndex }, member) =>
      Array.from({ length: groups }, (_, group) => {
        const first = member * count + group * groupSize;
        const ofGroup = rewards.subarray(first, first + groupSize);
        return round < (arms[armIndex]?.resampling ?? 0) && ofGroup.every((reward) => reward === ofGroup[0]);
      }),
    );
  }

  #tokensOf({ lengths, count }: Trajectories, member: number, group: number): number {
    const { groupSize } = this.#sizes;
    const first = member * count + group * groupSize;
    return lengths.subarray(first, first + groupSize).reduce((sum, length) => sum + length, 0);
  }
}
