/** Reads test/fixtures: numbers that other projects' own code gave. Their layout is described in test/fixtures/README.md. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import type { HyperOptions } from '../../src/parity/cases/hyper';

type Scalar = number | 'NaN' | 'Infinity' | '-Infinity';

interface FixtureArray {
  readonly shape: readonly number[];
  readonly dtype: 'f32' | 'f64' | 'i32';
  readonly data: readonly Scalar[];
}

interface FixtureJson {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, FixtureArray>>;
  readonly expected: Readonly<Record<string, FixtureArray | Scalar>> & { readonly metrics?: Record<string, Scalar> };
  readonly recommended?: Readonly<Record<string, FixtureArray | Scalar>>;
  readonly tags?: readonly string[];
}

export interface FixtureCase {
  readonly name: string;
  readonly tags: readonly string[];
  /** The first of these settings that the case has, as a number. */
  setting(...names: readonly string[]): number | undefined;
  /** A setting as it is. */
  raw(name: string): unknown;
  has(input: string): boolean;
  shape(input: string): readonly number[];
  input(name: string): Float32Array;
  /** What is expected, or what is recommended where the other project gave no number. */
  expected(name: string): Float64Array | undefined;
  metric(name: string): number | undefined;
}

/** The cases that the earlier operations express; the files hold all that the lab's objectives do. */
const EXPRESSED: Readonly<Record<string, readonly string[]>> = {
  policy_loss: [
    'verl_ppo_clip_token-mean',
    'verl_clip_higher_token-mean',
    'verl_vanilla_extreme_logratio',
    'verl_vanilla_zero_advantage',
    'verl_vanilla_on_policy',
    'verl_ppo_clip_all_masked_token-mean',
    'verl_ppo_clip_row_masked_token-mean',
    'verl_ppo_clip_nan_outside_mask_token-mean',
    'openrlhf_ppo_token',
    'openrlhf_ppo_clip_higher',
    'openrlhf_ppo_extreme',
    'openrlhf_ppo_all_masked',
    'trl_bnpo_token',
    'trl_dapo_token',
    'trl_dapo_entropy_bonus',
    'trl_bnpo_all_masked',
    'trl_dapo_all_masked',
    'rllm_ppo_clip',
  ],
  advantage: [
    'verl_grpo_std_rand',
    'verl_grpo_std_binary',
    'verl_grpo_std_equal',
    'verl_grpo_std_equal_G15_f32_trap',
    'trl_grpo_scale_group_2x4',
    'trl_grpo_scale_group_3x2',
    'trl_grpo_equal_rewards',
  ],
  kl: [
    'verl_low_var_kl_rand',
    'verl_k3_rand',
    'skyrl_k3_rand',
    'verl_k3_extreme',
    'skyrl_masked_k3',
    'trl_k3_rand',
    'trl_k3_extreme',
  ],
  echo: [
    'prime_mixed_alpha0.1',
    'prime_mixed2_alpha0.1',
    'prime_no_env_tokens_alpha0.1',
    'prime_all_env_tokens_alpha0.1',
    'prime_two_roles',
    'prime_rl_weights',
    'openenv_trl_mixed_grpo',
    'openenv_trl_mixed_dapo',
    'openenv_trl_mixed2_grpo',
    'openenv_trl_no_env_tokens_grpo',
    'openenv_trl_all_env_tokens_grpo',
  ],
};

export function fixtures(file: string): readonly FixtureCase[] {
  const text = readFileSync(new URL(`../fixtures/${file}.json`, import.meta.url), 'utf8');
  const expressed = (JSON.parse(text) as FixtureJson[]).filter(({ name }) => EXPRESSED[file]?.includes(name) ?? true);
  return expressed.map((json): FixtureCase => {
    const array = (value: FixtureArray | Scalar | undefined): Float64Array | undefined => {
      if (value === undefined) return undefined;
      return Float64Array.from(typeof value === 'object' ? value.data : [value], Number);
    };
    const find = (name: string): FixtureArray => {
      const input = json.inputs[name];
      if (input === undefined) throw new Error(`${json.name} has no input ${name}.`);
      return input;
    };
    return {
      name: json.name,
      tags: json.tags ?? [],
      setting: (...names) => names.map((name) => json.params[name]).find((value) => typeof value === 'number'),
      raw: (name) => json.params[name],
      has: (name) => name in json.inputs,
      shape: (name) => find(name).shape,
      input: (name) => Float32Array.from(find(name).data, Number),
      expected: (name) => {
        const value = array(json.expected[name]);
        return value?.some(Number.isNaN) ? (array(json.recommended?.[name]) ?? value) : value;
      },
      metric: (name) => {
        const value = json.expected.metrics?.[name];
        return value === undefined ? undefined : Number(value);
      },
    };
  });
}

/** 1 on the tokens that the policy produced. */
export function actionMask(fixture: FixtureCase): Float32Array {
  if (fixture.has('action_mask')) return fixture.input('action_mask');
  if (fixture.has('response_mask')) return fixture.input('response_mask');
  if (!fixture.has('completion_mask')) return new Float32Array(fixture.input('log_prob').length).fill(1);
  const tool = fixture.input('tool_mask');
  return fixture.input('completion_mask').map((value, i) => value * (tool[i] as number));
}

/** One advantage a token, also where the fixture has one a sequence. */
export function advantagePerToken(fixture: FixtureCase): Float32Array {
  const given = fixture.input('advantages');
  const tokens = fixture.input('log_prob').length;
  return Float32Array.from({ length: tokens }, (_, i) => given[Math.floor(i / (tokens / given.length))] as number);
}

/**
 * How much of each token's loss verl takes away besides: where the advantage is negative it caps the loss at −c·A (the dual
 * clip, arXiv 1912.09729), and a capped token has no gradient. This lab has no such cap.
 */
export function dualClipExcess(fixture: FixtureCase, losses: readonly number[]): readonly number[] {
  const c = fixture.setting('clip_ratio_c');
  const advantages = advantagePerToken(fixture);
  return losses.map((loss, i) => {
    const A = advantages[i] as number;
    return c !== undefined && A < 0 ? Math.max(0, loss + c * A) : 0;
  });
}

/** A fixture's mask of the environment's tokens, and the weight of each kind of them. */
export function echoRoles(fixture: FixtureCase): {
  roles: number[];
  crossEntropy: HyperOptions['crossEntropy'] & object;
} {
  const action = actionMask(fixture);
  if (fixture.has('completion_mask')) {
    const completion = fixture.input('completion_mask');
    const roles = Array.from(action, (is, i) =>
      is === 1 ? ROLE.action : completion[i] === 1 ? ROLE.observation : ROLE.prompt,
    );
    return { roles, crossEntropy: { observation: fixture.setting('lam') as number } };
  }
  const [environment, warning] = [fixture.input('env_mask'), fixture.input('warning_mask')];
  const roles = Array.from(action, (is, i) => {
    if (is === 1) return ROLE.action;
    return warning[i] === 1 ? ROLE.warning : environment[i] === 1 ? ROLE.observation : ROLE.prompt;
  });
  const alpha = fixture.raw('alpha') as number | { env: number; warning: number };
  if (typeof alpha === 'number') return { roles, crossEntropy: { observation: alpha } };
  return { roles, crossEntropy: { observation: alpha.env, warning: alpha.warning } };
}

/** A fixture's groups of at least two (for one, some projects keep the raw score). */
export function groupsOf(fixture: FixtureCase): { rewards: number[]; expected: number[] }[] {
  const advantages = fixture.expected('advantages') as Float64Array;
  if (fixture.has('rewards_per_func')) {
    const [perFunction, weights] = [fixture.input('rewards_per_func'), fixture.input('reward_weights')];
    const F = weights.length;
    const reward = Array.from(advantages, (_, i) =>
      weights.reduce((sum, weight, k) => sum + weight * (perFunction[i * F + k] as number), 0),
    );
    const G = fixture.setting('num_generations') as number;
    return Array.from({ length: reward.length / G }, (_, g) => ({
      rewards: reward.slice(g * G, (g + 1) * G),
      expected: Array.from(advantages.subarray(g * G, (g + 1) * G)),
    }));
  }
  const [B, T] = fixture.shape('token_level_rewards') as [number, number];
  const [tokenRewards, mask, index] = ['token_level_rewards', 'response_mask', 'index'].map(fixture.input) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const groups = new Map<number, { rewards: number[]; expected: number[] }>();
  for (let b = 0; b < B; b++) {
    const firstToken = b * T + mask.subarray(b * T, (b + 1) * T).indexOf(1);
    const group = groups.get(index[b] as number) ?? { rewards: [], expected: [] };
    group.rewards.push(tokenRewards.subarray(b * T, (b + 1) * T).reduce((a, c) => a + c, 0));
    group.expected.push(advantages[firstToken] as number);
    groups.set(index[b] as number, group);
  }
  return [...groups.values()].filter(({ rewards }) => rewards.length > 1);
}

/** |got − expected| ≤ atol + rtol·|expected| everywhere; an infinity must be met exactly. */
export function expectClose(
  what: string,
  got: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: { readonly atol: number; readonly rtol: number },
): void {
  const wrong: string[] = [];
  for (let i = 0; i < expected.length; i++) {
    const [value, want] = [got[i] as number, expected[i] as number];
    const close = value === want || Math.abs(value - want) <= tolerance.atol + tolerance.rtol * Math.abs(want);
    if (!close) wrong.push(`${what}[${i}] is ${value}, expected ${want}`);
  }
  expect(got.length, `length of ${what}`).toBe(expected.length);
  expect(wrong).toEqual([]);
}
