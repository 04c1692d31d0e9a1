/**
 * The colour of an arm, everywhere it appears and wherever it stands among the others. Each preset arm has its own; others
 * take the first free one, in the order of their ids; a sweep's go from faint to strong with the value. Lines also differ
 * in their dashes, for eyes and printers that see no colour.
 */
import type { Arm } from '../../experiment/experiment';
import { isSwept } from '../../experiment/grid/swept';

const FIXED: Readonly<Record<string, number>> = { 'action-mask': 0, 'world-model': 1, 'no-mask': 2 };
const COLOURS = 8;
const DASHES = ['', '', '', '6 3', '2 3', '8 3 2 3', '12 4', '1 3'] as const;

export interface ArmColour {
  readonly stroke: string;
  readonly dash: string;
}

export function armColours(arms: readonly Arm[]): Map<string, ArmColour> {
  return arms.every(isSwept) ? orderedColours(arms) : ownColours(arms);
}

/** Spread over the whole scale; every other line is dashed, so that neighbours differ in more than their shade. */
function orderedColours(arms: readonly Arm[]): Map<string, ArmColour> {
  const step = (COLOURS - 1) / Math.max(1, arms.length - 1);
  return new Map(
    byId(arms).map(({ id }, rank) => [
      id,
      { stroke: `var(--sweep-${Math.round(rank * step) + 1})`, dash: rank % 2 === 0 ? '' : '6 3' },
    ]),
  );
}

/** Arms in the order of their ids: `arm-10` after `arm-9`. */
const byId = (arms: readonly Arm[]): Arm[] =>
  arms.toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));

function ownColours(arms: readonly Arm[]): Map<string, ArmColour> {
  const taken = new Set(arms.map(({ id }) => FIXED[id]).filter((slot) => slot !== undefined));
  const colours = new Map<string, ArmColour>();
  for (const { id } of byId(arms)) {
    let slot = FIXED[id];
    if (slot === undefined) {
      slot = Array.from({ length: COLOURS }, (_, index) => index).find((index) => !taken.has(index)) ?? 0;
      taken.add(slot);
    }
    colours.set(id, { stroke: `var(--arm-${slot + 1})`, dash: DASHES[slot] ?? '' });
  }
  return colours;
}
