/**
 * The placebo: the world-model loss pulls each observation towards another observation of the same batch. All about the
 * targets stays the same but their places, so what such an arm gains is not knowledge of the world (the control of "The
 * Dark Room in the Reward Channel", arXiv 2607.21273). Whole observations are permuted among those of the same length, so
 * each stays well-formed.
 */
import type { Arm } from '../../experiment/experiment';
import { RandomStream, STREAM } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import type { Member } from '../population';
import type { Trajectories } from './trajectories';

/** Tokens to pull towards, [P, B, T]; absent when no arm is a placebo. */
export function placeboTargets(
  trajectories: Trajectories,
  members: readonly Member[],
  arms: readonly Arm[],
  experimentSeed: number,
  update: number,
): { targets?: Uint16Array } {
  if (!arms.some((arm) => arm.placebo)) return {};
  const targets = trajectories.tokens.slice();
  members.forEach((member, index) => {
    if (!arms[member.armIndex]?.placebo) return;
    const random = new RandomStream(experimentSeed, STREAM.placebo, member.seed, update, 0);
    for (const [length, places] of observations(trajectories, index)) shuffle(targets, places, length, random);
  });
  return { targets };
}

/** Shuffles the runs of tokens of one length among their places (Fisher–Yates). */
function shuffle(targets: Uint16Array, places: readonly number[], length: number, random: RandomStream): void {
  for (let i = places.length - 1; i > 0; i--) {
    const [a, b] = [places[i], places[random.below(i + 1)]];
    for (let k = 0; k < length; k++) {
      const target = targets[a + k];
      targets[a + k] = targets[b + k];
      targets[b + k] = target;
    }
  }
}

/** Places where a member's observations begin, by their length, in order of length. */
function observations({ count, context, lengths, roles }: Trajectories, member: number): [number, number[]][] {
  const byLength = new Map<number, number[]>();
  for (let i = member * count; i < (member + 1) * count; i++) {
    const end = lengths[i];
    for (let t = 1; t < end; t++) {
      if (roles[i * context + t] !== ROLE.observation) continue;
      const first = t;
      while (t < end && roles[i * context + t] === ROLE.observation) t++;
      const places = byLength.get(t - first) ?? [];
      places.push(i * context + first);
      byLength.set(t - first, places);
    }
  }
  return [...byLength].sort(([a], [b]) => a - b);
}
