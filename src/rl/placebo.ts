/**
 * The placebo: the world-model loss pulls each observation towards another observation of the same batch, drawn without
 * replacement, so that everything about its targets but their place is kept. Whatever it gains is not knowledge of
 * dynamics (the control of "The Dark Room in the Reward Channel", arXiv 2607.21273).
 */
import type { Arm } from '../experiment/experiment';
import { RandomStream, STREAM } from '../foundation/philox';
import { ROLE } from '../foundation/roles';
import type { Member } from './population';
import type { Trajectories } from './trajectories';

/** The tokens to pull towards, [P, B, T]; absent when no arm is a placebo. */
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
    const places = observationPlaces(trajectories, index);
    const random = new RandomStream(experimentSeed, STREAM.placebo, member.seed, update, 0);
    // Fisher–Yates over what stands at these places.
    for (let i = places.length - 1; i > 0; i--) {
      const [a, b] = [places[i] as number, places[random.below(i + 1)] as number];
      const held = targets[a] as number;
      targets[a] = targets[b] as number;
      targets[b] = held;
    }
  });
  return { targets };
}

function observationPlaces({ count, context, lengths, roles }: Trajectories, member: number): number[] {
  const places: number[] = [];
  for (let i = member * count; i < (member + 1) * count; i++) {
    for (let t = 1; t < (lengths[i] as number); t++) {
      if (roles[i * context + t] === ROLE.observation) places.push(i * context + t);
    }
  }
  return places;
}
