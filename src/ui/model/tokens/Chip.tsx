/**
 * The one picture of this project: a token that learns is solid, one that does not is veiled. The table, the strip, the
 * help and the logo all draw this chip.
 */
import type { ReactNode } from 'react';
import './chip.css';

/**
 * Sources of a token's learning: reward, prediction, both, a demonstration, a user's loss, KL or entropy ('held'), or none
 * ('veiled').
 */
export const LEARNINGS = ['policy', 'predict', 'both', 'imitated', 'own', 'held', 'veiled'] as const;
export type TokenLearning = (typeof LEARNINGS)[number];

export function learningOf(policyWeight: number, crossEntropyWeight: number): TokenLearning {
  if (policyWeight > 0) return crossEntropyWeight > 0 ? 'both' : 'policy';
  return crossEntropyWeight > 0 ? 'predict' : 'veiled';
}

/** Names on the chips of the legend; those of losses are in the table’s cells, too. */
export const LEARNING_NAMES = {
  policy: 'policy',
  predict: 'prediction',
  both: 'policy, prediction',
  imitated: 'imitation',
  own: 'own loss',
  held: 'KL, entropy',
  veiled: 'masked',
} as const;

export const LEARNING_WORDS: Readonly<Record<TokenLearning, string>> = {
  policy: 'learns from the reward',
  predict: 'learns by prediction',
  both: 'learns from the reward and by prediction',
  imitated: 'is imitated in the warm start',
  own: 'learns from a loss of one’s own',
  held: 'is held by KL or entropy',
  veiled: 'hatched: learns nothing',
};

export function Chip({ learning, children }: { learning: TokenLearning; children: ReactNode }) {
  return <span className={`chip chip-${learning}`}>{children}</span>;
}
