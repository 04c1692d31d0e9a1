/** Rolls of a world's dice as the sandbox reports them: read, rolled again, and their chances. */
import type { Dice } from '../dice';

/** A roll of the dice: number of equally likely outcomes, or the weights of the outcomes. */
export type Roll = number | readonly number[];

/** Largest number of outcomes of a weighted roll that is remembered. */
const MOST_SIDES = 4096;

/** True for a roll with its outcome; the world could have changed what the sandbox reports. */
export function isRoll(entry: unknown): entry is readonly [Roll, number] {
  if (!Array.isArray(entry)) return false;
  const [roll, side] = entry as unknown[];
  if (typeof roll === 'number') return Number.isInteger(roll) && roll >= 1 && roll <= 2 ** 32 && Number.isInteger(side);
  if (!Array.isArray(roll) || roll.length > MOST_SIDES || !Number.isInteger(side)) return false;
  if (!roll.every((weight): weight is number => typeof weight === 'number' && weight >= 0)) return false;
  const total = roll.reduce((sum, weight) => sum + weight, 0);
  return total > 0 && Number.isFinite(total);
}

/** Outcome of a roll, as guest/dice.js draws it. */
export function rolled(dice: Dice, roll: Roll): number {
  if (typeof roll === 'number') return dice.below(roll);
  const total = roll.reduce((sum, weight) => sum + weight, 0);
  const mark = dice.unit() * total;
  let sum = 0;
  let last = 0;
  for (const [side, weight] of roll.entries()) {
    sum += weight;
    if (weight > 0) last = side;
    if (mark < sum) return side;
  }
  return last;
}

export function chanceOf(roll: Roll, side: number): number {
  if (typeof roll === 'number') return 1 / roll;
  return (roll[side] ?? 0) / roll.reduce((sum, weight) => sum + weight, 0);
}
