/** TRL's settings: GRPOTrainer and RLOOTrainer. */
import { choiceOf, flagOf } from '../arrays';
import { type Fixture, invalid } from '../format';
import { itemsOf, unknownLoss } from './common';
import { inputsOf, numberOf } from './inputs';
import type { PolicySettings } from './settings';

const LEVELS = { token: 'token', sequence: 'sequence' } as const;

export function trl(fixture: Fixture): PolicySettings {
  const { loss } = fixture.params;
  const level = choiceOf<'token' | 'sequence'>(fixture, 'importance_sampling_level', LEVELS, 'token');
  const isWeighted = flagOf(fixture, 'use_bias_correction_kl', false);
  if (isWeighted && level === 'sequence') {
    throw invalid(`${fixture.name} weighs KL with a ratio of the sequence, which is not known here`);
  }
  const tokens = inputsOf(fixture).mask.reduce((a, b) => a + b, 0);
  const epsilon = numberOf(fixture, 'epsilon', 0.2);
  const high = numberOf(fixture, 'epsilon_high', epsilon);
  const scale = 1 / numberOf(fixture, 'gradient_accumulation_steps', 1);
  const common: PolicySettings = {
    clipLow: epsilon,
    ...(loss === 'cispo' ? { clipHigh: high } : capped(high, numberOf(fixture, 'delta', null))),
    logRatioClamp: 'none',
    ratioLevel: level,
    ratioGradient: 'differentiable',
    countedSequences: 'all',
    klCoefficient: numberOf(fixture, 'beta', 0),
    klClamp: 'none',
    klRatioWeighted: isWeighted ? 1 : 0,
    offPolicyLimit: numberOf(fixture, 'off_policy_mask_threshold', 0),
    entropyShare: entropyShareOf(numberOf(fixture, 'top_entropy_quantile', 1), tokens),
    decodingCorrection: inputsOf(fixture).correction === 'behaviour' ? 'truncate' : 'none',
  };
  const byItems: PolicySettings = { aggregation: 'token-mean', tokenDenominator: itemsOf(fixture) };
  switch (loss) {
    case 'grpo':
      return { ...common, aggregation: 'seq-mean-token-mean', lossScale: scale };
    case 'bnpo':
      return { ...common, aggregation: 'token-mean', lossScale: scale };
    case 'dr_grpo': {
      const lengthDenominator = numberOf(fixture, 'max_completion_length', inputsOf(fixture).T);
      return { ...common, aggregation: 'seq-mean-token-sum-norm', lengthDenominator, lossScale: scale };
    }
    case 'dapo':
      return { ...common, ...byItems };
    case 'cispo':
      return { ...common, ...byItems, surrogate: 'cispo', ratioBound: 'absolute-above' };
    case 'vespo':
      return {
        ...common,
        ...byItems,
        surrogate: 'vespo',
        ratioLevel: 'sequence',
        vespoPowerPositive: numberOf(fixture, 'vespo_k_pos', 2),
        vespoScalePositive: numberOf(fixture, 'vespo_lambda_pos', 3),
        vespoPowerNegative: numberOf(fixture, 'vespo_k_neg', 3),
        vespoScaleNegative: numberOf(fixture, 'vespo_lambda_neg', 2),
      };
    case 'sapo':
      return {
        ...common,
        surrogate: 'sapo',
        aggregation: 'seq-mean-token-mean',
        lossScale: scale,
        sapoPositive: numberOf(fixture, 'sapo_temperature_pos', 1),
        sapoNegative: numberOf(fixture, 'sapo_temperature_neg', 1.05),
      };
    case 'luspo':
      if (level !== 'sequence') throw invalid(`${fixture.name}: luspo without sequence ratios averages masked tokens`);
      return { ...common, aggregation: 'seq-mean-token-sum', lossScale: scale };
    case 'rloo_sequence':
      return { ...common, ratioLevel: 'sequence', ratioReduction: 'sum', aggregation: 'seq-mean-token-mean' };
    default:
      return unknownLoss(fixture);
  }
}

/**
 * Bounds with TRL's delta, a cap on the ratio of the unclipped branch. For A > 0 the nearer of delta and the clip's bound
 * counts. For A < 0 the clipped branch is the larger one up to 1 + high, so the cap acts only above that.
 */
function capped(high: number, delta: number | null): PolicySettings {
  if (delta === null) return { clipHigh: high };
  return { clipHigh: Math.min(high, delta - 1), ratioCap: Math.max(delta, 1 + high) };
}

/** Settings for metrics where delta is nearer than the clip, because TRL's metrics count the clip; null elsewhere. */
export function trlMetricSettings(fixture: Fixture): PolicySettings | null {
  const high = numberOf(fixture, 'epsilon_high', numberOf(fixture, 'epsilon', 0.2));
  const delta = numberOf(fixture, 'delta', null);
  return delta === null || delta >= 1 + high ? null : { ...trl(fixture), clipHigh: high };
}

/** Share of tokens that selects exactly those above TRL's quantile. */
function entropyShareOf(share: number, tokens: number): number {
  const rank = Math.ceil((1 - share) * (tokens - 1));
  return rank <= 0 ? 0 : 1 - (rank - 0.5) / (tokens - 1);
}
