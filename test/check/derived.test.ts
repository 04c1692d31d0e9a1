/** Cases that no fixture file has, with results derived by hand from the formulas. */
import { describe, expect, test } from 'vitest';
import type { Fixture, FixtureArray, Scalar } from '../../src/check/format';
import { runCase } from '../../src/check/run';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { casesOf } from './cases';

const backend = new ReferenceBackend({ poison: true });

const all = ['kl', 'masked_logprob', 'policy_loss', 'echo', 'advantage'].flatMap(casesOf);

type Change = Partial<Pick<Fixture, 'params' | 'inputs' | 'expected' | 'recommended'>>;

/** Case of the files with other settings and, if given, other inputs and expectations. */
function changed(name: string, { params = {}, inputs = {}, expected, recommended }: Change): Fixture {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case ${name}.`);
  return {
    name,
    source: found.source,
    params: { ...found.params, ...params },
    inputs: { ...found.inputs, ...inputs },
    expected: expected ?? found.expected,
    ...(recommended === undefined ? {} : { recommended }),
  };
}

const array = (dtype: FixtureArray['dtype'], data: readonly Scalar[], shape: readonly number[] = [1, data.length]) => ({
  shape,
  dtype,
  data,
});
const f32 = (data: readonly Scalar[], shape?: readonly number[]): FixtureArray => array('f32', data, shape);
const f64 = (data: readonly Scalar[], shape?: readonly number[]): FixtureArray => array('f64', data, shape);

const reasonsOf = async (fixture: Fixture): Promise<readonly string[]> => (await runCase(backend, fixture)).reasons;

const ECHO = 'echo_authors_mixed_sequence_mean_full_observation_tokens_env_only';

describe('Weights of every token', () => {
  const world = [0, 0.5, 0.5, 0.25, 0.125, 0.0625, 1.5];
  const policy = [0.5, 0.25, 1, 1, 1, 1, 1];
  const on = { log_prob: f32(world.map(() => -1)), old_log_prob: f32(world.map(() => -1)) };
  const inputs = {
    ...on,
    advantages: f32(world.map(() => 2)),
    action_mask: f32([1, 1, 0, 0, 0, 0, 0]),
    env_mask: f32([0, 0, 1, 1, 1, 1, 1]),
    warning_mask: f32(world.map(() => 0)),
    ce_weights: f32(world),
    rl_weights: f32(policy),
  };
  // Two actions and six tokens of the world; a ratio of 1, negative log-probs of 1.
  const gradient = world.map((weight, i) => (i < 2 ? (-2 * (policy[i] as number)) / 2 : 0) - weight / 6);
  const loss = (-2 * 0.75) / 2 + world.reduce((a, b) => a + b) / 6;

  test('as many as there are', async () => {
    const expected = { loss, grad_log_prob: f64(gradient) };
    expect(await reasonsOf(changed('prime_mixed_alpha0.1', { inputs, expected }))).toEqual([]);
    const other = { loss, grad_log_prob: f64(gradient.map((value, i) => (i === 6 ? value / 2 : value))) };
    expect(await reasonsOf(changed('prime_mixed_alpha0.1', { inputs, expected: other }))).not.toEqual([]);
  });
});

describe('Shapes', () => {
  const shaped = (fixture: Fixture, shape: readonly number[]): Fixture => {
    const turn = <T>(entries: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(
        Object.entries(entries).map(([name, entry]) => {
          const isArray = typeof entry === 'object' && entry !== null && 'shape' in entry;
          return [name, isArray ? { ...entry, shape } : entry];
        }),
      );
    return { ...fixture, inputs: turn(fixture.inputs), expected: turn(fixture.expected) as Fixture['expected'] };
  };

  test.each([[[10]], [[1, 1, 10]], [[5, 2]], [[10, 1]], [[1, 2, 1, 5]]])('KL of %j', async (shape) => {
    expect(await reasonsOf(shaped(changed('skyrl_masked_k3', {}), shape))).toEqual([]);
  });

  test('a policy loss of one trajectory', async () => {
    const inputs = {
      log_prob: f32([-1, -2], [2]),
      old_log_prob: f32([-1, -2], [2]),
      advantages: f32([2, 1], [2]),
      response_mask: f32([1, 1], [2]),
    };
    const expected = { loss: -1.5, grad_log_prob: f64([-1, -0.5], [2]) };
    expect(await reasonsOf(changed('verl_ppo_clip_token-mean', { inputs, expected }))).toEqual([]);
  });
});

describe('Logits without a softmax', () => {
  const none: readonly Scalar[] = ['-Infinity', '-Infinity', '-Infinity'];
  const rows = (first: readonly Scalar[], second: readonly Scalar[]): FixtureArray =>
    f64([...first, ...second], [1, 2, 3]);
  const NaNs: readonly Scalar[] = ['NaN', 'NaN', 'NaN'];
  const half = Math.LN2;
  const of = (mask: 0 | 1): Change => ({
    inputs: {
      logits: f32([...none, 0, 0, '-Infinity'], [1, 2, 3]),
      tokens: array('i32', [2, 1]),
      mask: f32([mask, 1]),
      grad_logprob: f32([1, 1]),
      grad_entropy: f32([1, 1]),
    },
    expected: {
      logprob: f64(['NaN', -half]),
      entropy: f64(['NaN', half]),
      grad_logits: rows(NaNs, [-0.5, 0.5, 0]),
      grad_logits_entropy: rows(NaNs, [0, 0, 0]),
    },
  });

  test.each([0, 1] as const)('are NaN in both, a mask of %i', async (mask) => {
    expect(await reasonsOf(changed('basic_B2_T3_V7', of(mask)))).toEqual([]);
  });

  test('are what is recommended', async () => {
    const recommended = { grad_logits: rows([0, 0, 0], [-0.5, 0.5, 0]) };
    expect(await reasonsOf(changed('basic_B2_T3_V7', { ...of(0), recommended }))).toEqual([]);
    const [reason] = await reasonsOf(changed('basic_B2_T3_V7', { ...of(1), recommended }));
    expect(reason).toMatch(/grad_logits\[0\] is NaN, expected 0/);
  });
});

describe('Settings that name a way', () => {
  const rewards = { rewards_per_func: f32([0, 1, 3, 4], [4, 1]), reward_weights: f32([1], [1]) };
  const scaled = (scale: unknown, advantages: readonly number[]): Fixture =>
    changed('trl_grpo_scale_group_2x4', {
      params: { scale_rewards: scale, num_generations: 2 },
      inputs: rewards,
      expected: { advantages: f64(advantages, [4]) },
    });
  const [own, whole] = [0.5 / (Math.SQRT1_2 + 1e-4), 0.5 / (Math.sqrt(10 / 3) + 1e-4)];

  test.each([
    ['group', [-own, own, -own, own]],
    [true, [-own, own, -own, own]],
    ['batch', [-whole, whole, -whole, whole]],
    ['none', [-0.5, 0.5, -0.5, 0.5]],
    [false, [-0.5, 0.5, -0.5, 0.5]],
  ] as const)('scale_rewards of %s', async (scale, advantages) => {
    expect(await reasonsOf(scaled(scale, advantages))).toEqual([]);
  });

  test.each([
    ['trl_grpo_scale_group_2x4', { scale_rewards: 'sometimes' }, /scale_rewards “sometimes”/],
    ['trl_grpo_scale_group_2x4', { multi_objective_aggregation: 'max' }, /multi_objective_aggregation “max”/],
    ['verl_grpo_std_rand', { norm_adv_by_std: 'yes' }, /norm_adv_by_std “yes”/],
    ['verl_grpo_std_rand', { ddof: 2 }, /ddof 2/],
    ['prime_grpo', { estimator: 'median' }, /estimator “median”/],
    ['gigpo_mean_norm_w1.0', { mode: 'rank' }, /mode “rank”/],
    ['openrlhf_ppo_tis', { vllm_is_correction_type: 'tiss' }, /vllm_is_correction_type “tiss”/],
    ['verl_ppo_clip_token-mean', { loss_agg_mode: 'median' }, /loss_agg_mode “median”/],
    ['verl_ppo_clip_token-mean', { clip_ratio_low: 'wide' }, /no number “clip_ratio_low”/],
    ['rllm_ppo_clip', { loss_agg_mode: 'toString' }, /loss_agg_mode “toString”/],
    ['skyrl_ppo_token_mean', { loss_reduction: 'median' }, /loss_reduction “median”/],
    ['skyrl_ppo_token_mean', { policy_loss_type: 'triple' }, /policy_loss_type “triple”/],
    ['trl_grpo_token', { importance_sampling_level: 'word' }, /importance_sampling_level “word”/],
    ['verl_actor_total_token-mean_low_var_kl', { kl_loss_type: 'k4' }, /kl_loss_type “k4”/],
    [ECHO, { loss_reduction: 'median' }, /loss_reduction “median”/],
  ])('%s with %j is refused', async (name, params, words) => {
    const { outcome, reasons } = await runCase(backend, changed(name, { params }));
    expect([outcome, reasons.length]).toEqual(['failed', 1]);
    expect(reasons[0]).toMatch(words);
  });
});

describe('TRL’s number of items', () => {
  const inputs = {
    log_prob: f32([-1, -2]),
    old_log_prob: f32([-1, -2]),
    advantages: f32([3], [1]),
    completion_mask: f32([1, 1]),
    tool_mask: f32([1, 1]),
  };
  test.each([
    [0, 1],
    [5, 5],
    [null, 2],
  ])('%s divides by %i', async (items, divisor) => {
    const params = { num_items_in_batch: items };
    const expected = { loss: -6 / divisor, grad_log_prob: f64([-3 / divisor, -3 / divisor]) };
    expect(await reasonsOf(changed('trl_dapo_num_items', { params, inputs, expected }))).toEqual([]);
    expect(await reasonsOf(changed('openenv_trl_mixed_dapo', { params, inputs, expected }))).toEqual([]);
  });
});

describe('TRL’s delta, nearer than the clip', () => {
  // Ratios of 1.1, 1.25 and 1.5, for both signs of the advantage; delta 1.2, the clip at 1.3.
  const ratios = [1.1, 1.25, 1.5];
  const logProb = ratios.map((ratio) => Math.fround(Math.log(ratio) - 2));
  const gotRatios = logProb.map((value) => Math.exp(value + 2));
  const caseOf = (advantage: number, losses: readonly number[], gradients: readonly number[], high: number): Fixture =>
    changed('trl_grpo_clip_higher_delta', {
      params: { delta: 1.2, epsilon: 0.2, epsilon_high: 0.3 },
      inputs: {
        log_prob: f32(logProb),
        old_log_prob: f32([-2, -2, -2]),
        advantages: f32([advantage], [1]),
        completion_mask: f32([1, 1, 1]),
        tool_mask: f32([1, 1, 1]),
      },
      expected: {
        loss: losses.reduce((a, b) => a + b) / 3,
        grad_log_prob: f64(gradients.map((value) => value / 3)),
        metrics: { 'clip_ratio/high_mean': high, 'clip_ratio/low_mean': 0, 'clip_ratio/region_mean': high },
      } as unknown as Fixture['expected'],
    });
  const [first, second] = gotRatios as [number, number, number];

  test('bounds a gain at delta, and its metrics at the clip', async () => {
    expect(await reasonsOf(caseOf(1, [-first, -1.2, -1.2], [-first, 0, 0], 1 / 3))).toEqual([]);
  });

  test('bounds a loss at the clip', async () => {
    expect(await reasonsOf(caseOf(-1, [first, second, 1.3], [first, second, 0], 0))).toEqual([]);
  });
});

test.each([null, 3])('OpenRLHF’s ppo_kl is of log-ratios before their clamp, with a dual clip of %s', async (dual) => {
  // Log-ratios of 30, −25 and −0.5: the loss sees 20, −20 and −0.5.
  const within = Math.exp(-0.5);
  const fixture = changed('openrlhf_ppo_token', {
    params: { dual_clip: dual },
    inputs: {
      log_prob: f32([-1, -26, -1]),
      old_log_prob: f32([-31, -1, -0.5]),
      advantages: f32([1, -1, 1]),
      response_mask: f32([1, 1, 1]),
    },
    expected: {
      loss: -(1.2 - 0.8 + within) / 3,
      grad_log_prob: f64([0, 0, -within / 3]),
      metrics: { clip_ratio: 2 / 3, ppo_kl: -(30 - 25 - 0.5) / 3 },
    } as unknown as Fixture['expected'],
  });
  expect(await reasonsOf(fixture)).toEqual([]);
});

test('A correction and decoding’s own log-probs, given apart', async () => {
  const inputs = {
    log_prob: f32([-1, -1, -2, -2], [2, 2]),
    old_log_prob: f32([-1, -1, -2, -2], [2, 2]),
    advantages: f32([-1, -3], [2]),
    completion_mask: f32([1, 1, 1, 1], [2, 2]),
    tool_mask: f32([1, 1, 1, 1], [2, 2]),
    // The first trajectory is 0.5 off policy, the second not at all.
    sampling_log_prob: f32([-0.5, -0.5, -2, -2], [2, 2]),
    importance_sampling_ratio: f32([2, 2, 0.5, 3], [2, 2]),
  };
  const expected = { loss: (3 * 3.5) / 4, grad_log_prob: f64([0, 0, (3 * 0.5) / 4, (3 * 3) / 4], [2, 2]) };
  expect(await reasonsOf(changed('trl_grpo_off_policy_mask', { inputs, expected }))).toEqual([]);
});

describe('Inputs that do not fit together', () => {
  test.each([
    ['verl_ppo_clip_token-mean', 'old_log_prob', /“old_log_prob” of .* has 2 numbers/],
    ['trl_grpo_token', 'advantages', /“advantages” of .* has 2 numbers/],
    ['verl_k3_rand', 'ref_log_prob', /“ref_log_prob” of .* has 2 numbers/],
    [ECHO, 'warning_mask', /“warning_mask” of .* has 2 numbers/],
    ['verl_grpo_std_rand', 'index', /groups of 2 rows/],
  ])('%s with another %s are refused', async (name, input, words) => {
    const { reasons } = await runCase(backend, changed(name, { inputs: { [input]: f32([0, 0]) } }));
    expect(reasons.join()).toMatch(words);
  });
});
