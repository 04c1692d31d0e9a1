/**
 * Dense view of a whole batch: the numbers of the token at position t of trajectory b of member p are at [p, b, t] of a
 * tensor [P, B, T], whichever microbatch holds the trajectory. A packed row finds this place by its table entry:
 * sequence · T + position. Log-probs of earlier passes, advantages and loss weights are dense; only numbers of the
 * running pass (logits, log-probs, derivatives) are packed by rows.
 */
import type { Tensor } from '../backend';

export interface Batch {
  /** u32 [P, B, T]: the role of each target, NO_ROLE where there is none (position 0, past the end). */
  readonly roles: Tensor<'u32'>;
  /** Trajectories of a member, B. */
  readonly trajectories: number;
  /** Tokens of a trajectory, T. */
  readonly context: number;
  /** u32 [1 or P, groups + 1]: group g owns the trajectories groupStart[g] … groupStart[g + 1] − 1. */
  readonly groupStart: Tensor<'u32'>;
  readonly groups: number;
  /** Outcomes of trajectories, f32 [P, B, OUTCOME_COLUMNS]. */
  readonly outcomes: Tensor<'f32'>;
}
