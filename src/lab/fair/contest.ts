/**
 * Contest of a world: each arm at the setting that its own search picked, on seeds that no search saw. Controls: the
 * placebo and prediction in failed episodes only, both at the world model's pick; and each arm at the other's pick.
 */

import type { Wanted } from '../findings/ledger';
import type { ArmId } from './arms';
import { fieldsOf, type Setting } from './design';
import type { Tuned } from './search';
import type { World } from './worlds';

export const CONTEST_SEED = 2000;
const count = (seeds: number): number[] => Array.from({ length: seeds }, (_, seed) => seed);

interface Entrant {
  readonly arm: ArmId;
  /** Arm whose pick it has. */
  readonly setting: Tuned;
  readonly seeds: number;
}

export const ENTRANTS = {
  'action-mask': { arm: 'action-mask', setting: 'action-mask', seeds: 16 },
  'world-model': { arm: 'world-model', setting: 'world-model', seeds: 16 },
  placebo: { arm: 'placebo', setting: 'world-model', seeds: 8 },
  'failed-only': { arm: 'failed-only', setting: 'world-model', seeds: 8 },
  'mask-as-world-model': { arm: 'action-mask', setting: 'world-model', seeds: 8 },
  'world-model-as-mask': { arm: 'world-model', setting: 'action-mask', seeds: 8 },
} as const satisfies Readonly<Record<string, Entrant>>;
export type EntrantId = keyof typeof ENTRANTS;

/** Runs of a contest; the two arms that are compared come first. */
export function contest(world: World, best: Readonly<Record<Tuned, Setting>>): Wanted[] {
  return (Object.entries(ENTRANTS) as [EntrantId, Entrant][]).map(([id, { arm, setting, seeds }]) => ({
    name: `contest/${world.id}/${id}`,
    fields: fieldsOf(world, arm, best[setting], CONTEST_SEED),
    seeds: count(seeds),
  }));
}
