/** Parts that the terms of a loss share: roles with a weight, and their names. */

import { readerOf } from '../../../experiment/arm/armReader';
import type { Arm } from '../../../experiment/experiment';
import type { ChoiceSetting } from '../../../experiment/settings/setting';
import { type Notation, operator, row, symbol, words } from '../../../foundation/notation';
import { ROLES, type Role } from '../../../foundation/roles';
import { formatSetting, joinNames } from '../../kit/format';
import type { TokenLearning } from '../tokens/Chip';

export interface Term {
  readonly id:
    | 'policy'
    | 'world-model'
    | 'kl'
    | 'entropy'
    | 'value'
    | 'replay'
    | 'successes'
    | 'inverse'
    | 'distillation'
    | `own-${string}`;
  /** Words for the term, and the mark its tokens have elsewhere; veiled for a term that is no loss of a role. */
  readonly caption: string;
  readonly learning: TokenLearning | null;
  /** The term with its sign. */
  readonly formula: Notation;
}

export const PLURAL: Readonly<Record<Role, string>> = {
  prompt: 'prompts',
  action: 'actions',
  observation: 'observations',
  warning: 'warnings',
  thought: 'thoughts',
};
export const sum = operator('∑', 'the sum');
export const mean = words('mean');
export const logP = row(symbol('log', 'log'), symbol('p', 'p'));

/** Roles with a weight, and the weight if it is one number. */
export function weighted(table: Readonly<Record<Role, number>>) {
  const roles = ROLES.filter((role) => table[role] > 0);
  const weights = [...new Set(roles.map((role) => table[role]))];
  const [only] = weights;
  const named = joinNames(roles.map((role) => PLURAL[role]));
  const each = joinNames(roles.map((role) => `${formatSetting(table[role])} on ${PLURAL[role]}`));
  return { roles, only: weights.length === 1 ? only : undefined, named, each };
}

/** A factor of 1 is not written. */
export const factor = (value: Notation | number): (Notation | number)[] => (value === 1 ? [] : [value]);

/** Notation that a choice's declaration writes for an arm; null if none. */
export function formulaOf(setting: ChoiceSetting, arm: Arm, over = ''): Notation | null {
  const read = readerOf(arm);
  return setting.formulas?.[read(setting)]?.(read, over) ?? null;
}

/** Remark of a setting's choice; null if it has none. */
export const remarkOf = (setting: ChoiceSetting, arm: Arm): string | null =>
  setting.remarks?.[readerOf(arm)(setting)] ?? null;
