/** Hyperparameters by name; choices by their words. */

import { ROLE } from '../../foundation/roles';
import { CHOICES, type ChoiceOf } from '../../hyperparameters/columns';
import { HYPER } from '../../tensor/layout';
import { invalid } from '../format';

export type PolicySettings = {
  readonly [Column in keyof typeof HYPER]?: Column extends keyof typeof CHOICES ? ChoiceOf<Column> : number;
};

/** The settings as numbers of their columns, choices as their indices. */
export function columnNumbers(settings: PolicySettings): Partial<Record<keyof typeof HYPER, number>> {
  const numbers = Object.entries(settings).map(([name, value]) => {
    const list: readonly string[] = CHOICES[name as keyof typeof CHOICES] ?? [];
    if (typeof value === 'string' && !list.includes(value)) throw invalid(`“${value}” is no choice of ${name}`);
    return [name, typeof value === 'string' ? list.indexOf(value) : (value ?? 0)];
  });
  return Object.fromEntries(numbers);
}

/** The settings as a member's row of hyperparameters, policy gradient on action tokens. */
export function hyperRow(settings: PolicySettings, columns: number): Float32Array {
  const row = new Float32Array(columns);
  row[HYPER.policyGradient + ROLE.action] = 1;
  row[HYPER.temperature] = 1;
  for (const [name, value] of Object.entries(columnNumbers(settings))) row[HYPER[name as keyof typeof HYPER]] = value;
  return row;
}
