/** Names a formula can read and functions it can call, with their explanation for completion, hover and documentation. */
import { nearest } from '../foundation/nearest';
import type { Level, Target } from './levels';
import { TARGETS } from './levels';

export interface Input {
  readonly level: Level;
  /** One sentence: what it is, its unit. */
  readonly help: string;
  /** Reads the running policy: changes with each inner step, and carries a derivative. */
  readonly running?: true;
}

export const INPUTS = {
  logp: {
    level: 'token',
    help: 'Log-probability of the token under the policy in training, nats. Carries the derivative.',
    running: true,
  },
  entropy: {
    level: 'token',
    help: 'Entropy of the policy’s distribution at the token, nats. Carries a derivative.',
    running: true,
  },
  old_logp: { level: 'token', help: 'Log-probability under the policy before this update’s first step, nats.' },
  sampler_logp: {
    level: 'token',
    help: 'Log-probability at which decoding drew the token, nats; elsewhere it is old_logp.',
  },
  ref_logp: { level: 'token', help: 'Log-probability under the reference policy (the initial one), nats.' },
  advantage: { level: 'token', help: 'Advantage by the arm’s own estimator. Also called A.' },
  returns: { level: 'token', help: 'Return that the critic is trained towards; without a critic the estimator’s own.' },
  value: { level: 'token', help: 'The critic’s value before this update’s first step.' },
  position: { level: 'token', help: 'Place of the token in its trajectory, counted from 0.' },
  is_action: { level: 'token', help: '1 on tokens of the policy’s actions, else 0.' },
  is_thought: { level: 'token', help: '1 on tokens that the policy thought before an action, else 0.' },
  is_observation: { level: 'token', help: '1 on tokens the environment answered with, else 0.' },
  turn: { level: 'turn', help: 'Number of the turn: 0 is the first action and its answer, −1 the prompt.' },
  turn_reward: { level: 'turn', help: 'Reward given at the turn’s tokens.' },
  reward: {
    level: 'trajectory',
    help: 'Weighted sum of the reward’s parts, before KL, predicted rewards and length penalties.',
  },
  success: { level: 'trajectory', help: '1 if the trajectory reached its goal, else 0.' },
  turns: { level: 'trajectory', help: 'Turns the trajectory took.' },
  valid: { level: 'trajectory', help: 'Share of well-formed actions, 0 to 1.' },
  update: { level: 'constant', help: 'Number of this update, counted from 0. A line may define the name anew.' },
  success_rate: {
    level: 'constant',
    help: 'Running success rate of the arm’s own seed before this update, 0 to 1: the newest update counts a tenth. A line may define the name anew.',
  },
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
export const SHORTHANDS: Readonly<
  Record<string, { readonly text: string; readonly level: Level; readonly help: string }>
> = {
  A: { text: 'advantage', level: 'token', help: INPUTS.advantage.help },
  tokens: {
    text: 'count_trajectory(logp)',
    level: 'trajectory',
    help: 'How many of the trajectory’s tokens are the formula’s own.',
  },
  pi: { text: '3.141592653589793', level: 'constant', help: 'Half the turn of a circle.' },
};

export interface FunctionText {
  readonly takes: string;
  readonly least: number;
  readonly most: number;
  readonly help: string;
}

const one = (help: string): FunctionText => ({ takes: 'x', least: 1, most: 1, help });

/** Functions that act value by value. */
export const FUNCTIONS = {
  exp: one('e to the power of x.'),
  log: one('Natural logarithm.'),
  log1p: one('log(1 + x), exact for small x.'),
  expm1: one('exp(x) − 1, exact for small x.'),
  sqrt: one('Square root.'),
  abs: one('Magnitude; slope 0 at 0.'),
  sign: one('−1, 0 or 1; slope 0.'),
  sigmoid: one('1 / (1 + exp(−x)).'),
  tanh: one('Hyperbolic tangent.'),
  relu: one('x where it is positive, else 0; slope 0 at 0.'),
  softplus: one('log(1 + exp(x)).'),
  min: { takes: 'a, b, …', least: 2, most: 8, help: 'The smallest; a tie goes to the first.' },
  max: { takes: 'a, b, …', least: 2, most: 8, help: 'The largest; a tie goes to the first.' },
  clip: {
    takes: 'x, low, high',
    least: 3,
    most: 3,
    help: 'x within its bounds; slope 1 inside, bounds included, else 0.',
  },
  where: {
    takes: 'condition, a, b',
    least: 3,
    most: 3,
    help: 'a where the condition holds, else b; only that one counts.',
  },
  detach: { takes: 'x', least: 1, most: 1, help: 'x, held fixed: it carries no derivative.' },
} as const satisfies Readonly<Record<string, FunctionText>>;

export type FunctionName = keyof typeof FUNCTIONS;

export const isFunction = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);

export const REDUCTIONS = ['sum', 'mean', 'min', 'max', 'std', 'count'] as const;
export type Reduction = (typeof REDUCTIONS)[number];

const REDUCTION_HELP: Readonly<Record<Reduction, string>> = {
  sum: 'Sum',
  mean: 'Mean',
  min: 'Smallest',
  max: 'Largest',
  std: 'Standard deviation (n − 1)',
  count: 'Number',
};

/** A reduction's parts by its name, such as mean_group; null for any other name. */
export function reductionOf(name: string): { readonly kind: Reduction; readonly to: Target } | null {
  const [kind, to, rest] = name.split('_');
  if (rest !== undefined) return null;
  const found = REDUCTIONS.find((one) => one === kind);
  const target = TARGETS.find((one) => one === to);
  return found === undefined || target === undefined ? null : { kind: found, to: target };
}

export const TO_GO: FunctionText = {
  takes: 'x, gamma',
  least: 2,
  most: 2,
  help: 'Of a turn’s value: the discounted sum over this and later turns of the trajectory.',
};

/** Every name with its help, for completion and documentation. */
export function vocabulary(): readonly {
  readonly name: string;
  readonly kind: 'input' | 'function';
  readonly help: string;
}[] {
  const inputs = [...Object.entries(INPUTS), ...Object.entries(SHORTHANDS)];
  return [
    ...inputs.map(([name, { help, level }]) => ({ name, kind: 'input' as const, help: `${help} One a ${level}.` })),
    ...Object.entries({ ...FUNCTIONS, to_go: TO_GO }).map(([name, { takes, help }]) => ({
      name,
      kind: 'function' as const,
      help: `${name}(${takes}): ${help}`,
    })),
    ...REDUCTIONS.flatMap((kind) =>
      TARGETS.map((to) => ({
        name: `${kind}_${to}`,
        kind: 'function' as const,
        help: `${kind}_${to}(x): ${REDUCTION_HELP[kind]} of x over the ${to}: of a token’s value over the tokens that the loss is used for, of a turn’s once a turn.`,
      })),
    ),
  ];
}

/** Names from other places, and what they are called here. */
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
