/**
 * Runs of the gridworld at the default width of 64. A run costs three times as much there, so nothing is searched: arms
 * have the settings picked at width 32, or the preset's own at a small and at an ordinary initial scale.
 */

import type { Fields, Wanted } from '../findings/ledger';
import { armFields } from './arms';
import { fieldsOf, INITIAL_FIELDS, PRESET_NUMBERS, type Setting } from './design';
import { TUNED, type Tuned } from './search';
import { worldOf } from './worlds';

const WIDE_SEED = 5000;
const SEEDS = [0, 1, 2, 3, 4, 5, 6, 7];
export const WIDE_SCALES = ['normal-0.05', 'fan-in'] as const;
const WIDE: Fields = { 'policy.width': 64, 'policy.heads': 4 };

export function widePicked(best: Readonly<Record<Tuned, Setting>>): Wanted[] {
  return TUNED.map((arm) => ({
    name: `wide/${arm}-picked`,
    fields: fieldsOf(worldOf('gridworld'), arm, best[arm], WIDE_SEED, WIDE),
    seeds: SEEDS,
  }));
}

export function widePreset(): Wanted[] {
  const { fields, groups, updates } = worldOf('gridworld');
  const shared = { ...fields, seed: WIDE_SEED, seeds: SEEDS.length, updates, 'evaluation.every': updates };
  return WIDE_SCALES.flatMap((scale) =>
    TUNED.map((arm) => ({
      name: `wide/${arm}-preset-${scale}`,
      fields: {
        ...shared,
        'batch.groups': groups,
        ...WIDE,
        ...INITIAL_FIELDS[scale],
        ...armFields(arm, PRESET_NUMBERS),
      },
      seeds: SEEDS,
    })),
  );
}
