/** Search: how each arm comes to its pick in a world, and what was tried on the way. */

import { type Ledger, linkOf, type Wanted } from '../findings/ledger';
import type { ArmId } from './arms';
import { FIRST_ROUND, fieldsOf, type Setting, secondRound } from './design';
import type { World } from './worlds';

/** Arms that are tuned; the controls take the world model's pick. */
export const TUNED = ['action-mask', 'world-model'] as const satisfies readonly ArmId[];
export type Tuned = (typeof TUNED)[number];

/** Experiment seed of all searches; no number from it is reported as a result. */
const SEARCH_SEED = 1000;
const FIRST_SEEDS = [0];
const LAST_SEEDS = [0, 1, 2];
const FINALISTS = 4;

export interface Tried {
  readonly setting: Setting;
  readonly areas: readonly number[];
  readonly mean: number;
}

/** The `count` settings of largest mean area; of equal ones the earlier first. */
function best(tried: readonly Tried[], count: number): Tried[] {
  return [...tried].sort((a, b) => b.mean - a.mean || a.setting.id.localeCompare(b.setting.id)).slice(0, count);
}

export class Search {
  readonly world: World;
  readonly arm: Tuned;
  readonly #ledger: Ledger;

  constructor(world: World, arm: Tuned, ledger: Ledger) {
    this.world = world;
    this.arm = arm;
    this.#ledger = ledger;
  }

  /** Runs of all rounds that can be planned now, recorded or not; each round waits for the one before. */
  async wanted(): Promise<Wanted[]> {
    const first = FIRST_ROUND.map((setting) => this.#run(setting, FIRST_SEEDS));
    const pairs = best(await this.#results(FIRST_ROUND, FIRST_SEEDS), 2);
    if (pairs.length < 2 || (await this.#anyMissing(first))) return first;
    const second = this.#secondRound(pairs);
    const all = [...first, ...second.map((setting) => this.#run(setting, FIRST_SEEDS))];
    if (await this.#anyMissing(all)) return all;
    const finalists = best(await this.#results([...FIRST_ROUND, ...second], FIRST_SEEDS), FINALISTS);
    return [...all, ...finalists.map(({ setting }) => this.#run(setting, LAST_SEEDS))];
  }

  /** Every setting tried, with all its seeds: the finalists first, best first. Null while runs are missing. */
  async tried(): Promise<Tried[] | null> {
    const wanted = await this.wanted();
    const settings = [...FIRST_ROUND, ...this.#secondRound(best(await this.#results(FIRST_ROUND, FIRST_SEEDS), 2))];
    if (wanted.length < settings.length + FINALISTS || (await this.#anyMissing(wanted))) return null;
    const finalists = best(await this.#results(settings, FIRST_SEEDS), FINALISTS).map(({ setting }) => setting);
    const ranked = best(await this.#results(finalists, LAST_SEEDS), FINALISTS);
    const rest = settings.filter((setting) => !finalists.includes(setting));
    return [...ranked, ...(await this.#results(rest, FIRST_SEEDS))];
  }

  /** Number of settings tried, and of those whose runs differ: the mask reads no λ, so a deal may give it one twice. */
  async counts(): Promise<{ settings: number; different: number }> {
    const tried = (await this.tried()) ?? [];
    return {
      settings: tried.length,
      different: new Set(tried.map(({ setting }) => linkOf(this.#run(setting, []).fields))).size,
    };
  }

  #secondRound(pairs: readonly Tried[]): Setting[] {
    return pairs.length < 2 ? [] : secondRound(pairs.map(({ setting }) => setting));
  }

  #run(setting: Setting, seeds: readonly number[]): Wanted {
    const name = `search/${this.world.id}/${this.arm}-${setting.id}`;
    return { name, fields: fieldsOf(this.world, this.arm, setting, SEARCH_SEED), seeds };
  }

  async #anyMissing(wanted: readonly Wanted[]): Promise<boolean> {
    for (const one of wanted) if ((await this.#ledger.missing(one)).length > 0) return true;
    return false;
  }

  /** Results of the settings that have all of these seeds. */
  async #results(settings: readonly Setting[], seeds: readonly number[]): Promise<Tried[]> {
    const found = await Promise.all(
      settings.map(async (setting) => {
        const kept = await this.#ledger.read(this.#run(setting, seeds));
        const areas = seeds.flatMap((seed) => kept.seeds[seed]?.area ?? []);
        return { setting, areas, mean: areas.reduce((sum, area) => sum + area, 0) / seeds.length };
      }),
    );
    return found.filter(({ areas }) => areas.length === seeds.length);
  }
}

/** Pick of each arm's search in a world; null while runs are missing. */
export async function picksOf(world: World, ledger: Ledger): Promise<Record<Tuned, Tried> | null> {
  const found = await Promise.all(TUNED.map((arm) => new Search(world, arm, ledger).tried()));
  const [mask, model] = found.map((tried) => tried?.[0]);
  return mask === undefined || model === undefined ? null : { 'action-mask': mask, 'world-model': model };
}

export function settingsOf(picks: Readonly<Record<Tuned, Tried>>): Record<Tuned, Setting> {
  return { 'action-mask': picks['action-mask'].setting, 'world-model': picks['world-model'].setting };
}
