/** What several projects share. */
import { type Fixture, invalid } from '../format';
import { innerNumberOf, inputsOf } from './inputs';
import type { PolicySettings } from './settings';

export const unknownLoss = (fixture: Fixture): never => {
  throw invalid(`${fixture.name} asks for the loss “${String(fixture.params.loss)}”, which is not known here`);
};

/** verl's aggregation, also used by rLLM. */
export function verlAggregation(fixture: Fixture, mode: unknown): PolicySettings {
  const info = (name: string): number => innerNumberOf(fixture, 'global_batch_info', name, 0);
  return {
    aggregation: mode as PolicySettings['aggregation'] & string,
    tokenDenominator: info('batch_num_tokens'),
    sequenceDenominator: info('global_batch_size'),
    lengthDenominator: info('loss_scale_factor') || inputsOf(fixture).T,
    lossScale: info('dp_size') || 1,
  };
}

/** GSPO's ratio as verl and rLLM have it. */
export const GSPO: PolicySettings = {
  ratioLevel: 'sequence',
  ratioGradient: 'straight-through',
  logRatioClamp: 'below-10',
};

/** A share that selects exactly so many of n, whatever float32 makes of it. */
export const shareOf = (many: number, n: number): number => (many + 0.5) / Math.max(n, 1);
