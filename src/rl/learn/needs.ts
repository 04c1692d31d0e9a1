/**
 * Needs of a population's arms beyond one forward and backward pass. Each costs time only where some member has it, and
 * changes no number of the others.
 */

import { DRAWN, ROLE, ROLES } from '../../foundation/roles';
import { CHOICES } from '../../hyperparameters/columns';
import { HYPER, HYPER_COLUMNS } from '../../tensor/layout';

export interface Needs {
  /** Log-probs, entropies and values of the acting policy before the first step: critics, optimal baselines, PaW … */
  readonly scores: boolean;
  /** Selection of tokens from the whole batch before every step: clip-cov, kl-cov, top entropies. */
  readonly selection: boolean;
  /** Training of the value head. */
  readonly critic: boolean;
  /** One greedy trajectory for each task (ReMax). */
  readonly baselines: boolean;
}

/** Needs of all members together. table: their hyperparameters, [P, HYPER_COLUMNS]. */
export function needsOf(table: ArrayLike<number>): Needs {
  const members = Array.from({ length: table.length / HYPER_COLUMNS }, (_, p) => memberNeeds(table, p));
  return {
    scores: members.some((needs) => needs.scores),
    selection: members.some((needs) => needs.selection),
    critic: members.some((needs) => needs.critic),
    baselines: members.some((needs) => needs.baselines),
  };
}

/** True where tokens that member p draws carry a policy loss. */
export function hasActionLoss(table: ArrayLike<number>, p: number): boolean {
  return DRAWN.some((role) => table[p * HYPER_COLUMNS + HYPER.policyGradient + ROLE[role]] !== 0);
}

/**
 * Roles with a loss in some member. Actions are always among them, for the regularisers and the critic; thoughts only where the
 * world has any.
 */
export function rolesWithLoss(table: ArrayLike<number>, hasThoughts: boolean): number[] {
  const members = table.length / HYPER_COLUMNS;
  const hasLoss = (role: number): boolean =>
    Array.from({ length: members }, (_, p) => p * HYPER_COLUMNS).some(
      (row) => table[row + HYPER.policyGradient + role] !== 0 || table[row + HYPER.crossEntropy + role] !== 0,
    );
  return ROLES.map((role) => ROLE[role]).filter((role) => {
    return role === ROLE.thought && !hasThoughts ? false : role === ROLE.action || hasLoss(role);
  });
}

/** True where member p trains its value head. */
export function hasCritic(table: ArrayLike<number>, p: number): boolean {
  return table[p * HYPER_COLUMNS + HYPER.valueCoefficient] !== 0;
}

function memberNeeds(table: ArrayLike<number>, p: number): Needs {
  const column = (name: keyof typeof HYPER): number => table[p * HYPER_COLUMNS + HYPER[name]];
  const credit = CHOICES.advantageCredit[column('advantageCredit')] ?? 'outcome';
  const baseline = CHOICES.advantageBaseline[column('advantageBaseline')] ?? 'group-mean';
  const surrogate = CHOICES.surrogate[column('surrogate')] ?? 'ppo';
  // Under the other credits a critic replaces the baseline.
  const takesBaseline = credit === 'outcome' || credit === 'reward-to-go';
  const isPart = (share: number): boolean => share > 0 && share < 1;
  const critic = hasCritic(table, p);
  return {
    critic,
    scores:
      critic ||
      credit === 'gae' ||
      credit === 'bilevel-gae' ||
      (takesBaseline && baseline.startsWith('optimal')) ||
      column('rewardKl') !== 0 ||
      column('predictionReward') !== 0 ||
      column('decodingCorrection') !== 0 ||
      isPart(column('worldModelTurnShare')),
    selection: surrogate === 'clip-cov' || surrogate === 'kl-cov' || isPart(column('entropyShare')),
    baselines: takesBaseline && baseline === 'greedy',
  };
}
