/**
 * Runs that test why the start might matter. The action mask and the world model train at a small and at an ordinary initial
 * scale. The mask also trains after a warm start on a random walker's observations, or on its actions, without reward.
 * Probes and effective rank are recorded over updates. Settings are the preset's own.
 */

import type { Fields, Wanted } from '../findings/ledger';
import { armFields } from './arms';
import { INITIAL_FIELDS, PRESET_NUMBERS } from './design';
import { worldOf } from './worlds';

const WHY_SEED = 4000;
const SEEDS = [0, 1, 2, 3, 4, 5, 6, 7];
export const WHY_SCALES = ['normal-0.02', 'fan-in'] as const;

const walker = (tokens: 'observations' | 'actions'): Fields => ({
  ...armFields('action-mask', PRESET_NUMBERS),
  'arms.action-mask.warmStart': tokens,
  'warmStart.source': 'random',
});

export const WHY_ARMS = {
  mask: armFields('action-mask', PRESET_NUMBERS),
  'world-model': armFields('world-model', PRESET_NUMBERS),
  'mask-after-observations': walker('observations'),
  'mask-after-actions': walker('actions'),
} as const satisfies Readonly<Record<string, Fields>>;

export function whyRuns(): Wanted[] {
  const { fields, groups, updates } = worldOf('gridworld');
  const shared = { ...fields, seed: WHY_SEED, seeds: SEEDS.length, updates, 'evaluation.every': updates };
  return WHY_SCALES.flatMap((scale) =>
    Object.entries(WHY_ARMS).map(([arm, own]) => ({
      name: `why/${arm}-${scale}`,
      fields: { ...shared, 'batch.groups': groups, ...INITIAL_FIELDS[scale], ...own },
      seeds: SEEDS,
      probeEvery: 30,
    })),
  );
}
