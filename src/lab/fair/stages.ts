/** The stages in their order, and the runs each of them wants, as far as what it builds on is there. */
import { contest } from './contest';
import type { Setting } from './design';
import { explored } from './explore';
import { mapRuns, PLACES, type Place } from './map';
import type { Ledger, Wanted } from './runs';
import { Search, TUNED, type Tuned } from './search';
import { whyRuns } from './why';
import { wideBest, widePreset } from './wide';
import { type World, worldOf } from './worlds';

const search = (world: World['id']) => (ledger: Ledger) =>
  Promise.all(TUNED.map((arm) => new Search(worldOf(world), arm, ledger).wanted())).then((runs) => runs.flat());
const bestAgainstBest = (world: World['id']) => async (ledger: Ledger) =>
  contest(worldOf(world), await bestSettings(worldOf(world), ledger));
const map = (axis: Place['axis'], world: World['id']) => async () =>
  PLACES.filter((place) => place.axis === axis && place.world === world).flatMap(mapRuns);

export const STAGES: Readonly<Record<string, (ledger: Ledger) => Promise<Wanted[]>>> = {
  'search/gridworld': search('gridworld'),
  'contest/gridworld': bestAgainstBest('gridworld'),
  'search/shop': search('shop'),
  'contest/shop': bestAgainstBest('shop'),
  explore: async () => explored(),
  'map/rarity': map('rarity', 'gridworld'),
  why: async () => whyRuns(),
  'map/predictability': map('predictability', 'gridworld'),
  'map/shop': map('predictability', 'shop'),
  'search/calculator': search('calculator'),
  'contest/calculator': bestAgainstBest('calculator'),
  'wide/preset': async () => widePreset(),
  'wide/best': async (ledger) => wideBest(await bestSettings(worldOf('gridworld'), ledger)),
  'search/terminal': search('terminal'),
  'contest/terminal': bestAgainstBest('terminal'),
};

async function bestSettings(world: World, ledger: Ledger): Promise<Record<Tuned, Setting>> {
  const found = await Promise.all(
    TUNED.map(async (arm): Promise<[Tuned, Setting]> => {
      const best = (await new Search(world, arm, ledger).tried())?.[0];
      if (best === undefined) throw new Error(`The search of ${arm} in ${world.id} is not finished: train it first.`);
      return [arm, best.setting];
    }),
  );
  return Object.fromEntries(found) as Record<Tuned, Setting>;
}
