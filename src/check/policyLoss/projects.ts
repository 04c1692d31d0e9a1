/**
 * Other projects' settings as this lab's hyperparameters (src/hyperparameters), one function a project. Settings that a case
 * leaves out have the project's own defaults.
 */
import { choiceOf, flagOf } from '../arrays';
import { type Fixture, invalid } from '../format';
import { GSPO, unknownLoss, verlAggregation } from './common';
import { numberOf } from './inputs';
import type { PolicySettings } from './settings';
import { trl, trlMetricSettings } from './trl';
import { verl } from './verl';

export function settingsOf(fixture: Fixture): PolicySettings {
  const project = fixture.source.repo.split('/')[1]?.toLowerCase() ?? '';
  const translate = PROJECTS[project];
  if (!translate) throw invalid(`What ${fixture.source.repo} computes is not known (${fixture.name})`);
  return translate(fixture);
}

const PROJECTS: Readonly<Record<string, (fixture: Fixture) => PolicySettings>> = {
  verl: verl,
  openrlhf: openRlhf,
  trl: trl,
  rllm: rllm,
  'prime-rl': primeRl,
  skyrl: skyRl,
};

const CORRECTIONS: Readonly<Record<string, PolicySettings['decodingCorrection'] & string>> = {
  tis: 'truncate',
  icepop: 'mask',
  'seq-mask-tis': 'sequence-mask',
};

/** A setting that is a list of two numbers. */
function boundsOf(fixture: Fixture, name: string): readonly [low: number, high: number] {
  const given = fixture.params[name];
  const [low, high, ...more] = Array.isArray(given) ? given : [];
  if (typeof low !== 'number' || typeof high !== 'number' || more.length > 0) {
    throw invalid(`${fixture.name} has the ${name} ${JSON.stringify(given)}, not two numbers`);
  }
  return [low, high];
}

function openRlhf(fixture: Fixture): PolicySettings {
  const decodingCorrection = choiceOf(fixture, 'vllm_is_correction_type', CORRECTIONS, 'none');
  const [low, high] = decodingCorrection === 'none' ? [0, 0] : boundsOf(fixture, 'vllm_is_truncated_threshold');
  const isGspo = fixture.params.loss === 'gspo';
  if (!isGspo && fixture.params.loss !== 'ppo') return unknownLoss(fixture);
  const byTokens = flagOf(fixture, 'token_level_loss', true);
  return {
    clipLow: numberOf(fixture, 'clip_eps_low', 0.2),
    clipHigh: numberOf(fixture, 'clip_eps_high', 0.2),
    ratioCap: numberOf(fixture, 'dual_clip', 0),
    aggregation: !byTokens || isGspo ? 'seq-mean-token-mean' : 'token-mean',
    decodingCorrection,
    decodingLow: low,
    decodingHigh: high,
    ...(isGspo ? { ratioLevel: 'sequence', ratioGradient: 'differentiable', logRatioClamp: 'none' } : {}),
  };
}

function rllm(fixture: Fixture): PolicySettings {
  const width = numberOf(fixture, 'eps_clip', 0.2);
  const delta = numberOf(fixture, 'delta', width);
  // Earlier versions of rLLM cap dppo's ratio.
  const cap = numberOf(fixture, 'clip_ratio_c', 0);
  const common: PolicySettings = {
    ...verlAggregation(fixture),
    clipLow: width,
    clipHigh: numberOf(fixture, 'eps_clip_high', width),
  };
  switch (fixture.params.loss) {
    case 'ppo_clip':
      return common;
    case 'reinforce':
      return { ...common, surrogate: 'reinforce' };
    case 'cispo':
      return { ...common, surrogate: 'cispo' };
    case 'gspo':
      return { ...common, ...GSPO, aggregation: 'seq-mean-token-mean' };
    case 'dppo_tv': {
      const clipLow = numberOf(fixture, 'delta_low', delta);
      return {
        ...common,
        surrogate: 'dppo-tv',
        ratioCap: cap,
        clipLow,
        clipHigh: numberOf(fixture, 'delta_high', delta),
      };
    }
    case 'dppo_kl':
      return { ...common, surrogate: 'dppo-kl', ratioCap: cap, clipLow: delta, clipHigh: delta };
    case 'icepop':
      return {
        ...common,
        surrogate: 'icepop',
        ratioBase: 'behaviour',
        logRatioClamp: 'none',
        clipLow: 1 - numberOf(fixture, 'icepop_alpha', 0.5),
        clipHigh: numberOf(fixture, 'icepop_beta', 5) - 1,
      };
    case 'reinforce_kl':
      return {
        ...common,
        surrogate: 'reinforce-kl',
        ratioBase: 'behaviour',
        clipLow: 1 - numberOf(fixture, 'ratio_clamp_min', 0),
        clipHigh: numberOf(fixture, 'ratio_clamp_max', 1e30) - 1,
        backwardKl: numberOf(fixture, 'bwd_kl_coef', 0),
        forwardKl: numberOf(fixture, 'fwd_kl_coef', 0),
        policyKlForm: flagOf(fixture, 'kl_approx', false) ? 'estimator' : 'exact-gradient',
      };
    default:
      return unknownLoss(fixture);
  }
}

function primeRl(fixture: Fixture): PolicySettings {
  const common: PolicySettings = { logRatioClamp: 'none', ratioPenalty: numberOf(fixture, 'kl_tau', 1e-3) };
  if (fixture.params.loss === 'prime_ipo') {
    return { ...common, surrogate: 'ipo', clipHigh: numberOf(fixture, 'ipo_threshold', 0.1) };
  }
  if (fixture.params.loss !== 'prime_default') return unknownLoss(fixture);
  const clipLow = numberOf(fixture, 'dppo_mask_low', 0.2);
  return { ...common, surrogate: 'prime', clipLow, clipHigh: numberOf(fixture, 'dppo_mask_high', 0.2) };
}

const REDUCTIONS: Readonly<Record<string, PolicySettings['aggregation'] & string>> = {
  token_mean: 'token-mean',
  sequence_mean: 'seq-mean-token-mean',
  seq_mean_token_sum_norm: 'seq-mean-token-sum-norm',
};

function skyRl(fixture: Fixture): PolicySettings {
  if (fixture.params.loss !== 'skyrl_ppo') return unknownLoss(fixture);
  const isDual = choiceOf(fixture, 'policy_loss_type', { regular: false, dual_clip: true }, false);
  return {
    clipLow: numberOf(fixture, 'eps_clip_low', 0.2),
    clipHigh: numberOf(fixture, 'eps_clip_high', 0.2),
    ratioCap: isDual ? numberOf(fixture, 'clip_ratio_c', 3) : 0,
    aggregation: choiceOf(fixture, 'loss_reduction', REDUCTIONS, 'token-mean'),
    countedSequences: 'all',
    lengthDenominator: numberOf(fixture, 'max_seq_len', 0),
  };
}

const isOf = (fixture: Fixture, project: string): boolean => fixture.source.repo.toLowerCase().endsWith(`/${project}`);

/**
 * Settings of a second pass for metrics with bounds of their own, null without such: TRL's clip, and OpenRLHF's `ppo_kl`.
 * The latter is the mean of −x over log-ratios x that are not clamped; its loss clamps them to ±20.
 */
export function metricSettingsOf(fixture: Fixture): PolicySettings | null {
  if (isOf(fixture, 'trl')) return trlMetricSettings(fixture);
  return isOf(fixture, 'openrlhf') ? { ...openRlhf(fixture), logRatioClamp: 'none' } : null;
}

/**
 * Settings of a second pass for the entropy bonus, where it is averaged in another way than the loss; null elsewhere. TRL's
 * is always a mean over tokens.
 */
export function entropySettingsOf(fixture: Fixture): PolicySettings | null {
  const isTrl = isOf(fixture, 'trl');
  const entropyCoefficient = numberOf(fixture, 'entropy_coef', 0);
  if (!isTrl || entropyCoefficient === 0) return null;
  const lossScale = 1 / numberOf(fixture, 'gradient_accumulation_steps', 1);
  return { aggregation: 'token-mean', lossScale, entropyCoefficient };
}
