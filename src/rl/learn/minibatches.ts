/**
 * Minibatches: parts of the batch, one optimiser step each, into which a member cuts every inner epoch (PPO, arXiv
 * 1707.06347). A part has whole trajectories, in an order drawn again for each epoch from the seed alone: no state, so a run
 * that is resumed draws the same.
 *
 * The loss of a minibatch is M times its share of the batch's loss. So the mean over an epoch's minibatches is the batch's
 * loss, by any denominator; advantages and denominators are those of the whole batch.
 */
import { RandomStream, STREAM } from '../../foundation/philox';
import { ROLES } from '../../foundation/roles';
import { HYPER, HYPER_COLUMNS } from '../../tensor/layout';
import type { Member } from '../population';

/** Trajectories of a member that take part in an inner step: none, all, or those marked 1. */
export type TakingPart = 'none' | 'all' | Uint8Array;

export interface Minibatches {
  /** Minibatches of an inner epoch, [P]. */
  readonly counts: readonly number[];
  /** Number of the minibatch that holds each trajectory: [P][inner epoch], empty where a member has one minibatch. */
  readonly of: readonly (readonly Uint8Array[])[];
}

/** Draws an update's minibatches; `settings`: [P]. Null where every member steps on its whole batch. */
export function drawMinibatches(
  members: readonly Pick<Member, 'seed'>[],
  settings: readonly { readonly minibatches: number; readonly innerEpochs: number }[],
  trajectories: number,
  experimentSeed: number,
  update: number,
): Minibatches | null {
  const counts = settings.map(({ minibatches }) => minibatches);
  if (counts.every((count) => count === 1)) return null;
  const of = members.map(({ seed }, p) => {
    const { minibatches, innerEpochs } = settings[p];
    return Array.from({ length: minibatches === 1 ? 0 : innerEpochs }, (_, epoch) =>
      drawNumbers(new RandomStream(experimentSeed, STREAM.minibatches, seed, update, epoch), trajectories, minibatches),
    );
  });
  return { counts, of };
}

/** Number of each trajectory's minibatch, in a random order (Fisher and Yates); sizes differ by at most one. */
function drawNumbers(random: RandomStream, trajectories: number, minibatches: number): Uint8Array {
  const order = Array.from({ length: trajectories }, (_, b) => b);
  const numbers = new Uint8Array(trajectories);
  for (let left = trajectories; left > 0; left--) {
    const chosen = random.below(left);
    numbers[order[chosen]] = Math.floor(((left - 1) * minibatches) / trajectories);
    order[chosen] = order[left - 1];
  }
  return numbers;
}

/**
 * Inner steps after the first pass over the batch, in order: the part of each member, [P]. That pass is itself the first
 * step of a member with one minibatch; the others only measure in it.
 */
export function* laterSteps(innerEpochs: readonly number[], cut: Minibatches | null): Generator<readonly TakingPart[]> {
  for (let epoch = 0; epoch < Math.max(...innerEpochs); epoch++) {
    const counts = innerEpochs.map((epochs, p) => (epoch < epochs ? (cut?.counts[p] ?? 1) : 0));
    for (let step = 0; step < Math.max(...counts); step++) {
      const parts = counts.map((count, p): TakingPart => {
        if (count <= 1) return count === 1 && epoch > 0 && step === 0 ? 'all' : 'none';
        return step < count ? (cut as Minibatches).of[p][epoch].map((own) => (own === step ? 1 : 0)) : 'none';
      });
      if (parts.some((part) => part !== 'none')) yield parts;
    }
  }
}

/** The table [P, HYPER_COLUMNS] by which losses of a minibatch are weighed: M times those of the batch. */
export function weighedForMinibatches(table: Float32Array, { counts }: Minibatches): Float32Array {
  const weighed = table.slice();
  counts.forEach((count, p) => {
    const row = p * HYPER_COLUMNS;
    weighed[row + HYPER.lossScale] *= count;
    for (let role = 0; role < ROLES.length; role++) weighed[row + HYPER.crossEntropy + role] *= count;
  });
  return weighed;
}
