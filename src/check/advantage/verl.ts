/** Estimators of verl as a member's choices. */
import { flagOf, inputOf, settingOf, tableOf } from '../arrays';
import { type Fixture, invalid } from '../format';
import {
  baseline,
  credit,
  deviation,
  groupScale,
  NOTHING,
  offMask,
  RAW,
  type SceneOptions,
  scale,
  source,
  VERL_WHITENING,
  whitening,
} from './options';
import { type AdvantageScene, optional, type Tables, tabulated } from './scene';

export function verlScene(fixture: Fixture): AdvantageScene {
  const { function: name } = fixture.source;
  if (name === 'masked_whiten') return whitened(fixture);
  if (name === 'compute_rewards') return klInReward(fixture);
  const [B, T] = tableOf(fixture, 'token_level_rewards');
  const norm = settingOf(fixture, ['f_norm'], 1);
  const tables: Tables = {
    mask: inputOf(fixture, 'response_mask'),
    reward: inputOf(fixture, 'token_level_rewards').map((reward) => reward / norm),
    oldLogProb: optional(fixture, 'old_log_probs'),
    sumOfSquares: optional(fixture, 'sum_pi_squared'),
    value: optional(fixture, 'values'),
  };
  const { trajectories, outputs } = tabulated(T, tables, optional(fixture, 'index') ?? null);
  if (fixture.params.estimator === 'gdpo') {
    const parts = trajectories.map((one) => one.tokens.reduce((sum, { reward = 0 }) => sum + reward, 0));
    const scored = trajectories.map((one, b) => ({ ...one, parts: [parts[b]] }));
    return { trajectories: scored, outputs, rewardWeights: [1], options: verlOptions(fixture) };
  }
  const baselines = optional(fixture, 'reward_baselines') ?? new Float64Array(B);
  const known = trajectories.map((one, b) => ({ ...one, baseline: baselines[b] }));
  return { trajectories: known, outputs, options: verlOptions(fixture) };
}

function verlOptions(fixture: Fixture): SceneOptions {
  const { function: name } = fixture.source;
  const discount = settingOf(fixture, ['gamma'], 1);
  const toGo = { ...credit('reward-to-go'), ...scale('none'), discount };
  const isTail = flagOf(fixture, 'handle_zero_tail', false);
  const estimator = String(fixture.params.estimator ?? (name.startsWith('compute_gae') ? 'gae' : name));
  switch (estimator) {
    case 'gae': {
      const whiten = flagOf(fixture, 'whiten', true) ? VERL_WHITENING : {};
      const gaeLambda = settingOf(fixture, ['lam']);
      return { ...credit('gae'), ...NOTHING, ...whiten, ...offMask('carried'), discount, gaeLambda };
    }
    case 'grpo':
    case 'dr_grpo':
    case 'grpo_vectorized':
      return { ...RAW, ...groupScale(fixture) };
    case 'rloo':
      return { ...RAW, ...baseline('leave-one-out'), ...scale('none') };
    case 'rloo_vectorized':
      return { ...baseline('leave-one-out'), ...scale('none') };
    case 'opo':
      return { ...RAW, ...baseline('length-weighted-mean'), ...scale('none') };
    case 'reinforce_plus_plus_baseline':
      return { ...RAW, ...scale('none'), ...VERL_WHITENING };
    case 'gpg':
      return { ...RAW, ...scale('nonzero-share') };
    case 'grpo_passk':
      return { ...baseline('second-best'), ...groupScale(fixture) };
    case 'gdpo':
      return { ...RAW, ...source('normalised-parts'), ...deviation(fixture, 1e-6), ...VERL_WHITENING };
    case 'reinforce_plus_plus':
      return { ...toGo, ...baseline('none'), ...VERL_WHITENING };
    case 'remax':
      return { ...toGo, ...baseline('greedy'), ...offMask('carried') };
    case 'otb':
      return { ...toGo, ...RAW, ...baseline(isTail ? 'optimal-token-tail' : 'optimal-token'), ...offMask('returns') };
    case 'tir_otb': {
      const own = isTail ? 'optimal-turn-token-tail' : 'optimal-turn-token';
      return { ...toGo, ...RAW, ...baseline(own), ...offMask('returns') };
    }
  }
  throw invalid(`${fixture.name} asks for the estimator “${estimator}”, which is not known`);
}

/** masked_whiten alone: with a discount of 0 a token's return is its own reward. Values off the mask are not compared. */
function whitened(fixture: Fixture): AdvantageScene {
  const [, T] = tableOf(fixture, 'values');
  const mask = inputOf(fixture, 'mask');
  const { trajectories, outputs } = tabulated(T, { mask, reward: inputOf(fixture, 'values') }, null);
  const own = flagOf(fixture, 'shift_mean', true) ? 'tokens' : 'tokens-keep-mean';
  const places = (outputs.advantages ?? []).map((place, at) => (mask[at] === 1 ? place : null));
  const options = { ...credit('reward-to-go'), ...NOTHING, ...whitening(own, 'sample-variance', 1e-8) };
  return { trajectories, outputs: { whitened: places }, options };
}

/** Rewards minus the KL, which are the returns under a discount of 0. */
function klInReward(fixture: Fixture): AdvantageScene {
  const [, T] = tableOf(fixture, 'token_level_scores');
  const reward = inputOf(fixture, 'token_level_scores');
  const tables = {
    mask: reward.map(() => 1),
    reward,
    oldLogProb: inputOf(fixture, 'old_log_prob'),
    referenceLogProb: inputOf(fixture, 'ref_log_prob'),
  };
  const { trajectories, outputs } = tabulated(T, tables, null);
  const options = { ...credit('reward-to-go'), ...NOTHING, rewardKl: settingOf(fixture, ['kl_ratio']) };
  return { trajectories, outputs: { rewards: outputs.returns ?? [] }, options };
}
