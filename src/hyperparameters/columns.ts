/**
 * The hyperparameter table, f32 [P, HYPER_COLUMNS]: one row a member, written before an update. A choice is stored as its
 * place in its list, a flag as 0 or 1. Which column is which follows from the declarations in this folder, and so do the
 * kernels' constants (tensor/webgpu/layout.ts, scripts/wasm.mjs). Column numbers may change: nothing stores them.
 */
import { ROLE, ROLES } from '../foundation/roles';
import { ADVANTAGE } from './advantage';
import { CRITIC } from './critic';
import { OPTIMISER } from './optimiser';
import { POLICY_OBJECTIVE } from './policyObjective';
import { REGULARISATION } from './regularisation';
import { REWARD_PART_IDS } from './rewards';
import type { Setting, ValueOf } from './setting';
import { WORLD_MODEL } from './worldModel';

/** Columns that several settings fill, and how many each has. */
const BLOCKS = {
  /** Policy-gradient weight of each role: column policyGradient + ROLE[role]. */
  policyGradient: ROLES.length,
  /** Cross-entropy weight of each role: column crossEntropy + ROLE[role]. */
  crossEntropy: ROLES.length,
  /** Weight of each part of the reward: column rewardWeight + its place in REWARD_PART_IDS. */
  rewardWeight: REWARD_PART_IDS.length,
} as const;

/** Columns that no arm sets, so that they are 0 in every run; cases of other projects do. A list is that of a choice. */
const UNSET = {
  /** N where the batch is a part of a larger one; 0: own count (verl's `batch_num_tokens`, TRL's `num_items_in_batch`). */
  tokenDenominator: null,
  /** S likewise (verl's `global_batch_size`). */
  sequenceDenominator: null,
  /**
   * Targets that are no action tokens. Training needs nothing there; other projects' functions do return numbers.
   *   zero     advantage and return are 0
   *   returns  the return is the running one, carried over them (OTB in verl)
   *   carried  so is the advantage (GAE and ReMax in verl, OpenRLHF)
   */
  offMask: ['zero', 'returns', 'carried'],
} as const;

const SETTINGS = {
  ...OPTIMISER,
  ...ADVANTAGE,
  ...POLICY_OBJECTIVE,
  ...CRITIC,
  ...REGULARISATION,
  ...WORLD_MODEL,
} as const;

type Settings = typeof SETTINGS;
type SettingName = { [K in keyof Settings]: Settings[K] extends { readonly host: true } ? never : K }[keyof Settings];
type Lists = Pick<typeof UNSET, 'offMask'> & {
  readonly [K in SettingName as Settings[K] extends { readonly type: 'choice' } ? K : never]: Settings[K] extends {
    readonly choices: infer List;
  }
    ? List
    : never;
};

/** A hyperparameter with a column of its own. */
export type Hyperparameter = SettingName | keyof typeof UNSET;

/** A choice of a hyperparameter, by its id. */
export type ChoiceOf<K extends keyof Lists> = Lists[K][number];

const singles: readonly (readonly [string, Setting | readonly string[] | null])[] = [
  ...Object.entries(SETTINGS).filter(([, setting]) => !('host' in setting)),
  ...Object.entries(UNSET),
];

const listOf = (setting: Setting | readonly string[] | null): readonly string[] | null => {
  if (setting === null || 'length' in setting) return setting;
  return setting.type === 'choice' ? setting.choices : null;
};

/** The choices of each hyperparameter that is one, in the order of their numbers. */
export const CHOICES = Object.fromEntries(
  singles.flatMap(([name, setting]) => {
    const list = listOf(setting);
    return list === null ? [] : [[name, list]];
  }),
) as unknown as Lists;

/** The columns, blocks first. */
export const HYPER = numbered([...Object.entries(BLOCKS), ...singles.map(([name]) => [name, 1] as const)]) as Readonly<
  Record<Hyperparameter | keyof typeof BLOCKS, number>
>;

/** A multiple of 32, so that it seldom changes: it decides how many members fit into 64 KiB (tensor/webgpu/storage.ts). */
export const HYPER_COLUMNS = 32 * Math.ceil((REWARD_PART_IDS.length + 2 * ROLES.length + singles.length) / 32);

function numbered(widths: readonly (readonly [name: string, width: number])[]): Record<string, number> {
  const columns: Record<string, number> = {};
  let next = 0;
  for (const [name, width] of widths) {
    columns[name] = next;
    next += width;
  }
  return columns;
}

/** The column that each setting of an arm fills, by the setting's path; a setting without one is the trainer's to act on. */
export const COLUMN_OF: ReadonlyMap<string, number> = new Map([
  ...singles.map(([name]) => [name, HYPER[name as Hyperparameter]] as const),
  ...ROLES.map((role) => [`pg.${role}`, HYPER.policyGradient + ROLE[role]] as const),
  ...ROLES.map((role) => [`ce.${role}`, HYPER.crossEntropy + ROLE[role]] as const),
  ...REWARD_PART_IDS.map((part, k) => [`reward.${part}`, HYPER.rewardWeight + k] as const),
]);

/** Values of a member's hyperparameters: numbers, flags, and choices by their ids. */
export type Values<Name extends Hyperparameter> = {
  readonly [K in Name]: K extends keyof Lists ? ChoiceOf<K> : K extends SettingName ? ValueOf<Settings[K]> : number;
};

/** The names in a table of settings that have a column. */
export function namesOf<const Table extends object>(table: Table) {
  return Object.keys(table).filter((name) => name in HYPER) as Extract<keyof Table, Hyperparameter>[];
}

/** A reader of some hyperparameters of a member's row. A number that is no choice's place counts as the first's. */
export function readerOf<const Name extends Hyperparameter>(
  names: readonly Name[],
): (row: ArrayLike<number>) => Values<Name> {
  const columns = names.map((name) => {
    const list: readonly string[] | undefined = CHOICES[name as keyof Lists];
    const isFlag = name in SETTINGS && SETTINGS[name as SettingName].type === 'boolean';
    return { name, column: HYPER[name], list, isFlag };
  });
  return (row) => {
    const values: Record<string, number | boolean | string | undefined> = {};
    for (const { name, column, list, isFlag } of columns) {
      const number = row[column];
      values[name] = list === undefined ? (isFlag ? number !== 0 : number) : (list[number] ?? list[0]);
    }
    return values as Values<Name>;
  };
}
