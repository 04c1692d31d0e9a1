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
  /** advantage [P, B]; logProbs [P, R] of the watched microbatch. */
  finish(advantage: ArrayLike<number>, logProbs: ArrayLike<number>): EpisodeView;
}

/** The watched trajectory's index in the batch, and the microbatch it is in. */
export function findWatched(
  watch: Watch,
  batch: { groups: number; groupSize: number },
  microbatches: readonly Microbatch[],
): { slot: number; microbatch: Microbatch } {
  const slot = Math.min(watch.group, batch.groups - 1) * batch.groupSize;
  const holds = ({ first, rows }: Microbatch): boolean => slot >= first && slot < first + rows.sequences;
  return { slot, microbatch: microbatches.find(holds) as Microbatch };
}

/** Call between packing this batch and the next: where a trajectory's rows lie is noted here. */
export function captureEpisodes(
  trajectories: Trajectories,
  microbatch: Microbatch,
  members: readonly Member[],
  arms: readonly Arm[],
  slot: number,
  watch: Watch,
  groupSize: number,
  update: number,
): Captured[] {
  return members.flatMap((member, index) => {
    const arm = arms[member.armIndex];
    if (member.seed !== watch.seed || arm === undefined) return [];
    return [capture(trajectories, microbatch, index, member, arm, slot, groupSize, update)];
  });
}

function capture(
  trajectories: Trajectories,
  microbatch: Microbatch,
  index: number,
  member: Member,
  arm: Arm,
  slot: number,
  groupSize: number,
  update: number,
): Captured {
  const group = slot / groupSize;
  const trajectory = index * trajectories.count + slot;
  const from = trajectory * trajectories.context;
  const length = trajectories.lengths[trajectory] as number;
  const tokens = trajectories.tokens.slice(from, from + length);
  const roles = trajectories.roles.slice(from, from + length);
  const task = (trajectories.tasks[index]?.[group] ?? new Int32Array(0)).slice();
  const reward = trajectories.rewards[trajectory] as number;
  const success = trajectories.successes[trajectory] === 1;
  const place = rowOf(microbatch, index, slot);
  return {
    finish(advantages, logProbs) {
      const advantage = advantages[index * trajectories.count + slot] as number;
      const logProb = new Float32Array(length).fill(Number.NaN);
      for (let t = 1; t < length; t++) logProb[t] = logProbs[place + t] as number;
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
function rowOf(microbatch: Microbatch, member: number, slot: number): number {
  const { rows, first, host } = microbatch;
  return member * rows.capacity + (host.start[member * (rows.sequences + 1) + slot - first] as number);
}

/** Prompt tokens without a weight are not scored; their log-prob is unknown, not 0. */
function maskUnmeasured(logProb: Float32Array, roles: Uint8Array, arm: Arm): Float32Array {
  if (arm.pg.prompt !== 0 || arm.ce.prompt !== 0) return logProb;
  return logProb.map((value, t) => (roles[t] === ROLE.prompt ? Number.NaN : value));
}
