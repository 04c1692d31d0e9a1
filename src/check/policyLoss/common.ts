/** Settings that several projects share. */

import { CHOICES, type ChoiceOf } from '../../hyperparameters/columns';
import { choiceOf } from '../arrays';
import { type Fixture, invalid } from '../format';
import { innerNumberOf, inputsOf, numberOf } from './inputs';
import type { PolicySettings } from './settings';

export const unknownLoss = (fixture: Fixture): never => {
  throw invalid(`${fixture.name} asks for the loss “${String(fixture.params.loss)}”, which is not known here`);
};

/** Count over the batch of all processes; 0 where it is not known. */
export const batchInfoOf = (fixture: Fixture, name: string): number =>
  innerNumberOf(fixture, 'global_batch_info', name, numberOf(fixture, name, 0));

/** TRL's count of tokens in all batches of an update, at least 1; 0 where none is given, which means the batch's own. */
export function itemsOf(fixture: Fixture): number {
  const items = numberOf(fixture, 'num_items_in_batch', null);
  return items === null ? 0 : Math.max(items, 1);
}

const AGGREGATION = Object.fromEntries(CHOICES.aggregation.map((mode) => [mode, mode])) as {
  readonly [Mode in ChoiceOf<'aggregation'>]: Mode;
};

/** verl's aggregation, also used by rLLM. */
export function verlAggregation(fixture: Fixture): PolicySettings {
  const info = (name: string): number => batchInfoOf(fixture, name);
  return {
    aggregation: choiceOf<ChoiceOf<'aggregation'>>(fixture, 'loss_agg_mode', AGGREGATION, 'token-mean'),
    tokenDenominator: info('batch_num_tokens'),
    sequenceDenominator: info('global_batch_size'),
    lengthDenominator: info('loss_scale_factor') || inputsOf(fixture).T,
    lossScale: info('dp_size') || 1,
  };
}

/** GSPO's ratio as in verl and rLLM. */
export const GSPO: PolicySettings = {
  ratioLevel: 'sequence',
  ratioGradient: 'straight-through',
  logRatioClamp: 'below-10',
};

/** Share that selects exactly `many` of n, also after rounding to float32. */
export const shareOf = (many: number, n: number): number => (many + 0.5) / Math.max(n, 1);
