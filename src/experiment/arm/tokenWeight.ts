/**
 * Weight of one observation token relative to one action token. λ alone does not tell: every project divides its two
 * losses by other counts, so the same λ can be four times as strong, or a hundred times weaker, in another project.
 */
import { DRAWN, ROLES, type Role } from '../../foundation/roles';
import { weightOn } from '../../hyperparameters/weights';
import type { Arm } from '../experiment';
import { worldModelScale } from './schedule';

/** Target tokens of an average trajectory, by role. */
export type TokenCounts = Readonly<Record<Role, number>>;

export interface EpisodeBatch {
  readonly groups: number;
  readonly groupSize: number;
  /** Longest trajectory there is room for, in tokens. */
  readonly context: number;
}

/** Present update, and shares of 1 measured in the newest one; null where there is no measurement. */
export interface ArmProgress {
  readonly update: number;
  readonly successRate: number | null;
  readonly keptGroups: number | null;
}

export const AT_START: ArmProgress = { update: 0, successRate: null, keptGroups: null };

/** Counts to assume before any are measured: as many observations as actions. */
export const EVEN_COUNTS: TokenCounts = { prompt: 0, action: 1, observation: 1, warning: 0, thought: 0 };

/**
 * |∂loss/∂log-prob| of an observation token, divided by that of an action token with advantage ±1. Both are taken on the
 * first inner step, where ratios are 1, and for trajectories of average counts. null if action tokens have no weight or
 * nothing can be counted. `uncounted` names what is not included. With a probability threshold the number is for a token of
 * probability 1: multiply it by the probability.
 */
export function observationWeight(
  arm: Arm,
  counts: TokenCounts,
  shape: EpisodeBatch,
  progress: ArmProgress = AT_START,
): number | null {
  const action = actionWeight(arm, counts, shape, keptShare(arm, shape, progress) ?? 1);
  if (!(action > 0 && Number.isFinite(action))) return null;
  const chosen = chosenShare(arm, progress) ?? 1;
  if (chosen === 0) return 0;
  const lambda = arm.ce.observation * worldModelScale(arm, progress.update);
  const ratio = lambda / worldModelDivisor(arm, counts, shape, chosen) / action;
  return Number.isFinite(ratio) ? ratio : null;
}

/** Names of the settings that change an arm's weights and are not included in `observationWeight`. */
export function uncounted(arm: Arm, progress: ArmProgress): string[] {
  const named = [
    chosenShare(arm, progress) === null ? 'the choice of trajectories' : null,
    keptShare(arm, { groups: 1 }, progress) === null ? 'groups left out' : null,
    arm.worldModelRewardScale > 0 ? 'the balance by reward' : null,
    arm.worldModelMinValid > 0 ? 'trajectories left out for malformed actions' : null,
  ];
  return named.filter((name) => name !== null);
}

/** Share of the trajectories that the world model learns from; null if not yet measured. */
function chosenShare({ worldModelTrajectories: which }: Arm, { successRate }: ArmProgress): number | null {
  if (which === 'all') return 1;
  if (successRate === null) return null;
  return which === 'solved' ? successRate : 1 - successRate;
}

/** Share of the groups that the group filter keeps, 1 without a filter; null if not yet measured. */
function keptShare(
  { groupFilter, groupFilterShare }: Arm,
  { groups }: Pick<EpisodeBatch, 'groups'>,
  { keptGroups }: ArmProgress,
): number | null {
  if (groupFilter === 'none') return 1;
  if (groupFilter === 'top-deviation') return Math.max(1, Math.floor(groupFilterShare * groups + 1e-4)) / groups;
  return keptGroups;
}

function total(counts: TokenCounts, roles: readonly Role[]): number {
  return roles.reduce((sum, role) => sum + counts[role], 0);
}

/** |∂loss/∂log-prob| of an action token with advantage ±1; infinite or NaN if no group is kept or no token learns. */
function actionWeight(
  arm: Arm,
  counts: TokenCounts,
  { groups, groupSize, context }: EpisodeBatch,
  share: number,
): number {
  const trajectories = groups * groupSize * share;
  if (trajectories === 0) return Number.NaN;
  const tokens = total(
    counts,
    ROLES.filter((role) => weightOn(arm.pg, role) > 0),
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

function worldModelDivisor(
  arm: Arm,
  counts: TokenCounts,
  { groups, groupSize, context }: EpisodeBatch,
  chosen: number,
): number {
  const trajectories = groups * groupSize;
  const epsilon = arm.worldModelCountEpsilon;
  const spoken = counts.observation + counts.warning;
  const followed = (arm.ce.observation > 0 ? counts.observation : 0) + (arm.ce.warning > 0 ? counts.warning : 0);
  const acted = total(
    counts,
    DRAWN.filter((role) => weightOn(arm.ce, role) > 0),
  );
  const drawn = total(counts, DRAWN);
  // A turn left out counts neither its action nor the tokens that follow it. A prompt belongs to no turn.
  const selected =
    arm.worldModelTurnShare < 1
      ? (acted + followed) * arm.worldModelTurnShare
      : (arm.ce.prompt > 0 ? counts.prompt : 0) + acted + followed;
  const ofTrajectory = {
    none: 1,
    'selected-tokens': selected + epsilon,
    'observation-tokens': spoken + epsilon,
    length: arm.worldModelLength || context,
    'group-selected-tokens': groupSize * chosen * selected + epsilon,
  }[arm.worldModelSequenceDenominator];
  const ofBatch = {
    'selected-tokens': trajectories * chosen * selected + epsilon,
    'action-tokens': trajectories * drawn + epsilon,
    'all-tokens': trajectories * (drawn + spoken) + epsilon,
    sequences: trajectories,
    'selected-sequences': trajectories * chosen,
    'action-sequences': trajectories,
    groups,
    given: arm.worldModelDenominator,
    none: 1,
  }[arm.worldModelBatchDenominator];
  return ofTrajectory * ofBatch;
}
