/**
 * Map of when prediction helps: the gap between world model and mask by initial scale, and by rarity of reward or
 * predictability of the world. Both arms have their preset's settings: only scale and world change.
 */

import type { Fields, Wanted } from '../findings/ledger';
import { INITIAL_FIELDS, type Initialisation } from './design';
import { TUNED } from './search';
import { type World, worldOf } from './worlds';

const MAP_SEED = 3000;
const SEEDS = [0, 1, 2, 3];
/** Columns of the map. GPT-2's scale is nearly always 0.02, so it has no column. */
export const MAP_SCALES = ['normal-0.02', 'normal-0.05', 'fan-in'] as const satisfies readonly Initialisation[];

export interface Place {
  readonly id: string;
  readonly world: World['id'];
  readonly axis: 'rarity' | 'predictability';
  /** Fields of the link beyond the world's own. */
  readonly fields: Fields;
}

const grid = (size: number, minimumDistance: number): Fields => ({
  'environment.size': size,
  'environment.minimumDistance': minimumDistance,
});

/** Rows of the map. Those of rarity go from easy to hard; the number in their id is a random policy's success in percent. */
export const PLACES: readonly Place[] = [
  { id: 'reward-28', world: 'gridworld', axis: 'rarity', fields: grid(4, 2) },
  { id: 'reward-9', world: 'gridworld', axis: 'rarity', fields: {} },
  { id: 'reward-2', world: 'gridworld', axis: 'rarity', fields: grid(6, 6) },
  { id: 'reward-0.6', world: 'gridworld', axis: 'rarity', fields: grid(8, 7) },
  { id: 'slips', world: 'gridworld', axis: 'predictability', fields: { 'environment.slip': 0.33 } },
  { id: 'noise', world: 'gridworld', axis: 'predictability', fields: { 'environment.noiseTokens': 2 } },
  {
    id: 'hidden-walls',
    world: 'gridworld',
    axis: 'predictability',
    fields: { 'environment.walls': 0.2, 'environment.map': 'hidden' },
  },
  { id: 'permuted', world: 'gridworld', axis: 'predictability', fields: { 'environment.controls': 'permuted' } },
  { id: 'shop-fixed', world: 'shop', axis: 'predictability', fields: {} },
  {
    id: 'shop-fresh',
    world: 'shop',
    axis: 'predictability',
    fields: { 'environment.catalogue': 'fresh', 'environment.products': 24 },
  },
];

export function mapRuns(place: Place): Wanted[] {
  const { fields, updates } = worldOf(place.world);
  const shared = { ...fields, seed: MAP_SEED, seeds: SEEDS.length, 'evaluation.every': updates, ...place.fields };
  return MAP_SCALES.flatMap((scale) =>
    TUNED.map((arm) => ({
      name: `map/${place.id}/${arm}-${scale}`,
      fields: { ...shared, ...INITIAL_FIELDS[scale], arms: arm },
      seeds: SEEDS,
    })),
  );
}
