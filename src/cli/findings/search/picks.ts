/** Search: the way of each arm to its pick in a world, with the settings tried. */

import type { Ledger, LinkFields, WantedRuns } from '../ledger';
import type { ArmId } from './arms';
import { fieldsOf, firstRound, type SearchSetting, secondRound } from './design';
import { type SearchWorld, worldOf } from './worlds';

/** Arms that are tuned; the controls take the world model's pick. */
export const TUNED = ['action-mask', 'world-model'] as const satisfies readonly ArmId[];
export type TunedArm = (typeof TUNED)[number];

/** Experiment seed of the first search, and of the others one more each; no number from these is reported as a result. */
const SEARCH_SEED = 1000;
/** Experiment seed at which picks meet, on seeds that no search saw. */
const CONTEST_SEED = 2000;
const FIRST_SEEDS = [0];
const LAST_SEEDS = [0, 1, 2];
const FINALISTS = 4;

export interface TriedSetting {
  readonly setting: SearchSetting;
  readonly areas: readonly number[];
  readonly mean: number;
}

/** The `count` settings of largest mean area; of equal ones the earlier first. */
function best(tried: readonly TriedSetting[], count: number): TriedSetting[] {
  return [...tried].sort((a, b) => b.mean - a.mean || a.setting.id.localeCompare(b.setting.id)).slice(0, count);
}

export class Search {
  readonly #arm: TunedArm;
  readonly #world: SearchWorld;
  readonly #ledger: Ledger;
  /** Number of the search, from 0: each deals out other settings, and trains them on other seeds. */
  readonly #number: number;
  readonly #first: readonly SearchSetting[];

  constructor(world: SearchWorld, arm: TunedArm, ledger: Ledger, number = 0) {
    this.#world = world;
    this.#arm = arm;
    this.#ledger = ledger;
    this.#number = number;
    this.#first = firstRound(number);
  }

  /** Runs of all rounds that can be planned now, recorded or not; each round waits for the one before. */
  async wanted(): Promise<WantedRuns[]> {
    const first = this.#first.map((setting) => this.#run(setting, FIRST_SEEDS));
    const pairs = best(await this.#results(this.#first, FIRST_SEEDS), 2);
    if (pairs.length < 2 || (await this.#anyMissing(first))) return first;
    const second = this.#secondRound(pairs);
    const runs = [...first, ...second.map((setting) => this.#run(setting, FIRST_SEEDS))];
    if (await this.#anyMissing(runs)) return runs;
    const finalists = best(await this.#results([...this.#first, ...second], FIRST_SEEDS), FINALISTS);
    return [...runs, ...finalists.map(({ setting }) => this.#run(setting, LAST_SEEDS))];
  }

  /** Every setting tried, with all its seeds: the finalists first, best first. Null while runs are missing. */
  async tried(): Promise<TriedSetting[] | null> {
    const runs = await this.wanted();
    const settings = [...this.#first, ...this.#secondRound(best(await this.#results(this.#first, FIRST_SEEDS), 2))];
    if (runs.length < settings.length + FINALISTS || (await this.#anyMissing(runs))) return null;
    const finalists = best(await this.#results(settings, FIRST_SEEDS), FINALISTS).map(({ setting }) => setting);
    const ranked = best(await this.#results(finalists, LAST_SEEDS), FINALISTS);
    const rest = settings.filter((setting) => !finalists.includes(setting));
    return [...ranked, ...(await this.#results(rest, FIRST_SEEDS))];
  }

  #secondRound(pairs: readonly TriedSetting[]): SearchSetting[] {
    return pairs.length < 2
      ? []
      : secondRound(
          pairs.map(({ setting }) => setting),
          this.#number,
        );
  }

  #run(setting: SearchSetting, seeds: readonly number[]): WantedRuns {
    const folder = this.#number === 0 ? 'fair/search' : `searches/${this.#number}`;
    const name = `${folder}/${this.#world.id}/${this.#arm}-${setting.id}`;
    return { name, fields: fieldsOf(this.#world, this.#arm, setting, SEARCH_SEED + this.#number), seeds };
  }

  async #anyMissing(everyRun: readonly WantedRuns[]): Promise<boolean> {
    for (const runs of everyRun) if ((await this.#ledger.missing(runs)).length > 0) return true;
    return false;
  }

  /** Results of the settings that have all of these seeds. */
  async #results(settings: readonly SearchSetting[], seeds: readonly number[]): Promise<TriedSetting[]> {
    const found = await Promise.all(
      settings.map(async (setting) => {
        const outcome = await this.#ledger.read(this.#run(setting, seeds));
        const areas = seeds.flatMap((seed) => outcome.seeds[seed]?.area ?? []);
        return { setting, areas, mean: areas.reduce((sum, area) => sum + area, 0) / seeds.length };
      }),
    );
    return found.filter(({ areas }) => areas.length === seeds.length);
  }
}

/** Settings that a search picked for one arm, as a condition of a claim has them. */
export interface Picked {
  readonly world: string;
  /** Arm that trains with the settings. */
  readonly arm: ArmId;
  /** Arm whose search picked them. */
  readonly by: TunedArm;
  readonly search?: number | undefined;
}

const searchOf = ({ world, by, search }: Picked, ledger: Ledger): Search =>
  new Search(worldOf(world), by, ledger, search);

/** Runs of the search behind a pick, as far as they can be planned now. */
export const runsFor = (picked: Picked, ledger: Ledger): Promise<WantedRuns[]> => searchOf(picked, ledger).wanted();

/** Fields of a link for an arm at a pick; null while runs of the search are missing. */
export async function pickedFields(picked: Picked, ledger: Ledger): Promise<LinkFields | null> {
  const [first] = (await searchOf(picked, ledger).tried()) ?? [];
  return first === undefined ? null : fieldsOf(worldOf(picked.world), picked.arm, first.setting, CONTEST_SEED);
}
