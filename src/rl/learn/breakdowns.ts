/** Members whose gradient, or a formula's loss, ceases to be finite: each is told once. */
import { FORMULA_TERM, FORMULA_TERM_COLUMNS } from '../../formula/packing';
import type { FormulaReadback } from './ownLosses';

export class Breakdowns {
  /** Members that were broken in the last update that was taken. */
  #broken: readonly number[] = [];

  /** Takes an update's numbers; gives the members that were finite before it. gradNorm: [P]. */
  take(members: number, gradNorm: ArrayLike<number>, read: readonly FormulaReadback[]): readonly number[] {
    const isBroken = (p: number): boolean =>
      !Number.isFinite(gradNorm[p]) ||
      read.some(({ first }) => !Number.isFinite(first[p * FORMULA_TERM_COLUMNS + FORMULA_TERM.loss]));
    const before = this.#broken;
    this.#broken = Array.from({ length: members }, (_, p) => p).filter(isBroken);
    return this.#broken.filter((p) => !before.includes(p));
  }
}
