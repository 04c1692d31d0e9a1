/** Finding of a sweep: for every arm, the combination that does best and which of the others can be told from it. */
import { areaUnderCurve, final, type SeedCurve } from '../conclude/statistics';
import type { Axis } from './axes';
import { judgeSweep, sweepInWords } from './sweepFinding';

/** Numbers of a cell's arms. */
export interface CellNumbers {
  /** Values of the cell, one for each axis. */
  readonly values: readonly string[];
  readonly arms: readonly ArmNumbers[];
}

export interface ArmNumbers {
  readonly id: string;
  readonly name: string;
  readonly seeds: readonly SeedNumbers[];
}

/** Success of a seed over the last updates, and its mean over all of them; null where nothing was measured. */
export interface SeedNumbers {
  readonly seed: number;
  readonly final: number | null;
  readonly area: number | null;
}

/** Numbers that a sweep is judged by, one a seed. */
export type SweptNumber = 'final' | 'area';

interface TrainedArm {
  readonly id: string;
  readonly name: string;
  readonly seeds: readonly { readonly seed: number; readonly curve: { readonly successRate: SeedCurve } }[];
}

export const numbersOf = ({ id, name, seeds }: TrainedArm): ArmNumbers => ({
  id,
  name,
  seeds: seeds.map(({ seed, curve: { successRate } }) => ({
    seed,
    final: final(successRate),
    area: areaUnderCurve(successRate),
  })),
});

/** Sentences, one for each arm that has numbers. */
export function gridInWords(
  axes: readonly Pick<Axis, 'key'>[],
  cells: readonly CellNumbers[],
  by: SweptNumber = 'final',
): string[] {
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
      (cell) => cells[cell]?.arms.find((arm) => arm.id === id)?.seeds.map((seed) => seed[by] ?? Number.NaN) ?? [],
    );
    const judged = judgeSweep(seeds);
    if (judged === null) return [];
    const finding = isOrdered ? judged : { ...judged, isBent: false, isAtEnd: false };
    const words = sweepInWords({ finding, values, name });
    return [arms.length === 1 ? words : `${armName}: ${words}`];
  });
}
