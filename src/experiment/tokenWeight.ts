/**
 * What one observation token weighs against one action token. λ alone does not say: every project divides its two losses by
 * other counts, so the same λ can be four times as strong, or a hundred times weaker, in another one.
 */
import { ROLES, type Role } from '../foundation/roles';
import type { Arm } from './experiment';

/** Target tokens of an average trajectory, by role. */
export type TokenCounts = Readonly<Record<Role, number>>;

export interface BatchShape {
  readonly groups: number;
  readonly groupSize: number;
  /** Longest trajectory there is room for, in tokens. */
  readonly context: number;
}

/** As many observations as actions. */
export const EVEN_COUNTS: TokenCounts = { prompt: 0, action: 1, observation: 1, warning: 0 };

/**
 * |∂loss/∂log-prob| of an observation token over that of an action token whose advantage is ±1, both on the first inner
 * step, where ratios are 1; as if all trajectories were the average one. null where an action token has no weight or there
 * is nothing to count. Choices among trajectories and PaW's balance by reward are not in it. With a probability threshold it holds for a token of probability 1: multiply by the probability.
 */
export function observationWeight(arm: Arm, counts: TokenCounts, shape: BatchShape): number | null {
  const action = actionWeight(arm, counts, shape);
  const observation = arm.ce.observation / worldModelDivisor(arm, counts, shape);
  const ratio = observation / action;
  return action > 0 && Number.isFinite(ratio) ? ratio : null;
}

function total(counts: TokenCounts, roles: readonly Role[]): number {
  return roles.reduce((sum, role) => sum + counts[role], 0);
}

function actionWeight(arm: Arm, counts: TokenCounts, { groups, groupSize, context }: BatchShape): number {
  const trajectories = groups * groupSize;
  const tokens = total(
    counts,
    ROLES.filter((role) => arm.pg[role] > 0),
  );
  const divisor = {
    'token-mean': trajectories * tokens,
    'token-sum': 1,
    'seq-mean-token-mean': trajectories * tokens,
    'seq-mean-token-sum': trajectories,
    'seq-mean-token-sum-norm': trajectories * (arm.lengthDenominator || context),
  }[arm.aggregation];
  return (arm.pg.action * arm.lossScale) / divisor;
}

function worldModelDivisor(arm: Arm, counts: TokenCounts, { groups, groupSize, context }: BatchShape): number {
  const trajectories = groups * groupSize;
  const epsilon = arm.worldModelCountEpsilon;
  const spoken = counts.observation + counts.warning;
  // Left-out turns take what followed them out of the count.
  const followed = (arm.ce.observation > 0 ? counts.observation : 0) + (arm.ce.warning > 0 ? counts.warning : 0);
  const written = (arm.ce.prompt > 0 ? counts.prompt : 0) + (arm.ce.action > 0 ? counts.action : 0);
  const selected = written + followed * arm.worldModelTurnShare;
  const ofTrajectory = {
    none: 1,
    'selected-tokens': selected + epsilon,
    'observation-tokens': spoken + epsilon,
    length: arm.worldModelLength || context,
    'group-selected-tokens': groupSize * selected + epsilon,
  }[arm.worldModelSequenceDenominator];
  const ofBatch = {
    'selected-tokens': trajectories * selected + epsilon,
    'action-tokens': trajectories * counts.action + epsilon,
    'all-tokens': trajectories * (counts.action + spoken) + epsilon,
    sequences: trajectories,
    'selected-sequences': trajectories,
    'action-sequences': trajectories,
    groups,
    given: arm.worldModelDenominator,
    none: 1,
  }[arm.worldModelBatchDenominator];
  return ofTrajectory * ofBatch;
}
