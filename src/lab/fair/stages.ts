/** Stages in their order, each with the runs it needs, as far as they can be planned from what is recorded. */

import type { Ledger, Wanted } from '../findings/ledger';
import { contest } from './contest';
import type { Setting } from './design';
import { explored } from './explore';
import { mapRuns, PLACES, type Place } from './map';
import { picksOf, Search, settingsOf, TUNED, type Tuned } from './search';
import { whyRuns } from './why';
import { widePicked, widePreset } from './wide';
import { type World, worldOf } from './worlds';

const search = (world: World['id']) => (ledger: Ledger) =>
  Promise.all(TUNED.map((arm) => new Search(worldOf(world), arm, ledger).wanted())).then((runs) => runs.flat());
const pickAgainstPick = (world: World['id']) => async (ledger: Ledger) =>
  contest(worldOf(world), await pickedSettings(world, ledger));
const map = (axis: Place['axis'], world: World['id']) => async () =>
  PLACES.filter((place) => place.axis === axis && place.world === world).flatMap(mapRuns);

export const STAGES: Readonly<Record<string, (ledger: Ledger) => Promise<Wanted[]>>> = {
  'search/gridworld': search('gridworld'),
  'contest/gridworld': pickAgainstPick('gridworld'),
  'search/shop': search('shop'),
  'contest/shop': pickAgainstPick('shop'),
  explore: async () => explored(),
  'map/rarity': map('rarity', 'gridworld'),
  why: async () => whyRuns(),
  'map/predictability': map('predictability', 'gridworld'),
  'map/shop': map('predictability', 'shop'),
  'search/calculator': search('calculator'),
  'contest/calculator': pickAgainstPick('calculator'),
  'wide/preset': async () => widePreset(),
  'wide/picked': async (ledger) => widePicked(await pickedSettings('gridworld', ledger)),
  'search/terminal': search('terminal'),
  'contest/terminal': pickAgainstPick('terminal'),
};

async function pickedSettings(world: World['id'], ledger: Ledger): Promise<Record<Tuned, Setting>> {
  const picks = await picksOf(worldOf(world), ledger);
  if (picks !== null) return settingsOf(picks);
  throw new Error(`The search in ${world} is not finished. Train it first: npm run fair -- --only search/${world}`);
}
