/** How a token learns in its arm: by its effective weights, else from formulas, whose weights no view of tokens has. */
import type { Arm } from '../../../experiment/experiment';
import { ROLES } from '../../../foundation/roles';
import { type Learning, learningOf } from './Chip';

export interface LearningToken {
  readonly role: number | undefined;
  /** The first token of a trajectory is predicted from nothing. */
  readonly index: number;
  readonly policyWeight: number;
  readonly crossEntropyWeight: number;
}

/** `arm`: as it was trained. */
export function learningIn(arm: Arm | undefined, token: LearningToken): Learning {
  const known = learningOf(token.policyWeight, token.crossEntropyWeight);
  const role = ROLES[token.role ?? -1];
  if (known !== 'veiled' || arm === undefined || role === undefined || token.index === 0) return known;
  const weights = { policy: arm.pg, predict: arm.ce };
  if (arm.losses.some(({ place, on }) => (place === 'added' ? on : weights[place])[role] !== 0)) return 'own';
  const held = arm.klCoefficient * arm.kl[role] + arm.entropyCoefficient * arm.entropy[role];
  // Actions that learn nothing else stay veiled: of them the reward is what one asks.
  return role !== 'action' && held > 0 ? 'held' : 'veiled';
}
