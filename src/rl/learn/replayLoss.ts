/**
 * Loss of replayed episodes, beside the arm's own on what it has just played:
 *   cross-entropy    w·(n/k)·Σ −log p / N
 *   policy gradient  w·(n/k)·Σ (role's weight)·surrogate(ratio, A) / N
 * over the N tokens that the policy drew in the n replayed episodes, of k places for such. A is the advantage an episode had
 * when it was played. The ratio is the arm's own: to the policy before the update, or to the one that drew the tokens. w is
 * the arm's replayWeight; n/k keeps the first few episodes of a memory that is still filling from counting as much as many.
 *
 * The device leaves these episodes out of advantages and weights (OUTCOME.usable, NO_ROLE). So their rows of the weights are
 * zeros, and are written here from the host, after each time the device has worked the weights out. What the world said is
 * not learned from again.
 */
import type { Arm } from '../../experiment/experiment';
import { isDrawn } from '../../foundation/roles';
import type { Backend, Tensor } from '../../tensor/backend';
import { HYPER, HYPER_COLUMNS } from '../../tensor/layout';
import { placesOf } from '../play/replay';
import type { Trajectories } from '../play/trajectories';
import type { BatchTensors } from './batch';
import type { Minibatches } from './minibatches';

/** Rows of a dense tensor, [n, T], from element `at` on. */
interface Rows {
  readonly tensor: Tensor<'f32'>;
  readonly member: number;
  readonly at: number;
  readonly values: Float64Array;
  /** True for a weight of the loss, which a minibatch multiplies. */
  readonly isWeight: boolean;
}

export class ReplayLoss {
  readonly #backend: Backend;
  readonly #rows: readonly Rows[];

  /** settings: [P]; table: their hyperparameters, [P, HYPER_COLUMNS]. */
  constructor(
    backend: Backend,
    { dense }: BatchTensors,
    trajectories: Trajectories,
    settings: readonly Arm[],
    table: ArrayLike<number>,
  ) {
    const { count, context, replayed } = trajectories;
    this.#backend = backend;
    this.#rows = settings.flatMap((arm, member): Rows[] => {
      const indices = Array.from({ length: count }, (_, slot) => member * count + slot).filter((i) => replayed.has(i));
      if (indices.length === 0) return [];
      const [first, at] = [indices[0], indices[0] * context];
      const roles = trajectories.roles.subarray(at, (first + indices.length) * context);
      const isReplayed = (t: number): boolean => t % context < trajectories.lengths[first + Math.floor(t / context)];
      const drawn = Array.from(roles, (role, t) => isReplayed(t) && isDrawn(role));
      const scale = (arm.replayWeight * indices.length) / placesOf(arm, count) / drawn.filter(Boolean).length;
      const rows = (tensor: Tensor<'f32'>, isWeight: boolean, value: (t: number) => number): Rows => {
        const values = Float64Array.from(drawn, (isLearned, t) => (isLearned ? value(t) : 0));
        return { tensor, member, at, values, isWeight };
      };
      if (arm.replay === 'cross-entropy') return [rows(dense.crossEntropyWeight, true, () => scale)];
      const roleWeight = (t: number): number => table[member * HYPER_COLUMNS + HYPER.policyGradient + roles[t]];
      const advantage = (t: number): number => replayed.get(first + Math.floor(t / context))?.advantage ?? 0;
      return [rows(dense.advantage, false, advantage), rows(dense.policyWeight, true, (t) => scale * roleWeight(t))];
    });
  }

  /** Writes the rows over those of the device; `cut`: for a minibatch, whose loss is M times its share. */
  write(cut: Minibatches | null): void {
    for (const { tensor, member, at, values, isWeight } of this.#rows) {
      const factor = isWeight ? (cut?.counts[member] ?? 1) : 1;
      const weighed = values.map((value) => value * factor);
      this.#backend.write(tensor, weighed, at);
    }
  }
}
