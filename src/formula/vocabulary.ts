/** Names a formula can read and functions it can call; their explanation: vocabularyHelp.ts. */
import { nearest } from '../foundation/nearest';
import type { Level, ReductionLevel } from './levels';
import { TARGETS } from './levels';

export interface Input {
  readonly level: Level;
  /** Reads the running policy: changes with each inner step, and carries a derivative. */
  readonly running?: true;
}

export const INPUTS = {
  logp: { level: 'token', running: true },
  entropy: { level: 'token', running: true },
  old_logp: { level: 'token' },
  sampler_logp: { level: 'token' },
  ref_logp: { level: 'token' },
  advantage: { level: 'token' },
  returns: { level: 'token' },
  value: { level: 'token' },
  position: { level: 'token' },
  is_action: { level: 'token' },
  is_thought: { level: 'token' },
  is_observation: { level: 'token' },
  turn: { level: 'turn' },
  turn_reward: { level: 'turn' },
  reward: { level: 'trajectory' },
  success: { level: 'trajectory' },
  turns: { level: 'trajectory' },
  valid: { level: 'trajectory' },
  update: { level: 'constant' },
  success_rate: { level: 'constant' },
} as const satisfies Readonly<Record<string, Input>>;

export type InputName = keyof typeof INPUTS;

export const isInput = (name: string): name is InputName => Object.hasOwn(INPUTS, name);

/**
 * Numbers of the run, one a member and update: they follow a text's parameters in the member's row, in this order. Texts
 * from before they were there may define these names themselves.
 */
export const RUN_INPUTS = ['update', 'success_rate'] as const satisfies readonly InputName[];
export type RunInput = (typeof RUN_INPUTS)[number];

export const isRunInput = (name: string): name is RunInput => (RUN_INPUTS as readonly string[]).includes(name);

/** Other names of inputs, and names made of them. */
export const SHORTHANDS: Readonly<Record<'A' | 'tokens' | 'pi', { readonly text: string; readonly level: Level }>> = {
  A: { text: 'advantage', level: 'token' },
  tokens: { text: 'count_trajectory(logp)', level: 'trajectory' },
  pi: { text: '3.141592653589793', level: 'constant' },
};

export interface FunctionText {
  readonly takes: string;
  readonly least: number;
  readonly most: number;
}

const ONE: FunctionText = { takes: 'x', least: 1, most: 1 };

/** Functions that act value by value. */
export const FUNCTIONS = {
  exp: ONE,
  log: ONE,
  log1p: ONE,
  expm1: ONE,
  sqrt: ONE,
  abs: ONE,
  sign: ONE,
  sigmoid: ONE,
  tanh: ONE,
  relu: ONE,
  softplus: ONE,
  min: { takes: 'a, b, …', least: 2, most: 8 },
  max: { takes: 'a, b, …', least: 2, most: 8 },
  clip: { takes: 'x, low, high', least: 3, most: 3 },
  where: { takes: 'condition, a, b', least: 3, most: 3 },
  detach: ONE,
} as const satisfies Readonly<Record<string, FunctionText>>;

export type FunctionName = keyof typeof FUNCTIONS;

export const isFunction = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);

export const REDUCTIONS = ['sum', 'mean', 'min', 'max', 'std', 'count'] as const;
export type Reduction = (typeof REDUCTIONS)[number];

/** A reduction's parts by its name, such as mean_group; null for any other name. */
export function reductionOf(name: string): { readonly kind: Reduction; readonly to: ReductionLevel } | null {
  const [kind, to, rest] = name.split('_');
  if (rest !== undefined) return null;
  const found = REDUCTIONS.find((one) => one === kind);
  const target = TARGETS.find((one) => one === to);
  return found === undefined || target === undefined ? null : { kind: found, to: target };
}

export const TO_GO: FunctionText = { takes: 'x, gamma', least: 2, most: 2 };

/** Names of the language; vocabularyHelp.ts has their meanings. */
export const NAMES: readonly string[] = [
  ...Object.keys(INPUTS),
  ...Object.keys(SHORTHANDS),
  ...Object.keys(FUNCTIONS),
  'to_go',
  ...REDUCTIONS.flatMap((kind) => TARGETS.map((to) => `${kind}_${to}`)),
];

/** Names from other places, with the lab's own. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  log_prob: 'logp',
  logprob: 'logp',
  logprobs: 'logp',
  log_probs: 'logp',
  log_p: 'logp',
  old_log_prob: 'old_logp',
  old_logprobs: 'old_logp',
  ref_log_prob: 'ref_logp',
  ref_logprobs: 'ref_logp',
  reference_logp: 'ref_logp',
  rollout_log_probs: 'sampler_logp',
  behaviour_logp: 'sampler_logp',
  advantages: 'A',
  adv: 'A',
  ref: 'ref_logp',
  reference: 'ref_logp',
  ref_log_p: 'ref_logp',
  cross_entropy: '-logp',
  nll: '-logp',
  ce: '-logp',
  surprise: '-logp',
  prob: 'exp(logp)',
  probability: 'exp(logp)',
  ratio: 'exp(logp - old_logp)',
  kl: 'logp - ref_logp',
  clamp: 'clip',
  minimum: 'min',
  maximum: 'max',
  stop_gradient: 'detach',
  sg: 'detach',
  pow: '**',
  ln: 'log',
  rewards: 'reward',
  return: 'returns',
  mean: 'mean_batch',
  sum: 'sum_batch',
  std: 'std_batch',
};

/** The name that was probably meant, or null. */
export function meant(typed: string, known: readonly string[]): string | null {
  const elsewhere = ELSEWHERE[typed.toLowerCase()];
  if (elsewhere !== undefined) return elsewhere;
  return nearest(typed, known);
}
