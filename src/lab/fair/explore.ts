/**
 * Runs added after the rest was known, and reported as such: the gridworld's preset, untuned, but with weights drawn by
 * fan-in, on the contest's seeds. On the map this mask was ahead of the one that its search had picked.
 */

import type { Wanted } from '../findings/ledger';
import { CONTEST_SEED } from './contest';
import { INITIAL_FIELDS } from './design';
import { TUNED } from './search';
import { worldOf } from './worlds';

const SEEDS = Array.from({ length: 16 }, (_, seed) => seed);

/** Runs of the mask, then of the world model. */
export function explored(): Wanted[] {
  const { fields, updates } = worldOf('gridworld');
  const shared = { ...fields, seed: CONTEST_SEED, seeds: SEEDS.length, 'evaluation.every': updates };
  return TUNED.map((arm) => ({
    name: `explore/${arm}-preset-fan-in`,
    fields: { ...shared, ...INITIAL_FIELDS['fan-in'], arms: arm },
    seeds: SEEDS,
  }));
}
