/** Lines of a grid's picture: success against the first axis, one for every arm and every combination of the other axes. */
import type { Axis } from './axes';
import type { ArmNumbers, CellNumbers } from './finding';
import { placesOf } from './places';

export interface GridLine {
  /** Name such as “World model, policy.width = 32”. */
  readonly name: string;
  /** Short name such as “World model, 32”. */
  readonly short: string;
  readonly points: readonly { readonly place: number; readonly arm: ArmNumbers }[];
}

export interface GridLines {
  /** Values of the first axis from left to right, numbers ascending, each with its place from 0 to 1. */
  readonly across: readonly { readonly value: string; readonly place: number }[];
  /** Place where the axis is broken to show 0; null for an unbroken one. */
  readonly gap: number | null;
  readonly lines: readonly GridLine[];
}

export const titleOf = (axes: readonly Axis[]): string => `Success against ${axes.map(({ key }) => key).join(' and ')}`;

export function linesOf(axes: readonly Axis[], cells: readonly CellNumbers[]): GridLines {
  const values = [...(axes[0]?.values ?? [])];
  const isNumeric = values.every((value) => Number.isFinite(Number(value)));
  const ordered = isNumeric ? values.toSorted((a, b) => Number(a) - Number(b)) : values;
  const { places, gap } = placesOf(ordered.map((value, index) => (isNumeric ? Number(value) : index)));
  const arms = new Set(cells.flatMap((cell) => cell.arms.map(({ id }) => id)));
  const lines = new Map<string, { short: string; points: { place: number; arm: ArmNumbers }[] }>();
  for (const cell of cells) {
    const rest = axes.slice(1).map(({ key }, axis) => `${key} = ${cell.values[axis + 1]}`);
    for (const arm of cell.arms) {
      const named = arms.size > 1 || rest.length === 0 ? [arm.name] : [];
      const name = [...named, ...rest].join(', ');
      const line = lines.get(name) ?? { short: [...named, ...cell.values.slice(1)].join(', '), points: [] };
      line.points.push({ place: places[ordered.indexOf(cell.values[0] ?? '')] ?? 0, arm });
      lines.set(name, line);
    }
  }
  return {
    across: ordered.map((value, index) => ({ value, place: places[index] ?? 0 })),
    gap,
    lines: Array.from(lines, ([name, { short, points }]) => ({
      name,
      short,
      points: points.sort((a, b) => a.place - b.place),
    })),
  };
}
