/** Kinds of logits for cases. */
import type { RandomStream } from '../../foundation/philox';

export const LEGAL_SETS = 4;

export interface Logits {
  readonly name: string;
  /** Largest finite |logit|, for the tolerance. */
  readonly largest: number;
  draw(random: RandomStream, v: number): number;
}

export const ORDINARY: Logits = { name: 'ordinary', largest: 8, draw: (random) => 2 * random.normal() };
export const HUGE: Logits = {
  name: '±1e4',
  largest: 1e4,
  draw: (random) => [-1e4, 0, 9999.5, 1e4][random.below(4)],
};
// Token 0 is in every legal set and stays finite.
export const INFINITE: Logits = {
  name: 'some −∞',
  largest: 8,
  draw: (random, v) => (v > 0 && random.unit() < 0.3 ? Number.NEGATIVE_INFINITY : random.normal()),
};
export const LOGITS: readonly Logits[] = [ORDINARY, HUGE, INFINITE];
