/** Finding of a sweep: for every arm, the combination that does best and which of the others can be told from it. */

import type { Axis } from './axes';
import { judgeSweep, sweepInWords } from './sweepFinding';

/** Numbers of a cell, one a seed, for every arm. */
export interface CellNumbers {
  /** Values of the cell, one for each axis. */
  readonly values: readonly string[];
  readonly arms: readonly ArmNumbers[];
}

export interface ArmNumbers {
  readonly id: string;
  readonly name: string;
  /** Numbers of the seeds; null where nothing was measured. */
  readonly seeds: readonly (number | null)[];
}

/** Success of a cell's arms over the last updates, and its mean over all of them. */
export interface MeasuredCell {
  readonly values: readonly string[];
  readonly arms: readonly {
    readonly id: string;
    readonly name: string;
    readonly seeds: readonly { readonly seed: number; readonly final: number | null; readonly area: number | null }[];
  }[];
}

/** Cells by one of the two. */
export const cellsBy = (cells: readonly MeasuredCell[], summary: 'final' | 'area'): CellNumbers[] =>
  cells.map(({ values, arms }) => ({
    values,
    arms: arms.map(({ id, name, seeds }) => ({ id, name, seeds: seeds.map((seed) => seed[summary]) })),
  }));

/** Sentences, one for each arm that has numbers. */
export function gridInWords(axes: readonly Pick<Axis, 'key'>[], cells: readonly CellNumbers[]): string[] {
  const arms = cells[0]?.arms ?? [];
  // Neighbours and ends are those of numbers in their order.
  const numbers = axes.length === 1 ? cells.map(({ values }) => Number(values[0])) : [];
  const isOrdered = numbers.length > 0 && numbers.every((value) => Number.isFinite(value));
  const order = isOrdered
    ? [...cells.keys()].sort((a, b) => (numbers[a] as number) - (numbers[b] as number))
    : [...cells.keys()];
  const name = axes.map(({ key }) => key).join(' × ');
  const values = order.map((cell) => cells[cell]?.values.join(' × ') ?? '');
  return arms.flatMap(({ id, name: armName }) => {
    const seeds = order.map(
      (cell) => cells[cell]?.arms.find((arm) => arm.id === id)?.seeds.map((seed) => seed ?? Number.NaN) ?? [],
    );
    const found = judgeSweep(seeds, false);
    if (found === null) return [];
    const finding = isOrdered ? found : { ...found, isBent: false, isAtEnd: false };
    const words = sweepInWords({ finding, values, name });
    return [arms.length === 1 ? words : `${armName}: ${words}`];
  });
}
