/** The stages in their order, and the runs each of them wants, as far as what it builds on is there. */
import { contest } from './contest';
import type { Setting } from './design';
import type { Ledger, Wanted } from './runs';
import { Search, TUNED, type Tuned } from './search';
import { type World, worldOf } from './worlds';

export const STAGES = [
  'search/gridworld',
  'search/calculator',
  'contest/gridworld',
  'contest/calculator',
  'search/shop',
  'contest/shop',
  'search/terminal',
  'contest/terminal',
] as const;
export type StageId = (typeof STAGES)[number];

export async function wantedOf(stage: StageId, ledger: Ledger): Promise<Wanted[]> {
  const [kind, id = ''] = stage.split('/');
  const world = worldOf(id);
  if (kind === 'search') return (await Promise.all(TUNED.map((arm) => new Search(world, arm, ledger).wanted()))).flat();
  return contest(world, await bestSettings(world, ledger));
}

export async function bestSettings(world: World, ledger: Ledger): Promise<Record<Tuned, Setting>> {
  const found = await Promise.all(
    TUNED.map(async (arm): Promise<[Tuned, Setting]> => {
      const best = (await new Search(world, arm, ledger).tried())?.[0];
      if (best === undefined) throw new Error(`The search of ${arm} in ${world.id} is not finished: train it first.`);
      return [arm, best.setting];
    }),
  );
  return Object.fromEntries(found) as Record<Tuned, Setting>;
}
