/**
 * Copies of single trajectories for the person to look at: one of each arm, the same task. The tokens are copied when the
 * rollout ends; log-probs and advantages join when the device has them.
 */
import type { Arm } from '../experiment/experiment';
import { ROLE, ROLES } from '../foundation/roles';
import type { Microbatch } from '../rl/microbatches';
import type { Member } from '../rl/population';
import type { Trajectories } from '../rl/trajectories';
import type { EpisodeView } from './protocol';

export interface Watch {
  /** Seed index whose members are shown. */
  readonly seed: number;
  /** Group of the batch; its first trajectory is shown. */
  readonly group: number;
}

export interface Captured {
  /** advantage [P, B]; logProbs: one [P, R] a microbatch. */
  finish(advantage: ArrayLike<number>, logProbs: readonly ArrayLike<number>[]): EpisodeView;
}

/** Call between packing this batch and the next: where a trajectory's rows lie is noted here. */
export function captureEpisodes(
  trajectories: Trajectories,
  microbatches: readonly Microbatch[],
  members: readonly Member[],
  arms: readonly Arm[],
  watch: Watch,
  groupSize: number,
  update: number,
): Captured[] {
  return members.flatMap((member, index) => {
    const arm = arms[member.armIndex];
    if (member.seed !== watch.seed || arm === undefined) return [];
    return [capture(trajectories, microbatches, index, member, arm, watch.group, groupSize, update)];
  });
}

function capture(
  trajectories: Trajectories,
  microbatches: readonly Microbatch[],
  index: number,
  member: Member,
  arm: Arm,
  watchedGroup: number,
  groupSize: number,
  update: number,
): Captured {
  const group = Math.min(watchedGroup, trajectories.count / groupSize - 1);
  const slot = group * groupSize;
  const trajectory = index * trajectories.count + slot;
  const from = trajectory * trajectories.context;
  const length = trajectories.lengths[trajectory] as number;
  const tokens = trajectories.tokens.slice(from, from + length);
  const roles = trajectories.roles.slice(from, from + length);
  const task = (trajectories.tasks[index]?.[group] ?? new Int32Array(0)).slice();
  const reward = trajectories.rewards[trajectory] as number;
  const success = trajectories.successes[trajectory] === 1;
  const which = microbatches.findIndex(({ first, rows }) => slot >= first && slot < first + rows.sequences);
  const place = rowOf(microbatches[which], index, slot);
  return {
    finish(advantages, logProbs) {
      const advantage = advantages[index * trajectories.count + slot] as number;
      const logProb = new Float32Array(length).fill(Number.NaN);
      const values = logProbs[which];
      if (values !== undefined) for (let t = 1; t < length; t++) logProb[t] = values[place + t] as number;
      const weight = (table: Arm['pg'], scale: number): Float32Array =>
        Float32Array.from(roles, (role, t) => (t === 0 ? 0 : (table[ROLES[role] ?? 'prompt'] ?? 0) * scale));
      return {
        arm: arm.id,
        seed: member.seed,
        update,
        group,
        trajectory: 0,
        task,
        tokens,
        roles,
        logProb: maskUnmeasured(logProb, roles, arm),
        policyWeight: weight(arm.pg, Math.abs(advantage)),
        crossEntropyWeight: weight(arm.ce, 1),
        advantage,
        reward,
        success,
      };
    },
  };
}

/** Address of a trajectory's first row in a [P, R] tensor of its microbatch. */
function rowOf(microbatch: Microbatch | undefined, member: number, slot: number): number {
  if (microbatch === undefined) return 0;
  const { rows, first, host } = microbatch;
  return member * rows.capacity + (host.start[member * (rows.sequences + 1) + slot - first] as number);
}

/** Prompt tokens without a weight are not scored; their log-prob is unknown, not 0. */
function maskUnmeasured(logProb: Float32Array, roles: Uint8Array, arm: Arm): Float32Array {
  if (arm.pg.prompt !== 0 || arm.ce.prompt !== 0) return logProb;
  return logProb.map((value, t) => (roles[t] === ROLE.prompt ? Number.NaN : value));
}
