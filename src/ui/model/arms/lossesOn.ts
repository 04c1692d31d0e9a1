/** A cell of the table: the set of losses on a role's tokens in an arm, each with its weight. The empty set is masked. */

import { type OwnLoss, standingFor } from '../../../experiment/arm/ownLosses';
import type { Arm } from '../../../experiment/experiment';
import { DRAWN, type Role } from '../../../foundation/roles';
import { weightOn } from '../../../hyperparameters/weights';
import { formatSetting } from '../../kit/format';
import { LEARNING_NAMES, type TokenLearning } from '../tokens/Chip';

interface Part {
  readonly learning: TokenLearning;
  readonly text: string;
}

/**
 * Losses on the tokens of a role, for a narrow cell: a user's loss by its name, also where it replaces one of the
 * lab's; KL and entropy with their whole coefficient; distillation by its teacher.
 */
export function lossesOn(arm: Arm, role: Role): readonly Part[] {
  const part = (learning: TokenLearning, name: string, weight: number): Part[] =>
    weight === 0 ? [] : [{ learning, text: `${name} ${formatSetting(Number(weight.toPrecision(6)))}` }];
  const standing = (place: 'policy' | 'predict', weight: number): Part[] => {
    const own = standingFor(arm, place);
    return own === undefined ? part(place, LEARNING_NAMES[place], weight) : part('own', own.name, weight);
  };
  const parts = [
    ...standing('policy', weightOn(arm.pg, role)),
    ...standing('predict', weightOn(arm.ce, role)),
    ...replayOn(arm, role).flatMap(([learning, weight]) => part(learning, 'replay', weight)),
    ...addedTo(arm).flatMap(({ name, on }) => part('own', name, on[role])),
    ...part('held', 'KL', arm.klCoefficient * weightOn(arm.kl, role)),
    ...part('held', 'entropy', arm.entropyCoefficient * weightOn(arm.entropy, role)),
    ...part('held', 'teacher', DRAWN.includes(role) ? arm.distillation : 0),
  ];
  return parts.length === 0 ? [{ learning: 'veiled', text: LEARNING_NAMES.veiled }] : parts;
}

/** Loss of replayed successes on a role, and its weight: of what the policy drew alone. */
function replayOn(arm: Arm, role: Role): readonly (readonly [TokenLearning, number])[] {
  if (arm.replay === 'none' || !DRAWN.includes(role)) return [];
  if (arm.replay === 'cross-entropy') return [['predict', arm.replayWeight]];
  return [['policy', arm.replayWeight * weightOn(arm.pg, role)]];
}

export const addedTo = ({ losses }: Arm): readonly OwnLoss[] => losses.filter(({ place }) => place === 'added');
