/** verl's settings. */
import { choiceOf } from '../arrays';
import type { Fixture } from '../format';
import { GSPO, shareOf, unknownLoss, verlAggregation } from './common';
import { innerNumberOf, inputsOf, numberOf } from './inputs';
import type { PolicySettings } from './settings';

export function verl(fixture: Fixture): PolicySettings {
  const plain = numberOf(fixture, 'clip_ratio', 0.2);
  const inner = (name: string, otherwise: number): number => innerNumberOf(fixture, 'policy_loss', name, otherwise);
  const tokens = inputsOf(fixture).mask.reduce((a, b) => a + b, 0);
  const share = (name: string, otherwise: number): number =>
    shareOf(Math.max(1, Math.floor(inner(name, otherwise) * tokens)), tokens);
  const { estimator, isStraightThrough } = verlKl(fixture);
  const common: PolicySettings = {
    ...verlAggregation(fixture),
    clipLow: numberOf(fixture, 'clip_ratio_low', plain),
    clipHigh: numberOf(fixture, 'clip_ratio_high', plain),
    entropyCoefficient: numberOf(fixture, 'entropy_coeff', 0),
    klCoefficient: numberOf(fixture, 'kl_loss_coef', 0),
    klEstimator: estimator,
    klStraightThrough: isStraightThrough ? 1 : 0,
    klClamp: 'log-ratio-and-value',
    decodingCorrection: inputsOf(fixture).correction === 'behaviour' ? 'truncate' : 'none',
  };
  const cap = numberOf(fixture, 'clip_ratio_c', 3);
  switch (fixture.params.loss) {
    case 'vanilla':
      return { ...common, ratioCap: cap };
    case 'gpg':
    case 'reinforce':
      return { ...common, surrogate: 'reinforce' };
    case 'cispo':
      return { ...common, surrogate: 'cispo' };
    case 'gspo':
      return { ...common, ...GSPO, aggregation: 'seq-mean-token-mean' };
    case 'sapo': {
      const sapoPositive = numberOf(fixture, 'tau_pos', 1);
      const sapoNegative = numberOf(fixture, 'tau_neg', 1.05);
      return { ...common, surrogate: 'sapo', aggregation: 'seq-mean-token-mean', sapoPositive, sapoNegative };
    }
    case 'geo_mean':
      return {
        ...common,
        surrogate: 'gmpo',
        logRatioClamp: 'none',
        aggregation: 'seq-mean-token-mean',
        countedSequences: 'all',
        sequenceDenominator: 0,
        lossScale: 1,
        decodingLevel: 'geometric',
      };
    case 'dppo_tv':
      return { ...common, surrogate: 'dppo-tv', ratioCap: cap };
    case 'dppo_kl':
      return { ...common, surrogate: 'dppo-kl', ratioCap: cap };
    case 'dro':
      return { ...common, surrogate: 'dro', logRatioClamp: 'none', ratioPenalty: inner('dro_beta', 0.1) };
    case 'clip_cov':
      return {
        ...common,
        surrogate: 'clip-cov',
        logRatioClamp: 'none',
        covarianceShare: share('clip_cov_ratio', 2e-4),
        covarianceLow: inner('clip_cov_lb', 1),
        covarianceHigh: inner('clip_cov_ub', 5),
      };
    case 'kl_cov':
      return {
        ...common,
        surrogate: 'kl-cov',
        logRatioClamp: 'none',
        covarianceShare: share('kl_cov_ratio', 2e-3),
        ratioPenalty: inner('ppo_kl_coef', 1),
      };
    case 'value_clip':
      return { ...common, valueCoefficient: 1, valueClip: numberOf(fixture, 'cliprange_value', 0.5) };
    default:
      return unknownLoss(fixture);
  }
}

type Estimator = PolicySettings['klEstimator'] & string;

/** Estimators by their names in verl, without a trailing “+”. */
export const KL_ESTIMATORS: Readonly<Record<string, Estimator>> = {
  kl: 'k1',
  k1: 'k1',
  abs: 'abs',
  mse: 'k2',
  k2: 'k2',
  low_var_kl: 'k3',
  k3: 'k3',
};

/** KL estimate in the loss; with a trailing "+" it has the gradient of k2. */
function verlKl(fixture: Fixture): { readonly estimator: Estimator; readonly isStraightThrough: boolean } {
  const forms = Object.entries(KL_ESTIMATORS).flatMap(([name, estimator]) => [
    [name, { estimator, isStraightThrough: false }] as const,
    [`${name}+`, { estimator, isStraightThrough: true }] as const,
  ]);
  const otherwise = { estimator: 'k3', isStraightThrough: false } as const;
  return choiceOf(fixture, 'kl_loss_type', Object.fromEntries(forms), otherwise);
}
