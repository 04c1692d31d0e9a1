/**
 * Copies of single trajectories for a person to look at: one of each arm, on the same task. A relabelled or replayed one is
 * shown with the task that it is learned with, because the weights beside it belong to that. Tokens are copied before
 * the optimisation; log-probs, advantages and loss weights follow when the device has computed them.
 */
import type { Arm } from '../../experiment/experiment';
import { isDrawn } from '../../foundation/roles';
import type { Trajectories } from '../../rl/play/trajectories';
import type { Member } from '../../rl/population';
import { isScored } from './inspection';
import type { EpisodeView } from './shown';

export interface Watch {
  /** Seed index whose members are shown. */
  readonly seed: number;
  /** Group of the batch; its first trajectory is shown. */
  readonly group: number;
}

/** The device's numbers of every token of the batch, [P, B, T] each. */
export interface WatchedTokens {
  readonly oldLogProb: ArrayLike<number>;
  readonly advantage: ArrayLike<number>;
  readonly policyWeight: ArrayLike<number>;
  readonly crossEntropyWeight: ArrayLike<number>;
}

export interface Captured {
  finish(tokens: WatchedTokens): EpisodeView;
}

/** Copies the watched trajectories; call before the next rollout overwrites them. */
export function captureEpisodes(
  trajectories: Trajectories,
  members: readonly Member[],
  arms: readonly Arm[],
  watch: Watch,
  batch: { groups: number; groupSize: number },
  update: number,
): Captured[] {
  const group = Math.min(watch.group, batch.groups - 1);
  return members.flatMap((member, index) => {
    const arm = arms[member.armIndex];
    if (member.seed !== watch.seed || arm === undefined) return [];
    return [capture(trajectories, index, member, arm, group, group * batch.groupSize, update)];
  });
}

function capture(
  trajectories: Trajectories,
  index: number,
  member: Member,
  arm: Arm,
  group: number,
  slot: number,
  update: number,
): Captured {
  const trajectory = index * trajectories.count + slot;
  const from = trajectory * trajectories.context;
  const length = trajectories.lengths[trajectory] as number;
  const tokens = trajectories.tokens.slice(from, from + length);
  const roles = trajectories.roles.slice(from, from + length);
  const task = trajectories.taskOf(trajectory).slice();
  const relabelled = trajectories.relabelled.has(trajectory);
  const earlier = trajectories.replayed.get(trajectory);
  const replayed = earlier && { replayed: update - earlier.update };
  const reward = trajectories.rewards[trajectory] as number;
  const success = trajectories.successes[trajectory] === 1;
  return {
    finish(batch) {
      const ofTokens = (values: ArrayLike<number>, where: (t: number) => boolean): Float32Array =>
        Float32Array.from({ length }, (_, t) => (t > 0 && where(t) ? (values[from + t] as number) : Number.NaN));
      const advantages = ofTokens(batch.advantage, (t) => isDrawn(roles[t] as number));
      return {
        arm: arm.id,
        seed: member.seed,
        update,
        group,
        trajectory: 0,
        task,
        relabelled,
        ...replayed,
        tokens,
        roles,
        logProb: ofTokens(batch.oldLogProb, (t) => isScored(arm, roles[t] as number, t)),
        policyWeight: Float32Array.from({ length }, (_, t) =>
          t === 0 ? 0 : Math.abs((batch.policyWeight[from + t] as number) * (batch.advantage[from + t] as number)),
        ),
        crossEntropyWeight: Float32Array.from({ length }, (_, t) =>
          t === 0 ? 0 : (batch.crossEntropyWeight[from + t] as number),
        ),
        advantage: advantages.find((value) => !Number.isNaN(value)) ?? 0,
        reward,
        success,
      };
    },
  };
}
