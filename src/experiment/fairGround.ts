/**
 * Result of the search on fair ground (findings/fair): each arm at the setting its own search picked, the map of when
 * prediction helps, and the test of an explanation. `npm run fair -- --report` computes it from the recorded runs.
 */

/** Mean difference with its 95% interval, Welch's for independent seeds. */
export interface Difference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export type Verdict = 'helps' | 'harms' | 'alike' | 'undecided';

/** One entrant in a world at one setting, measured once a seed. */
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
  /** Mean area of each arm's pick in its own search, three seeds: too high, as the best of 24. */
  readonly inSearch: Readonly<Record<'action-mask' | 'world-model', number>>;
  /** Number of settings each arm's search tried, and of those that differ in what the arm reads: a deal may repeat one. */
  readonly tried: Readonly<
    Record<'action-mask' | 'world-model', { readonly settings: number; readonly different: number }>
  >;
  /** Success of a random policy, as a share; null if the world does not say. */
  readonly random: number | null;
  /** World model − action mask, in area. */
  readonly difference: Difference;
  /** World model − action mask, in area, seed by seed. */
  readonly paired: Difference;
  /** p of the permutation test, as it is and after Holm's correction over all four worlds. */
  readonly p: number;
  readonly corrected: number;
  readonly verdict: Verdict;
  /** World model − action mask at the end, in success on tasks never trained on; null if no tasks are held out. */
  readonly heldOut: Difference | null;
  /** The same on these tasks with the tool taken away; null without a tool. */
  readonly toolOff: Difference | null;
  /** World model − action mask, in success of the last 20 updates. */
  readonly end: Difference;
  /** World model − placebo and world model − mask, all at the world model's pick, over the seeds both have. */
  readonly overPlacebo: Difference;
  readonly overMaskAlike: Difference;
  /** Placebo − mask, both at the world model's pick. */
  readonly placeboOverMask: Difference;
  /** World model − action mask, both at the mask's pick, paired over the seeds both have. */
  readonly atMask: Difference;
  readonly atMaskSeeds: number;
}

export interface MapCell {
  readonly scale: string;
  readonly gap: Difference;
  /** World model − action mask, seed by seed. */
  readonly paired: Difference;
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

/** Gap of world model and mask at a small and at an ordinary initial scale, and ordinary − small: all seed by seed. */
export interface StartContrast {
  readonly small: Difference;
  readonly ordinary: Difference;
  readonly contrast: Difference;
}

/** Means over seeds at one scale. */
export interface Explained {
  readonly arm: string;
  readonly scale: string;
  readonly area: readonly number[];
  readonly heldOut: readonly (number | null)[];
  readonly updates: readonly number[];
  /** At `updates`, in the last layer after the answer: effective rank, and share of cells that a probe reads correctly. */
  readonly rank: readonly number[];
  readonly cell: readonly number[];
  /** Share of cells that a probe reads correctly before the answer is known. */
  readonly foreseen: readonly number[];
}

export interface FairGround {
  /** Number of runs trained for it, each of one seed; runs that are the same count once. */
  readonly runs: number;
  readonly device: string;
  /** Worlds and map cells that were planned, recorded or not. */
  readonly planned: { readonly worlds: number; readonly cells: number };
  readonly contests: readonly Contest[];
  readonly map: readonly MapRow[];
  /** Number of its cells told apart by Welch's p after Holm's correction over all planned cells. */
  readonly survivors: number;
  /** The gridworld at width 64: at the settings found at 32 (`picked`), and at the preset's own. */
  readonly wide: readonly MapCell[];
  /** Runs that were asked for after the rest was known. */
  readonly explored: readonly MapCell[];
  readonly why: {
    readonly arms: readonly Explained[];
    readonly predictions: readonly Prediction[];
    readonly start: StartContrast;
  } | null;
}

export interface Prediction {
  readonly text: string;
  readonly held: boolean;
  /** The numbers it was judged by. */
  readonly numbers: Readonly<Record<string, number>>;
}
