/** Hyperparameters by name, choices by their words. */
import { ROLE } from '../../foundation/roles';
import {
  AGGREGATIONS,
  COUNTED_SEQUENCES,
  DECODING_CORRECTIONS,
  DECODING_LEVELS,
  LOG_RATIO_CLAMPS,
  POLICY_KL_FORMS,
  RATIO_BASES,
  RATIO_BOUNDS,
  RATIO_GRADIENTS,
  RATIO_LEVELS,
  RATIO_REDUCTIONS,
  SURROGATES,
} from '../../tensor/columns/policy';
import { KL_CLAMPS, KL_ESTIMATORS } from '../../tensor/columns/worldModel';
import { HYPER } from '../../tensor/layout';
import { invalid } from '../format';

/** Columns that are choices, by their lists. */
const CHOICES = {
  surrogate: SURROGATES,
  ratioLevel: RATIO_LEVELS,
  ratioReduction: RATIO_REDUCTIONS,
  ratioGradient: RATIO_GRADIENTS,
  ratioBase: RATIO_BASES,
  logRatioClamp: LOG_RATIO_CLAMPS,
  ratioBound: RATIO_BOUNDS,
  policyKlForm: POLICY_KL_FORMS,
  aggregation: AGGREGATIONS,
  countedSequences: COUNTED_SEQUENCES,
  decodingCorrection: DECODING_CORRECTIONS,
  decodingLevel: DECODING_LEVELS,
  klEstimator: KL_ESTIMATORS,
  klClamp: KL_CLAMPS,
} as const;

export type PolicySettings = {
  readonly [Column in keyof typeof HYPER]?: Column extends keyof typeof CHOICES
    ? (typeof CHOICES)[Column][number]
    : number;
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
