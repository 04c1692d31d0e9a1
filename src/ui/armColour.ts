/**
 * The colour of an arm, everywhere it appears. Each preset arm has its own; others take the first free one, in order.
 * Lines also differ in their dashes, for eyes and printers that see no colour.
 */
import type { Arm } from '../experiment/experiment';

const FIXED: Readonly<Record<string, number>> = { 'action-mask': 0, 'world-model': 1, 'no-mask': 2 };
const COLOURS = 8;
const DASHES = ['', '', '', '6 3', '2 3', '8 3 2 3', '12 4', '1 3'] as const;

export interface ArmColour {
  readonly stroke: string;
  readonly dash: string;
}

export function armColours(arms: readonly Arm[]): Map<string, ArmColour> {
  const taken = new Set(arms.map(({ id }) => FIXED[id]).filter((slot) => slot !== undefined));
  const colours = new Map<string, ArmColour>();
  for (const { id } of arms) {
    let slot = FIXED[id];
    if (slot === undefined) {
      slot = Array.from({ length: COLOURS }, (_, index) => index).find((index) => !taken.has(index)) ?? 0;
      taken.add(slot);
    }
    colours.set(id, { stroke: `var(--arm-${slot + 1})`, dash: DASHES[slot] ?? '' });
  }
  return colours;
}
