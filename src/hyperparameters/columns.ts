/**
 * The hyperparameter table, f32 [P, HYPER_COLUMNS]: one row a member, written before an update. A choice is stored as its
 * place in its list, a flag as 0 or 1. The declarations in this folder decide the columns, and the kernels' constants
 * follow (tensor/webgpu/constants.ts, scripts/wasm.mjs). Column numbers may change: nothing stores them.
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
  /** klCoefficient and entropyCoefficient on thoughts: the arm's, times its factors there. */
  klThought: 1,
  entropyThought: 1,
} as const;

/** Columns that no arm sets: 0 in every run; cases of other projects set them. A list holds the ids of a choice. */
const UNSET = {
  /** N where the batch is a part of a larger one; 0: own count (verl's `batch_num_tokens`, TRL's `num_items_in_batch`). */
  tokenDenominator: null,
  /** S where the batch is a part of a larger one; 0: own count (verl's `global_batch_size`). */
  sequenceDenominator: null,
  /**
   * Numbers at targets that are no action tokens: training reads none, other projects' functions return some.
   *   zero     advantage and return are 0
   *   returns  the return is the running one, carried over them (OTB in verl)
   *   carried  the advantage is the running one too (GAE and ReMax in verl, OpenRLHF)
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

/** Ids of each hyperparameter that is a choice, in the order of their numbers. */
export const CHOICES = Object.fromEntries(
  singles.flatMap(([name, setting]) => {
    const list = listOf(setting);
    return list === null ? [] : [[name, list]];
  }),
) as unknown as Lists;

/** First column of each block and hyperparameter, blocks first. */
export const HYPER = numbered([...Object.entries(BLOCKS), ...singles.map(([name]) => [name, 1] as const)]) as Readonly<
  Record<Hyperparameter | keyof typeof BLOCKS, number>
>;

/** Columns of a row, a multiple of 32, so that it seldom changes: it decides how many members fit into 64 KiB. */
export const HYPER_COLUMNS =
  32 * Math.ceil((Object.values(BLOCKS).reduce((sum, width) => sum + width, 0) + singles.length) / 32);

function numbered(widths: readonly (readonly [name: string, width: number])[]): Record<string, number> {
  const columns: Record<string, number> = {};
  let next = 0;
  for (const [name, width] of widths) {
    columns[name] = next;
    next += width;
  }
  return columns;
}

/** Column that each setting of an arm fills, by the setting's path; the trainer acts on settings without one. */
export const COLUMN_OF: ReadonlyMap<string, number> = new Map([
  ...singles.map(([name]) => [name, HYPER[name as Hyperparameter]] as const),
  ...ROLES.map((role) => [`pg.${role}`, HYPER.policyGradient + ROLE[role]] as const),
  ...ROLES.map((role) => [`ce.${role}`, HYPER.crossEntropy + ROLE[role]] as const),
  ...REWARD_PART_IDS.map((part, k) => [`reward.${part}`, HYPER.rewardWeight + k] as const),
]);

/** Values of a member's hyperparameters: numbers, flags, and choices by their ids. */
export type HyperValues<Name extends Hyperparameter> = {
  readonly [K in Name]: K extends keyof Lists ? ChoiceOf<K> : K extends SettingName ? ValueOf<Settings[K]> : number;
};

/** Names of the settings in a table that have a column. */
export function namesOf<const Table extends object>(table: Table) {
  return Object.keys(table).filter((name) => name in HYPER) as Extract<keyof Table, Hyperparameter>[];
}

/** Reader of some hyperparameters of a member's row. A number that is no choice's place counts as the first choice. */
export function readerOf<const Name extends Hyperparameter>(
  names: readonly Name[],
): (row: ArrayLike<number>) => HyperValues<Name> {
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
    return values as HyperValues<Name>;
  };
}
