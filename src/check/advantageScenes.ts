/** What a fixture of the family "advantage" means in this lab: trajectories, and the member's choices. */
import type { Role } from '../foundation/roles';
import {
  BASELINES,
  CLOCKS,
  CREDITS,
  DEVIATIONS,
  OFF_MASKS,
  REWARD_SOURCES,
  SCALES,
  SINGLETONS,
  WHITENINGS,
} from '../tensor/columns/advantage';
import type { HYPER } from '../tensor/layout';
import { inputOf, settingOf, shapeOf } from './arrays';
import { type Fixture, invalid } from './format';

export interface SceneToken {
  readonly role: Role;
  readonly reward?: number;
  readonly oldLogProb?: number;
  readonly referenceLogProb?: number;
  readonly value?: number;
  readonly sumOfSquares?: number;
}

export interface SceneTrajectory {
  readonly group: number;
  readonly tokens: readonly SceneToken[];
  readonly parts?: readonly number[];
  readonly baseline?: number;
  readonly turns?: number;
  /** The state each turn began in. */
  readonly anchors?: readonly number[];
}

/** Where an expected number is found: 'zero' for what lies outside every trajectory, null for what is not compared. */
export type Place =
  | { readonly of: 'advantage' | 'returns'; readonly trajectory: number; readonly token: number }
  | 'zero'
  | null;

export interface Scene {
  readonly trajectories: readonly SceneTrajectory[];
  readonly options: Partial<Record<keyof typeof HYPER, number>>;
  readonly rewardWeights?: readonly number[];
  readonly outputs: Readonly<Record<string, readonly Place[]>>;
}

type Options = Scene['options'];

const credit = (name: (typeof CREDITS)[number]): Options => ({ advantageCredit: CREDITS.indexOf(name) });
const baseline = (name: (typeof BASELINES)[number]): Options => ({ advantageBaseline: BASELINES.indexOf(name) });
const scale = (name: (typeof SCALES)[number]): Options => ({ advantageScale: SCALES.indexOf(name) });
const source = (name: (typeof REWARD_SOURCES)[number]): Options => ({ rewardSource: REWARD_SOURCES.indexOf(name) });
const offMask = (name: (typeof OFF_MASKS)[number]): Options => ({ offMask: OFF_MASKS.indexOf(name) });
const whitening = (
  name: (typeof WHITENINGS)[number],
  deviation: (typeof DEVIATIONS)[number],
  whiteningEpsilon: number,
): Options => ({
  whitening: WHITENINGS.indexOf(name),
  whiteningDeviation: DEVIATIONS.indexOf(deviation),
  whiteningEpsilon,
});

const RAW: Options = { singletonGroup: SINGLETONS.indexOf('raw') };
const NOTHING: Options = { ...baseline('none'), ...scale('none') };
const EVERY_TOKEN: Options = { creditClock: CLOCKS.indexOf('every-token') };
const VERL_WHITENING = whitening('tokens', 'sample-variance', 1e-8);
const OPENRLHF_WHITENING = whitening('tokens', 'population-floor', 1e-8);

/** The deviation a case names by its degrees of freedom, and its ε. */
function deviation(fixture: Fixture, epsilon?: number): Options {
  return {
    advantageDeviation: DEVIATIONS.indexOf(settingOf(fixture, ['ddof'], 1) === 0 ? 'population' : 'sample'),
    advantageEpsilon: settingOf(fixture, ['epsilon'], epsilon),
  };
}

const groupScale = (fixture: Fixture): Options =>
  fixture.params.norm_adv_by_std === false
    ? scale('none')
    : { ...scale('group-deviation'), ...deviation(fixture, 1e-6) };

export function sceneOf(fixture: Fixture): Scene {
  const { repo, function: name } = fixture.source;
  if (name.startsWith('compute_step_discounted_returns')) return stepReturns(fixture);
  if (name.startsWith('compute_gigpo')) return gigpo(fixture);
  if (repo.endsWith('/trl')) return trl(fixture);
  if (repo.endsWith('/OpenRLHF')) return openRlhf(fixture);
  if (repo.endsWith('/rllm')) return rllm(fixture);
  if (repo.endsWith('/prime-rl')) return primeRl(fixture);
  return verl(fixture);
}

/** What fixtures given as [B,T] tables hold of each token, by name. */
interface Tables {
  readonly mask: Float64Array;
  readonly reward: Float64Array;
  readonly oldLogProb?: Float64Array | undefined;
  readonly referenceLogProb?: Float64Array | undefined;
  readonly value?: Float64Array | undefined;
  readonly sumOfSquares?: Float64Array | undefined;
}

/** Trajectories of T tokens: action where the mask is 1, observation elsewhere, whether inside or after. */
function tabulated(
  T: number,
  tables: Tables,
  groups: ArrayLike<number> | null,
): { readonly trajectories: SceneTrajectory[]; readonly outputs: Scene['outputs'] } {
  const B = tables.mask.length / T;
  const trajectories = Array.from({ length: B }, (_, b): SceneTrajectory => {
    const tokens = Array.from({ length: T }, (_, t): SceneToken => {
      const at = b * T + t;
      return {
        role: tables.mask[at] === 1 ? 'action' : 'observation',
        reward: tables.reward[at] as number,
        oldLogProb: tables.oldLogProb?.[at] ?? 0,
        referenceLogProb: tables.referenceLogProb?.[at] ?? 0,
        value: tables.value?.[at] ?? 0,
        sumOfSquares: tables.sumOfSquares?.[at] ?? 0,
      };
    });
    return { group: groups?.[b] ?? b, tokens };
  });
  const places = (of: 'advantage' | 'returns'): Place[] =>
    Array.from({ length: B * T }, (_, at) => ({ of, trajectory: Math.floor(at / T), token: at % T }));
  return { trajectories, outputs: { advantages: places('advantage'), returns: places('returns') } };
}

const optional = (fixture: Fixture, name: string): Float64Array | undefined =>
  name in fixture.inputs ? inputOf(fixture, name) : undefined;

function verl(fixture: Fixture): Scene {
  const { function: name } = fixture.source;
  if (name === 'masked_whiten') return whitened(fixture);
  if (name === 'compute_rewards') return klInReward(fixture);
  const [B, T] = shapeOf(fixture, 'token_level_rewards') as [number, number];
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
    const scored = trajectories.map((one, b) => ({ ...one, parts: [parts[b] as number] }));
    return { trajectories: scored, outputs, rewardWeights: [1], options: verlOptions(fixture) };
  }
  const baselines = optional(fixture, 'reward_baselines') ?? new Float64Array(B);
  const known = trajectories.map((one, b) => ({ ...one, baseline: baselines[b] as number }));
  return { trajectories: known, outputs, options: verlOptions(fixture) };
}

function verlOptions(fixture: Fixture): Options {
  const discount = settingOf(fixture, ['gamma'], 1);
  const toGo = { ...credit('reward-to-go'), ...scale('none'), discount };
  const isTail = fixture.params.handle_zero_tail === true;
  const estimator = String(fixture.params.estimator ?? 'gae');
  switch (estimator) {
    case 'gae': {
      const whiten = fixture.params.whiten === false ? {} : VERL_WHITENING;
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

/** masked_whiten alone: with a discount of 0 a token's return is its own reward. Off the mask the lab has no values to whiten. */
function whitened(fixture: Fixture): Scene {
  const [, T] = shapeOf(fixture, 'values') as [number, number];
  const mask = inputOf(fixture, 'mask');
  const { trajectories, outputs } = tabulated(T, { mask, reward: inputOf(fixture, 'values') }, null);
  const own = fixture.params.shift_mean === false ? 'tokens-keep-mean' : 'tokens';
  const places = (outputs.advantages ?? []).map((place, at) => (mask[at] === 1 ? place : null));
  const options = { ...credit('reward-to-go'), ...NOTHING, ...whitening(own, 'sample-variance', 1e-8) };
  return { trajectories, outputs: { whitened: places }, options };
}

/** Rewards after the KL: returns under a discount of 0. */
function klInReward(fixture: Fixture): Scene {
  const [, T] = shapeOf(fixture, 'token_level_scores') as [number, number];
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

/** One action token a trajectory, which carries its advantage. */
function single(
  rows: readonly Omit<SceneTrajectory, 'tokens'>[],
  rewards: ArrayLike<number> | null,
): { readonly trajectories: SceneTrajectory[]; readonly outputs: Scene['outputs'] } {
  const trajectories = rows.map((row, b): SceneTrajectory => {
    return { ...row, tokens: [{ role: 'action', reward: rewards?.[b] ?? 0 }] };
  });
  const places = rows.map((_, trajectory): Place => ({ of: 'advantage', trajectory, token: 0 }));
  return { trajectories, outputs: { advantages: places } };
}

function trl(fixture: Fixture): Scene {
  const size = settingOf(fixture, ['num_generations']);
  const epsilon = settingOf(fixture, ['epsilon'], 1e-4);
  if ('rewards' in fixture.inputs) {
    const rewards = inputOf(fixture, 'rewards');
    const scene = single(
      Array.from(rewards, (_, b) => ({ group: Math.floor(b / size) })),
      rewards,
    );
    const whiten = fixture.params.normalize_advantages === true ? whitening('trajectories', 'sample', epsilon) : {};
    return { ...scene, options: { ...baseline('leave-one-out'), ...scale('none'), ...whiten } };
  }
  const [B, F] = shapeOf(fixture, 'rewards_per_func') as [number, number];
  const perFunction = inputOf(fixture, 'rewards_per_func');
  const rows = Array.from({ length: B }, (_, b) => {
    return { group: Math.floor(b / size), parts: Array.from(perFunction.subarray(b * F, (b + 1) * F)) };
  });
  const scene = { ...single(rows, null), rewardWeights: Array.from(inputOf(fixture, 'reward_weights')) };
  const own = deviation(fixture, 1e-4);
  if (fixture.params.multi_objective_aggregation === 'normalize_then_sum') {
    return {
      ...scene,
      options: { ...source('normalised-parts'), ...own, ...whitening('trajectories', 'sample', epsilon) },
    };
  }
  const scales = { group: 'group-deviation', batch: 'batch-deviation', none: 'none' } as const;
  const chosen = scale(scales[String(fixture.params.scale_rewards ?? 'group') as keyof typeof scales]);
  return { ...scene, options: { ...source('parts'), ...own, ...chosen } };
}

function openRlhf(fixture: Fixture): Scene {
  const mask = inputOf(fixture, 'action_mask');
  const [B, T] = shapeOf(fixture, 'action_mask') as [number, number];
  const discount = settingOf(fixture, ['gamma'], 1);
  const gaeLambda = settingOf(fixture, ['lam'], 1);
  const common = { ...EVERY_TOKEN, ...offMask('carried'), discount, gaeLambda };
  const value = optional(fixture, 'values');
  if (!('kl' in fixture.inputs)) {
    const whiten = fixture.params.whiten === true ? OPENRLHF_WHITENING : {};
    const scene = tabulated(T, { mask, reward: inputOf(fixture, 'rewards'), value }, null);
    return { ...scene, options: { ...common, ...credit('gae'), ...NOTHING, ...whiten } };
  }
  // The reward is one a trajectory, given at its last action token; the KL is given, so the reference is put that far below.
  const [given, size] = [inputOf(fixture, 'rewards'), settingOf(fixture, ['n_samples_per_prompt'], 1)];
  const reward = new Float64Array(B * T);
  for (let b = 0; b < B; b++) {
    const last = mask.subarray(b * T, (b + 1) * T).lastIndexOf(1);
    if (last >= 0) reward[b * T + last] = given[b] as number;
  }
  const groups = Array.from({ length: B }, (_, b) => Math.floor(b / size));
  const scene = tabulated(T, { mask, reward, value, oldLogProb: inputOf(fixture, 'kl') }, groups);
  const estimators: Readonly<Record<string, Options>> = {
    rloo: { ...credit('reward-to-go'), ...baseline('leave-one-out'), ...scale('none') },
    reinforce_baseline: { ...credit('reward-to-go'), ...scale('none'), ...OPENRLHF_WHITENING },
    dr_grpo: { ...credit('reward-to-go'), ...scale('none') },
    group_norm: { ...credit('reward-to-go'), ...deviation(fixture, 1e-9) },
    reinforce: { ...credit('reward-to-go'), ...NOTHING, ...OPENRLHF_WHITENING },
    gae: { ...credit('gae'), ...NOTHING, ...OPENRLHF_WHITENING },
  };
  const own = estimators[String(fixture.params.estimator)];
  if (own === undefined)
    throw invalid(`${fixture.name} asks for the estimator “${String(fixture.params.estimator)}”, which is not known`);
  return { ...scene, options: { ...common, ...own, rewardKl: settingOf(fixture, ['kl_coef'], 0) } };
}

function rllm(fixture: Fixture): Scene {
  const groups = Array.from(inputOf(fixture, 'group_sizes')).flatMap((size, group) =>
    Array.from({ length: size }, () => ({ group })),
  );
  const scene = single(groups, inputOf(fixture, 'rewards'));
  const estimators: Readonly<Record<string, () => Options>> = {
    grpo: () => ({ ...RAW, ...groupScale(fixture) }),
    dr_grpo: () => ({ ...RAW, ...groupScale(fixture) }),
    rloo: () => ({ ...RAW, ...baseline('leave-one-out'), ...scale('none') }),
    reinforce_plus_plus_baseline: () => ({
      ...scale('none'),
      ...whitening('trajectory-scale', 'population', settingOf(fixture, ['epsilon'], 1e-6)),
    }),
    prpo: () => ({ ...baseline('batch-mean'), ...scale('batch-deviation'), ...deviation(fixture, 1e-6) }),
  };
  const own = estimators[String(fixture.params.estimator)];
  if (own === undefined)
    throw invalid(`${fixture.name} asks for the estimator “${String(fixture.params.estimator)}”, which is not known`);
  return { ...scene, options: own() };
}

/** One group. Its trajectories have as many tokens as their lengths say, so that they can be penalised. */
function primeRl(fixture: Fixture): Scene {
  const rewards = inputOf(fixture, 'rewards');
  const [actions, total] = [optional(fixture, 'num_output_tokens'), optional(fixture, 'num_total_tokens')];
  const turns = optional(fixture, 'num_turns');
  const trajectories = Array.from(rewards, (reward, b): SceneTrajectory => {
    const length = actions?.[b] ?? 1;
    // Position 0, which is no target, counts among the input.
    const prompt = (total?.[b] ?? 2) - length - 1;
    const tokens = Array.from({ length: prompt + length }, (_, t): SceneToken => {
      return { role: t < prompt ? 'prompt' : 'action', reward: t + 1 === prompt + length ? reward : 0 };
    });
    return { group: 0, tokens, turns: turns?.[b] ?? 1 };
  });
  const places = trajectories.map(({ tokens }, trajectory): Place => {
    return { of: 'advantage', trajectory, token: tokens.length - 1 };
  });
  const penalty = (fixture.params.length_penalty ?? {}) as Readonly<Record<string, number>>;
  const isMaxRl = fixture.params.estimator === 'max_rl';
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

/** A row of the fixture is a turn; rows of the same trajectory follow each other, an observation between two. */
function gigpo(fixture: Fixture): Scene {
  const [rows, T] = shapeOf(fixture, 'response_mask') as [number, number];
  const [mask, rewards] = [inputOf(fixture, 'response_mask'), inputOf(fixture, 'token_level_rewards')];
  const [steps, anchor] = [inputOf(fixture, 'step_rewards'), inputOf(fixture, 'anchor_obs')];
  const [group, owner] = [inputOf(fixture, 'index'), inputOf(fixture, 'traj_index')];
  const keys = Array.from({ length: rows }, (_, r) => `${group[r]} ${owner[r]}`);
  const places = new Array<Place>(rows * T).fill('zero');
  const trajectories = [...new Set(keys)].map((key, trajectory): SceneTrajectory => {
    const own = keys.flatMap((other, r) => (other === key ? [r] : []));
    const tokens: SceneToken[] = [];
    for (const r of own) {
      const actions = Array.from({ length: T }, (_, t) => r * T + t).filter((at) => mask[at] === 1);
      actions.forEach((at, i) => {
        places[at] = { of: 'advantage', trajectory, token: tokens.length };
        tokens.push({ role: 'action', reward: i + 1 === actions.length ? (steps[r] as number) : 0 });
      });
      tokens.push({ role: 'observation' });
    }
    const first = (own[0] as number) * T;
    const score = rewards.subarray(first, first + T).reduce((a, c) => a + c, 0);
    const anchors = own.map((r) => anchor[r] as number);
    return { group: group[own[0] as number] as number, tokens, parts: [score], anchors };
  });
  const isScaled = fixture.params.mode === 'mean_std_norm';
  return {
    trajectories,
    outputs: { advantages: places, returns: places },
    rewardWeights: [1],
    options: {
      ...RAW,
      ...source('parts'),
      ...(isScaled ? scale('group-deviation') : scale('none')),
      ...deviation(fixture, 1e-6),
      // The step returns are given: a turn's reward is its return.
      turnDiscount: 0,
      stepWeight: settingOf(fixture, ['step_advantage_w'], 1),
    },
  };
}

/** Discounted sums over the steps of a trajectory, one action token a step. */
function stepReturns(fixture: Fixture): Scene {
  const [rewards, owner, time] = ['rewards', 'traj_index', 'env_step'].map((name) => inputOf(fixture, name)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const places = new Array<Place>(rewards.length).fill(null);
  const trajectories = [...new Set(owner)].map((id, trajectory): SceneTrajectory => {
    const own = Array.from(owner, (_, r) => r).filter((r) => owner[r] === id);
    own.sort((a, c) => (time[a] as number) - (time[c] as number));
    own.forEach((r, token) => {
      places[r] = { of: 'returns', trajectory, token };
    });
    return { group: trajectory, tokens: own.map((r) => ({ role: 'action', reward: rewards[r] as number })) };
  });
  const options = { ...credit('reward-to-go'), ...NOTHING, discount: settingOf(fixture, ['gamma']) };
  return { trajectories, outputs: { step_returns: places }, options };
}
