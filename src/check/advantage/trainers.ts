/** Estimators of TRL, OpenRLHF, rLLM and prime-rl as a member's choices. */
import type { ChoiceOf } from '../../hyperparameters/columns';
import { choiceOf, flagOf, inputOf, settingOf, tableOf } from '../arrays';
import type { Fixture } from '../format';
import {
  baseline,
  credit,
  deviation,
  EVERY_TOKEN,
  groupScale,
  NOTHING,
  OPENRLHF_WHITENING,
  offMask,
  RAW,
  type SceneOptions,
  scale,
  source,
  whitening,
} from './options';
import {
  type AdvantageScene,
  optional,
  type ScenePlace,
  type SceneToken,
  type SceneTrajectory,
  single,
  tabulated,
} from './scene';

/** TRL's scales. Earlier versions have true (by group) and false (none). */
const TRL_SCALES = {
  group: 'group-deviation',
  batch: 'batch-deviation',
  none: 'none',
  true: 'group-deviation',
  false: 'none',
} as const;

export function trlScene(fixture: Fixture): AdvantageScene {
  const size = settingOf(fixture, ['num_generations']);
  const epsilon = settingOf(fixture, ['epsilon'], 1e-4);
  if ('rewards' in fixture.inputs) {
    const rewards = inputOf(fixture, 'rewards');
    const scene = single(
      Array.from(rewards, (_, b) => ({ group: Math.floor(b / size) })),
      rewards,
    );
    const whiten = flagOf(fixture, 'normalize_advantages', false) ? whitening('trajectories', 'sample', epsilon) : {};
    return { ...scene, options: { ...baseline('leave-one-out'), ...scale('none'), ...whiten } };
  }
  const [B, F] = tableOf(fixture, 'rewards_per_func');
  const perFunction = inputOf(fixture, 'rewards_per_func');
  const rows = Array.from({ length: B }, (_, b) => {
    return { group: Math.floor(b / size), parts: Array.from(perFunction.subarray(b * F, (b + 1) * F)) };
  });
  const scene = { ...single(rows, null), rewardWeights: Array.from(inputOf(fixture, 'reward_weights')) };
  const own = deviation(fixture, 1e-4);
  const isNormalised = { normalize_then_sum: true, sum_then_normalize: false };
  if (choiceOf(fixture, 'multi_objective_aggregation', isNormalised, false)) {
    return {
      ...scene,
      options: { ...source('normalised-parts'), ...own, ...whitening('trajectories', 'sample', epsilon) },
    };
  }
  const chosen = scale(choiceOf<ChoiceOf<'advantageScale'>>(fixture, 'scale_rewards', TRL_SCALES, 'group-deviation'));
  return { ...scene, options: { ...source('parts'), ...own, ...chosen } };
}

export function openRlhfScene(fixture: Fixture): AdvantageScene {
  const mask = inputOf(fixture, 'action_mask');
  const [B, T] = tableOf(fixture, 'action_mask');
  const discount = settingOf(fixture, ['gamma'], 1);
  const gaeLambda = settingOf(fixture, ['lam'], 1);
  const common = { ...EVERY_TOKEN, ...offMask('carried'), discount, gaeLambda };
  const value = optional(fixture, 'values');
  if (!('kl' in fixture.inputs)) {
    const whiten = flagOf(fixture, 'whiten', false) ? OPENRLHF_WHITENING : {};
    const scene = tabulated(T, { mask, reward: inputOf(fixture, 'rewards'), value }, null);
    return { ...scene, options: { ...common, ...credit('gae'), ...NOTHING, ...whiten } };
  }
  // A trajectory's one reward stands at its last action token. The KL is given: it is the old log-prob over a reference of 0.
  const [given, size] = [inputOf(fixture, 'rewards'), settingOf(fixture, ['n_samples_per_prompt'], 1)];
  const reward = new Float64Array(B * T);
  for (let b = 0; b < B; b++) {
    const last = mask.subarray(b * T, (b + 1) * T).lastIndexOf(1);
    if (last >= 0) reward[b * T + last] = given[b];
  }
  const groups = Array.from({ length: B }, (_, b) => Math.floor(b / size));
  const scene = tabulated(T, { mask, reward, value, oldLogProb: inputOf(fixture, 'kl') }, groups);
  const estimators: Readonly<Record<string, SceneOptions>> = {
    rloo: { ...credit('reward-to-go'), ...baseline('leave-one-out'), ...scale('none') },
    reinforce_baseline: { ...credit('reward-to-go'), ...scale('none'), ...OPENRLHF_WHITENING },
    dr_grpo: { ...credit('reward-to-go'), ...scale('none') },
    group_norm: { ...credit('reward-to-go'), ...deviation(fixture, 1e-9) },
    reinforce: { ...credit('reward-to-go'), ...NOTHING, ...OPENRLHF_WHITENING },
    gae: { ...credit('gae'), ...NOTHING, ...OPENRLHF_WHITENING },
  };
  const own = choiceOf(fixture, 'estimator', estimators);
  return { ...scene, options: { ...common, ...own, rewardKl: settingOf(fixture, ['kl_coef'], 0) } };
}

export function rllmScene(fixture: Fixture): AdvantageScene {
  const groups = Array.from(inputOf(fixture, 'group_sizes')).flatMap((size, group) =>
    Array.from({ length: size }, () => ({ group })),
  );
  const scene = single(groups, inputOf(fixture, 'rewards'));
  const estimators: Readonly<Record<string, () => SceneOptions>> = {
    grpo: () => ({ ...RAW, ...groupScale(fixture, 0) }),
    dr_grpo: () => ({ ...RAW, ...groupScale(fixture, 0) }),
    rloo: () => ({ ...RAW, ...baseline('leave-one-out'), ...scale('none') }),
    reinforce_plus_plus_baseline: () => ({
      ...scale('none'),
      ...whitening('trajectory-scale', 'population', settingOf(fixture, ['epsilon'], 1e-6)),
    }),
    prpo: () => ({ ...baseline('batch-mean'), ...scale('batch-deviation'), ...deviation(fixture, 1e-6, 0) }),
  };
  const own = choiceOf(fixture, 'estimator', estimators);
  return { ...scene, options: own() };
}

/** One group. Its trajectories have as many tokens as the given lengths, so that penalties by length apply. */
export function primeRlScene(fixture: Fixture): AdvantageScene {
  const rewards = inputOf(fixture, 'rewards');
  const [actions, total] = [optional(fixture, 'num_output_tokens'), optional(fixture, 'num_total_tokens')];
  const turns = optional(fixture, 'num_turns');
  const trajectories = Array.from(rewards, (reward, b): SceneTrajectory => {
    const length = actions?.[b] ?? 1;
    // Position 0, which is no target, counts as input.
    const prompt = Math.max(0, (total?.[b] ?? 2) - length - 1);
    const tokens = Array.from({ length: prompt + length }, (_, t): SceneToken => {
      return { role: t < prompt ? 'prompt' : 'action', reward: t + 1 === prompt + length ? reward : 0 };
    });
    return { group: 0, tokens, turns: turns?.[b] ?? 1 };
  });
  const places = trajectories.map(({ tokens }, trajectory): ScenePlace => {
    return { of: 'advantage', trajectory, token: tokens.length - 1 };
  });
  const penalty = (fixture.params.length_penalty ?? {}) as Readonly<Record<string, number>>;
  const isMaxRl = choiceOf(fixture, 'estimator', { max_rl: true, grpo_centered: false });
  return {
    trajectories,
    outputs: { advantages: places },
    options: {
      ...scale(isMaxRl ? 'group-mean' : 'none'),
      advantageEpsilon: 0,
      lengthPenaltyAction: penalty.num_output_tokens_weight ?? 0,
      lengthPenaltyInput: penalty.num_input_tokens_weight ?? 0,
      lengthPenaltyTurns: penalty.num_turns_weight ?? 0,
    },
  };
}
