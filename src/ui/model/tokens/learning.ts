/** A token's learning in its arm: by its effective weights, else by formulas, whose weights no view of tokens has. */

import { weightIn } from '../../../experiment/arm/ownLosses';
import type { Arm } from '../../../experiment/experiment';
import { DRAWN, ROLES } from '../../../foundation/roles';
import { weightOn } from '../../../hyperparameters/weights';
import type { EpisodeView } from '../../../train/looks/shown';
import { LEARNINGS, learningOf, type TokenLearning } from './Chip';

export interface LearningToken {
  readonly role: number | undefined;
  /** The first token of a trajectory is predicted from nothing. */
  readonly index: number;
  readonly policyWeight: number;
  readonly crossEntropyWeight: number;
}

/** Learning of a token. `arm`: with the settings it was trained with. */
export function learningIn(arm: Arm | undefined, token: LearningToken): TokenLearning {
  const known = learningOf(token.policyWeight, token.crossEntropyWeight);
  const role = ROLES[token.role ?? -1];
  if (known !== 'veiled' || arm === undefined || role === undefined || token.index === 0) return known;
  if (arm.losses.some((loss) => weightIn(arm, loss, role) !== 0)) return 'own';
  const held = arm.klCoefficient * weightOn(arm.kl, role) + arm.entropyCoefficient * weightOn(arm.entropy, role);
  // Tokens that the policy drew stay veiled where it learns nothing else: of those one asks for the reward.
  return !DRAWN.includes(role) && held > 0 ? 'held' : 'veiled';
}

/** Learning of a token of an episode. */
export const learningAt = (
  arm: Arm | undefined,
  episode: Pick<EpisodeView, 'roles' | 'policyWeight' | 'crossEntropyWeight' | 'imitated'>,
  index: number,
): TokenLearning => {
  const { roles, policyWeight, crossEntropyWeight, imitated } = episode;
  const learning = learningIn(arm, {
    role: roles[index],
    index,
    policyWeight: policyWeight[index] ?? 0,
    crossEntropyWeight: crossEntropyWeight[index] ?? 0,
  });
  return imitated !== undefined && learning === 'predict' ? 'imitated' : learning;
};

/** Ways in which tokens of an arm can learn, its demonstrations' too. */
export function learningsOf(arm: Arm): readonly TokenLearning[] {
  const found = ROLES.map((role, number) =>
    learningIn(arm, {
      ...{ role: number, index: 1 },
      ...{ policyWeight: weightOn(arm.pg, role), crossEntropyWeight: weightOn(arm.ce, role) },
    }),
  );
  if (arm.warmStart !== 'none') found.push('imitated');
  return LEARNINGS.filter((learning) => found.includes(learning));
}
