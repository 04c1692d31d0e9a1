/**
 * What the search on fair ground came to (findings/fair): each arm at its own best, the map of when prediction helps, and
 * the test of an explanation. Computed from the recorded runs by `npm run fair -- --report`; here are its form and the sentences that follow from it.
 */

/** Mean difference with its 95% interval, Welch's for independent seeds. */
export interface Difference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export type Verdict = 'helps' | 'harms' | 'alike' | 'undecided';

/** One entrant in a world, at one setting; a number a seed. */
export interface Entrant {
  readonly setting: string;
  readonly link: string;
  readonly area: readonly number[];
  readonly final: readonly number[];
  readonly heldOut: readonly (number | null)[];
  readonly toolOff: readonly (number | null)[];
}

export interface Contest {
  readonly world: string;
  readonly entrants: Readonly<Record<string, Entrant>>;
  /** Mean area of each arm's pick in its own search, three seeds: flattered, being the best of 24. */
  readonly inSearch: Readonly<Record<'action-mask' | 'world-model', number>>;
  /** World model − action mask, in area. */
  readonly difference: Difference;
  /** The same, seed by seed. */
  readonly paired: Difference;
  /** p of the permutation test, as it is and after Holm's correction over all four worlds. */
  readonly p: number;
  readonly corrected: number;
  readonly verdict: Verdict;
  /** The same at the end of training in success on tasks never trained on; null where there are none. */
  readonly heldOut: Difference | null;
  /** World model − placebo, and − the mask at the world model's setting; over the seeds both have. */
  readonly overPlacebo: Difference;
  readonly overMaskAlike: Difference;
  /** World model − action mask, both at the mask's pick, seed by seed over those that both have. */
  readonly atMask: Difference;
  readonly atMaskSeeds: number;
}

export interface MapCell {
  readonly scale: string;
  readonly gap: Difference;
  readonly mask: readonly number[];
  readonly model: readonly number[];
  /** Links of the two runs, the mask's first. */
  readonly links: readonly string[];
}

export interface MapRow {
  readonly place: string;
  readonly world: string;
  readonly axis: 'rarity' | 'predictability';
  readonly cells: readonly MapCell[];
}

/** Means over seeds at one scale. */
export interface Explained {
  readonly arm: string;
  readonly scale: string;
  readonly area: readonly number[];
  readonly heldOut: readonly (number | null)[];
  readonly updates: readonly number[];
  /** Over the updates above: effective rank and share of cells read rightly, in the last layer after the answer. */
  readonly rank: readonly number[];
  readonly cell: readonly number[];
  /** Share of cells read rightly before the answer is known. */
  readonly foreseen: readonly number[];
}

export interface FairGround {
  /** Runs of one seed each that were trained for it. */
  readonly runs: number;
  readonly device: string;
  /** Worlds and cells of the map that were planned, whether recorded yet or not. */
  readonly planned: { readonly worlds: number; readonly cells: number };
  readonly contests: readonly Contest[];
  readonly map: readonly MapRow[];
  /** The gridworld at width 64: at the settings found at 32 (`picked`), and at the preset's own. */
  readonly wide: readonly MapCell[];
  /** Runs that were asked for after the rest was known. */
  readonly explored: readonly MapCell[];
  readonly why: { readonly arms: readonly Explained[]; readonly predictions: readonly Prediction[] } | null;
}

export interface Prediction {
  readonly text: string;
  readonly held: boolean;
  /** The numbers it was judged by. */
  readonly numbers: Readonly<Record<string, number>>;
}
