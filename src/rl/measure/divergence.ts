/**
 * Divergence: gradients that stay non-finite, so that the policy takes no step any more. Which states are from before it, and the
 * change that a run goes on with from there: a lower learning rate, as marks on the timeline.
 */

import { isFixed } from '../../experiment/arm/policyFiles';
import type { Change, Experiment } from '../../experiment/experiment';
import { effectiveArms, recordChanges } from '../../experiment/timeline';
import type { FloatData } from '../../tensor/backend';
import type { Member } from '../population';

/** Updates in a row without a finite gradient after which a policy counts as diverged. One bad batch is none. */
export const DIVERGED_AFTER = 5;

/** Most that the weights of a healthy state may have grown: RMS in multiples of the reference's. */
const GROWTH = 10;
/** Largest number of weights of a member that are looked at, evenly spaced. */
const SAMPLE = 1024;
/** Largest share of a weight that its decay may take in a step, of a proposed learning rate. */
const DECAY = 0.1;

/**
 * Indices of members whose weights are not finite or have grown beyond GROWTH. `parameters` and `reference`: [members that
 * train, N], flat.
 */
export function grownMembers(
  { arms }: Pick<Experiment, 'arms'>,
  members: readonly Member[],
  { parameters, reference }: { readonly parameters: FloatData; readonly reference: FloatData },
): ReadonlySet<number> {
  const trained = [...members.keys()].filter((index) => isTrained({ arms }, members[index] as Member));
  const size = parameters.length / Math.max(1, trained.length);
  const stride = Math.max(1, Math.floor(size / SAMPLE));
  return new Set(
    trained.filter((_, row) => {
      let [now, before] = [0, 0];
      for (let at = row * size; at < (row + 1) * size; at += stride) {
        now += (parameters[at] as number) ** 2;
        before += (reference[at] as number) ** 2;
      }
      // Not finite is not smaller.
      return !(now <= GROWTH ** 2 * before);
    }),
  );
}

export function isTrained({ arms }: Pick<Experiment, 'arms'>, { armIndex }: Member): boolean {
  const arm = arms[armIndex];
  return arm !== undefined && !isFixed(arm);
}

/** A tenth of a learning rate, or less where weight decay would still take more than a tenth of each weight in a step. */
export function lowerRate(rate: number, decay: number): number {
  let lower = rate / 10;
  while (lower * decay > DECAY) lower /= 10;
  return Number(lower.toPrecision(3));
}

/**
 * Changes that take the run back to the state after `to` updates, with a lower learning rate in these arms (by id) from there on. Of
 * each arm the rate is lowered that it had in update `until`, and no change before that may raise it again.
 */
export function lowerRates(experiment: Experiment, arms: readonly string[], to: number, until: number): Change[] {
  const atEnd = effectiveArms(experiment, until);
  const times = [to, ...experiment.timeline.map(({ update }) => update).filter((at) => at > to && at <= until)];
  const changes: Change[] = [];
  for (const id of arms) {
    const arm = atEnd.find((one) => one.id === id);
    if (arm === undefined) continue;
    const value = lowerRate(arm.learningRate, arm.weightDecay);
    for (const update of new Set(times)) {
      const timeline = recordChanges(experiment.timeline, changes);
      const rate = effectiveArms({ ...experiment, timeline }, update).find((one) => one.id === id)?.learningRate ?? 0;
      if (rate > value) changes.push({ update, arm: id, setting: 'learningRate', value });
    }
  }
  return changes;
}
